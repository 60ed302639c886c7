import type { FieldErrors } from '../../lib/fault.ts'
import { orderStatusOf, type RemoteOrder } from '../order.ts'
import { isAllSent, isOff, leftToSend, type Part, pack } from './left-to-send.ts'

/** What speaks against a change of an order, as the shop shows it at this moment. Sentences for whoever wants the change. */

const anyway = 'Set force to do it anyway.'

/** Why nobody but the platform can send it, whatever is forced. */
export const whyNotOurs = ({ fulfilled_by: by }: Pick<RemoteOrder, 'fulfilled_by'>): string | null =>
  by === 'platform' ? 'The platform sends this order from its own warehouse.' : null

/** Why its goods should not leave; null where nothing speaks against it. */
export function whyNotShip(order: RemoteOrder): string | null {
  switch (orderStatusOf(order)) {
    case 'CANCELLED':
      return `The order has been cancelled in the shop. ${anyway}`
    case 'REFUNDED':
      return `The order has been refunded in the shop. ${anyway}`
    case 'ON_HOLD':
      return `The order is on hold in the shop${order.hold_reason ? ` (${order.hold_reason})` : ''}. ${anyway}`
    case 'UNPAID':
      return `${unpaid(order)} ${anyway}`
    case 'PENDING':
      return order.cancel_requested ? `The buyer has asked for the order to be cancelled. ${anyway}` : null
    default:
      return null
  }
}

const unpaid = ({ payment_status: payment }: RemoteOrder): string => {
  if (payment === 'failed') return 'The payment of the order has failed.'
  return payment === 'voided' ? 'The payment of the order has been voided.' : 'The order has not been paid.'
}

/** Why it should not be cancelled. What is cancelled already may be cancelled again: nothing happens then. */
export function whyNotCancel(order: RemoteOrder): string | null {
  const status = orderStatusOf(order)
  if (status === 'CANCELLED') return null
  if (status === 'SHIPPED' || status === 'DELIVERED') return `The order has already been shipped. ${anyway}`
  if (order.fulfillment_status === 'partial') return `Part of the order has already been shipped. ${anyway}`
  return status === 'REFUNDED' ? `The order has been refunded in the shop. ${anyway}` : null
}

export interface WantedParcel {
  tracking_number: string
  lines?: readonly Part[] | null
}

/**
 * What speaks against the contents of a parcel; `field` is where they were given. A parcel that the shop has under this number
 * is the same one: whatever is missing of it is for the connector to find out.
 */
export function contentErrors(
  order: RemoteOrder,
  { tracking_number: number, lines }: WantedParcel,
  { field, partial }: { field: string; partial: boolean },
): FieldErrors {
  const parcels = order.shipments.filter((parcel) => !isOff(parcel))
  if (parcels.some((parcel) => parcel.tracking_number === number)) return {}
  // An order that is cancelled as a whole only gets here by force.
  const isCancelled = order.status === 'cancelled'
  const left = leftToSend(
    isCancelled ? order.lines.map((line) => ({ ...line, quantity_cancelled: 0 })) : order.lines,
    parcels.map((parcel) => parcel.lines),
  )
  const nothing = left.length > 0 && isAllSent(left)
  // A parcel that the shop has without a number may be the one that is now given its number.
  const isNumbered = parcels.some((parcel) => parcel.tracking_number !== null)
  const some = lines && lines.length > 0
  if (nothing && (isNumbered || some)) return { [field]: ['Nothing in the order is left to ship.'] }
  if (!some) return {}
  const { rest, errors } = pack(left, lines, field)
  if (Object.keys(errors).length > 0 || partial) return errors
  return isAllSent(rest)
    ? {}
    : { [field]: ['This platform ships orders as a whole: part of an order cannot be shipped.'] }
}
