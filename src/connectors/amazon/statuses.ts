import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'

type Words = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'>

/** Orders are paid once they are no longer pending; of what became of the money afterwards nothing is said. */
const meanings: Readonly<Record<string, Words>> = {
  PENDING_AVAILABILITY: { status: 'pending', payment_status: 'pending', fulfillment_status: 'unfulfilled' },
  PENDING: { status: 'pending', payment_status: 'pending', fulfillment_status: 'unfulfilled' },
  UNSHIPPED: { status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled' },
  PARTIALLY_SHIPPED: { status: 'open', payment_status: 'paid', fulfillment_status: 'partial' },
  SHIPPED: { status: 'completed', payment_status: 'paid', fulfillment_status: 'fulfilled' },
  CANCELLED: { status: 'cancelled', payment_status: 'unknown', fulfillment_status: 'unfulfilled' },
  UNFULFILLABLE: { status: 'cancelled', payment_status: 'unknown', fulfillment_status: 'unfulfilled' },
}

type OrderWords = Words & Pick<RemoteOrder, 'remote_status' | 'hold_reason'>

export function wordsFor(reported: string): OrderWords {
  const words = meanings[reported]
  if (words) return { ...words, remote_status: reported, hold_reason: null }
  const unsaid = { payment_status: 'unknown', fulfillment_status: 'unfulfilled', remote_status: reported } as const
  return { ...unknownStatus(reported, null), ...unsaid }
}

export function wordsOf(order: Fields): OrderWords {
  const words = wordsFor(textIn(fieldsIn(order, 'fulfillment'), 'fulfillmentStatus'))
  const arrived = words.remote_status === 'SHIPPED' && isDelivered(order)
  return arrived ? { ...words, fulfillment_status: 'delivered' } : words
}

/** Amazon follows parcels: all of them have arrived. */
function isDelivered(order: Fields): boolean {
  const parcels = order['packages'] == null ? [] : recordsIn(order, 'packages')
  return parcels.length > 0 && parcels.every((one) => maybeFields(one, 'packageStatus')?.['status'] === 'DELIVERED')
}

export const statuses = shopStatuses(
  Object.fromEntries(Object.entries(meanings).map(([word, { status }]) => [word, status])),
)

/** Amazon's words for these; null is all. */
export const statusesFor = (wanted: readonly RemoteOrder['status'][]): string[] | null =>
  wanted.length === 0 ? null : statuses.flatMap(({ word, means }) => (means && wanted.includes(means) ? [word] : []))
