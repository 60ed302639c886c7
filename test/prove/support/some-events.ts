import { type NewEvent, newEvent } from '../../../src/domain/events/event.ts'

/** Events of an app, each about an order of its own. */
export const someEvents = (appId: number, first: number, count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => {
    const id = first + n
    const data = {
      id,
      integration_id: 1,
      remote_id: `gid://${id}`,
      number: `#${id}`,
      status: 'PENDING',
      previous_status: null,
      payment_status: null,
      fulfillment_status: null,
      currency: 'EUR',
      total: '12.50',
      placed_at: null,
      updated_at: '2026-11-15T10:00:00.000000Z',
      href: `/api/2.0/app/orders/${id}`,
    }
    return newEvent('order.created', { appId }, { subject: `order:1:${id}`, data })
  })
