import type { ShopOrder, Stage } from '../../shop/order.ts'

/** The first of a stage is what an order is set to by default. */
const statuses: readonly (readonly [id: number, label: string, payment: string, stage: Stage])[] = [
  [7, 'Awaiting Payment', 'pending', 'unpaid'],
  [12, 'Manual Verification Required', 'held for review', 'held'],
  [11, 'Awaiting Fulfillment', 'captured', 'paid'],
  [9, 'Awaiting Shipment', 'captured', 'paid'],
  [8, 'Awaiting Pickup', 'captured', 'paid'],
  [3, 'Partially Shipped', 'captured', 'part_sent'],
  [2, 'Shipped', 'captured', 'sent'],
  [10, 'Completed', 'captured', 'delivered'],
  [14, 'Partially Refunded', 'partially refunded', 'part_refunded'],
  [4, 'Refunded', 'refunded', 'refunded'],
  [5, 'Cancelled', 'void', 'cancelled'],
]

/** A paid order is said to wait for its parcel once somebody has seen to it, or for its buyer. */
export function wordsOf({ index, stage: reached, customStatus, acknowledgedAt, refunded, total }: ShopOrder) {
  const stage = refunded === 0 ? reached : refunded < total ? 'part_refunded' : 'refunded'
  const paidId = customStatus !== null ? 8 : acknowledgedAt === null ? 11 : 9
  const found = statuses.find(([id, , , at]) => (stage === 'paid' ? id === paidId : at === stage))
  const [id, label, payment] = found ?? [0, 'Incomplete', '']
  // Cards are charged once somebody says so.
  return { id, label, payment: stage === 'unpaid' && index % 2 === 0 ? 'authorized' : payment }
}

/** What a status that is set from outside makes of an order. */
export const stageFor = (id: number | null): Stage | null => statuses.find(([one]) => one === id)?.[3] ?? null

/** Carriers that the platform knows by itself. */
export const providers: readonly string[] = ['auspost', 'canadapost', 'endicia', 'fedex', 'royalmail', 'ups', 'usps']
