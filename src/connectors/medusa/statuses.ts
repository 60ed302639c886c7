import type { RemoteOrder } from '../../commerce/order.ts'

/** An order is `pending` until somebody says that it is done, whatever has been paid and sent. */
export const statuses: Readonly<Record<string, RemoteOrder['status'] | undefined>> = {
  requires_action: 'pending',
  draft: 'pending',
  pending: 'open',
  completed: 'completed',
  archived: 'completed',
  canceled: 'cancelled',
}

/** The server's statuses that may be meant by these words. */
export const statusesFor = (wanted: ReadonlySet<string>): string[] =>
  Object.entries(statuses).flatMap(([status, means]) => {
    const mayBeDone = status === 'pending' && wanted.has('completed')
    return wanted.has(status) || (means && wanted.has(means)) || mayBeDone ? [status] : []
  })

export const payments: Readonly<Record<string, RemoteOrder['payment_status'] | undefined>> = {
  not_paid: 'pending',
  awaiting: 'pending',
  requires_action: 'pending',
  authorized: 'authorized',
  partially_authorized: 'authorized',
  captured: 'paid',
  partially_captured: 'partially_paid',
  partially_refunded: 'partially_refunded',
  refunded: 'refunded',
  canceled: 'voided',
}
