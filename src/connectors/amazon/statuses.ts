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

export function wordsOf(order: Fields): Words & Pick<RemoteOrder, 'remote_status' | 'hold_reason'> {
  const reported = textIn(fieldsIn(order, 'fulfillment'), 'fulfillmentStatus')
  const words = meanings[reported]
  if (!words) {
    const unsaid = { payment_status: 'unknown', fulfillment_status: 'unfulfilled', remote_status: reported } as const
    return { ...unknownStatus(reported, null), ...unsaid }
  }
  const arrived = reported === 'SHIPPED' && isDelivered(order)
  return {
    ...words,
    ...(arrived ? { fulfillment_status: 'delivered' as const } : {}),
    remote_status: reported,
    hold_reason: null,
  }
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
