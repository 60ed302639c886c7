import type { ShopOrder, Stage } from '../../shop/order.ts'

export const statuses: Readonly<Record<Stage, string>> = {
  unpaid: 'pending',
  held: 'on-hold',
  paid: 'processing',
  part_sent: 'processing',
  sent: 'completed',
  delivered: 'completed',
  part_refunded: 'completed',
  refunded: 'refunded',
  cancelled: 'cancelled',
}

/** What a status that is set from outside makes of an order. */
export const stageFor: Readonly<Record<string, Stage | undefined>> = {
  pending: 'unpaid',
  'on-hold': 'held',
  processing: 'paid',
  completed: 'sent',
  refunded: 'refunded',
  cancelled: 'cancelled',
}

export function orderStatus({ stage }: ShopOrder): { status: string; remote_status: string } {
  const remote_status = statuses[stage]
  if (remote_status === 'cancelled') return { status: 'CANCELLED', remote_status }
  return {
    status: remote_status === 'completed' || remote_status === 'refunded' ? 'SHIPPED' : 'PENDING',
    remote_status,
  }
}
