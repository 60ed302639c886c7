import type { ShopOrder } from '../../shop/order.ts'

/** One word for all of it, and the same words on each line. */
export function statusOf({ stage, acknowledgedAt }: ShopOrder): string {
  switch (stage) {
    case 'unpaid':
    case 'held':
      return 'PENDING'
    case 'paid':
      return acknowledgedAt === null ? 'CREATED' : 'ACKNOWLEDGED'
    case 'part_sent':
      return 'PARTIALLY_SHIPPED'
    case 'sent':
      return 'SHIPPED'
    case 'cancelled':
      return 'CANCELLED'
    default:
      return 'DELIVERED'
  }
}

/** Whether an order has been acknowledged is told apart from how far it has come. */
const open: readonly string[] = ['CREATED', 'ACKNOWLEDGED', 'PARTIALLY_SHIPPED']

export function orderStatus(order: ShopOrder): { status: string; remote_status: string } {
  const remote_status = statusOf(order)
  return { status: open.includes(remote_status) ? 'PENDING' : remote_status, remote_status }
}
