import type { ShopOrder, Stage } from '../../shop/order.ts'

const financial: Readonly<Record<Stage, string>> = {
  unpaid: 'PENDING',
  held: 'AUTHORIZED',
  paid: 'PAID',
  part_sent: 'PAID',
  sent: 'PAID',
  delivered: 'PAID',
  part_refunded: 'PARTIALLY_REFUNDED',
  refunded: 'REFUNDED',
  cancelled: 'VOIDED',
}

const fulfillment: Readonly<Record<Stage, string>> = {
  unpaid: 'UNFULFILLED',
  held: 'ON_HOLD',
  paid: 'UNFULFILLED',
  part_sent: 'PARTIALLY_FULFILLED',
  sent: 'FULFILLED',
  delivered: 'FULFILLED',
  part_refunded: 'FULFILLED',
  refunded: 'FULFILLED',
  cancelled: 'UNFULFILLED',
}

const fulfillmentOrders: Readonly<Record<Stage, string>> = {
  unpaid: 'ON_HOLD',
  held: 'ON_HOLD',
  paid: 'OPEN',
  part_sent: 'IN_PROGRESS',
  sent: 'CLOSED',
  delivered: 'CLOSED',
  part_refunded: 'CLOSED',
  refunded: 'CLOSED',
  cancelled: 'CANCELLED',
}

export const financialStatus = (stage: Stage): string => financial[stage]
export const fulfillmentStatus = (stage: Stage): string => fulfillment[stage]
export const fulfillmentOrderStatus = (stage: Stage): string => fulfillmentOrders[stage]

export function orderStatus({ stage }: ShopOrder): { status: string; remote_status: string } {
  const remote_status = stage === 'cancelled' ? 'CANCELLED' : `${financial[stage]}/${fulfillment[stage]}`
  if (stage === 'cancelled') return { status: 'CANCELLED', remote_status }
  if (stage === 'sent') return { status: 'SHIPPED', remote_status }
  const early = stage === 'unpaid' || stage === 'held' || stage === 'paid' || stage === 'part_sent'
  return { status: early ? 'PENDING' : 'DELIVERED', remote_status }
}
