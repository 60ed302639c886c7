import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, numberIn, textIn } from '../../commerce/reading.ts'
import type { ShopStatus } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'

type Words = Pick<RemoteOrder, 'status' | 'hold_reason' | 'payment_status' | 'fulfillment_status' | 'remote_status'>

const meanings: Readonly<Record<number, Words['status'] | undefined>> = {
  0: 'pending',
  1: 'pending',
  2: 'completed',
  3: 'open',
  5: 'cancelled',
  6: 'cancelled',
  7: 'pending',
  8: 'open',
  9: 'open',
  10: 'completed',
  11: 'open',
  12: 'on_hold',
  13: 'on_hold',
}
/** Merchants may rename them in the control panel; these are the names that they come with. */
const names: Readonly<Record<number, string>> = {
  ...{
    0: 'Incomplete',
    1: 'Pending',
    2: 'Shipped',
    3: 'Partially Shipped',
    4: 'Refunded',
    5: 'Cancelled',
    6: 'Declined',
  },
  ...{
    7: 'Awaiting Payment',
    8: 'Awaiting Pickup',
    9: 'Awaiting Shipment',
    10: 'Completed',
    11: 'Awaiting Fulfillment',
  },
  ...{ 12: 'Manual Verification Required', 13: 'Disputed', 14: 'Partially Refunded' },
}

export const statuses: readonly ShopStatus[] = Object.entries(names).map(([id, name]) => ({
  word: name,
  name,
  means: meanings[Number(id)] ?? null,
}))

/** Those that people have to look at, or decide. */
const heldIds: readonly number[] = [12, 13]

const refundedId = 4
const partlyRefundedId = 14
const declinedId = 6

const payments: Readonly<Record<string, Words['payment_status'] | undefined>> = {
  '': 'unknown',
  pending: 'pending',
  'held for review': 'pending',
  authorized: 'authorized',
  'capture pending': 'authorized',
  captured: 'paid',
  paid: 'paid',
  'partially refunded': 'partially_refunded',
  refunded: 'refunded',
  void: 'voided',
  'void pending': 'voided',
  declined: 'failed',
}

/** Most orders have one word for everything; how much has been sent is counted besides. */
export function orderWords(order: Fields): Words {
  const id = numberIn(order, 'status_id')
  const fulfillment = fulfillmentOf(order, id)
  const word = textIn(order, 'status')
  const status = statusOf(id, fulfillment)
  const paid = paymentOf(order, id)
  return {
    ...(status && paid !== undefined
      ? { status, hold_reason: heldIds.includes(id) ? word : null }
      : unknownStatus(status ? String(order['payment_status']) : word, null)),
    payment_status: paid ?? 'unknown',
    fulfillment_status: fulfillment,
    remote_status: word,
  }
}

/** Money that went back says nothing about the goods: what was not sent by then will not be, or is still to be. */
function statusOf(id: number, fulfillment: Words['fulfillment_status']): Words['status'] | undefined {
  const done = fulfillment !== 'unfulfilled' && fulfillment !== 'partial'
  if (id === partlyRefundedId) return done ? 'completed' : 'open'
  if (id === refundedId) return fulfillment === 'unfulfilled' ? 'open' : 'completed'
  return meanings[id]
}

function paymentOf(order: Fields, id: number): Words['payment_status'] | undefined {
  if (id === refundedId) return 'refunded'
  if (id === partlyRefundedId) return 'partially_refunded'
  const reported = typeof order['payment_status'] === 'string' ? order['payment_status'] : ''
  const payment = payments[reported]
  return payment === 'unknown' && id === declinedId ? 'failed' : payment
}

const sentIds = [2, 10]
const partlySentId = 3

function fulfillmentOf(order: Fields, id: number): Words['fulfillment_status'] {
  if (order['order_is_digital'] === true) return 'not_required'
  const [sent, all] = [numberIn(order, 'items_shipped'), numberIn(order, 'items_total')]
  // A merchant may say that it was sent without saying what.
  if (sentIds.includes(id) || (sent > 0 && sent >= all)) return 'fulfilled'
  return sent > 0 || id === partlySentId ? 'partial' : 'unfulfilled'
}
