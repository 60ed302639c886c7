import type { OrderReturn, RemoteOrder } from '../../commerce/order.ts'

/** An order is `pending` until somebody says that it is done, whatever has been paid and sent. */
export const statuses: Readonly<Record<string, RemoteOrder['status'] | undefined>> = {
  requires_action: 'pending',
  draft: 'pending',
  pending: 'open',
  completed: 'completed',
  archived: 'completed',
  canceled: 'cancelled',
}

/** The server's statuses that may be meant: what has been sent is `pending` there until somebody says that it is done. */
export const statusesFor = (wanted: readonly RemoteOrder['status'][]): string[] =>
  Object.entries(statuses).flatMap(([status, means]) => {
    const mayBeDone = status === 'pending' && wanted.includes('completed')
    return (means && wanted.includes(means)) || mayBeDone ? [status] : []
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

/** A return is `requested` there until its goods arrive, whoever asked for it. */
export const returnStatuses: Readonly<Record<string, OrderReturn['status'] | undefined>> = {
  requested: 'requested',
  partially_received: 'partially_received',
  received: 'received',
  canceled: 'cancelled',
}
