import type { FieldWordings } from '../../lib/fault.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { orderStatusOf, type RemoteOrder } from '../order.ts'
import { forceable, say } from '../words/say.ts'
import { isAllSent, isOff, leftToSend, type Part, pack } from './left-to-send.ts'

/** What speaks against a change of an order, as the shop shows it at this moment. Sentences for whoever wants the change. */

/** Why nobody but the platform can send it, whatever is forced. */
export const whyNotOurs = ({ fulfilled_by: by }: Pick<RemoteOrder, 'fulfilled_by'>): Wording | null =>
  by === 'platform' ? say('platform_ships') : null

/** Why its goods should not leave; null where nothing speaks against it. */
export function whyNotShip(order: RemoteOrder): Wording | null {
  switch (orderStatusOf(order)) {
    case 'CANCELLED':
      return forceable(say('cancelled_in_shop'))
    case 'REFUNDED':
      return forceable(say('refunded_in_shop'))
    case 'ON_HOLD':
      return forceable(say('on_hold_in_shop', { reason: order.hold_reason || null }))
    case 'UNPAID':
      return forceable(unpaid(order))
    case 'PENDING':
      return order.cancel_requested ? forceable(say('cancel_requested')) : null
    default:
      return null
  }
}

const unpaid = ({ payment_status: payment }: RemoteOrder): Wording => {
  if (payment === 'failed') return say('payment_failed')
  return say(payment === 'voided' ? 'payment_voided' : 'not_paid')
}

/** Why it should not be cancelled. What is cancelled already may be cancelled again: nothing happens then. */
export function whyNotCancel(order: RemoteOrder): Wording | null {
  const status = orderStatusOf(order)
  if (status === 'CANCELLED') return null
  if (status === 'SHIPPED' || status === 'DELIVERED') return forceable(say('shipped_already'))
  if (order.fulfillment_status === 'partial') return forceable(say('shipped_in_part'))
  return status === 'REFUNDED' ? forceable(say('refunded_in_shop')) : null
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
): FieldWordings {
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
  // One that has not left either is what is still to be sent, whatever else has left.
  const isMeant = parcels.some(({ status, tracking_number }) => status === 'pending' && tracking_number === null)
  const some = lines && lines.length > 0
  if (nothing && ((isNumbered && !isMeant) || some)) return { [field]: [say('nothing_to_ship')] }
  if (!some) return {}
  const { rest, errors } = pack(left, lines, field)
  if (Object.keys(errors).length > 0 || partial) return errors
  return isAllSent(rest) ? {} : { [field]: [say('ships_whole')] }
}
