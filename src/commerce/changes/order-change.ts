import type { Static } from 'typebox'
import type { FieldWordings } from '../../lib/fault.ts'
import { complaint } from '../../lib/validation/complaints.ts'
import { list, maybe, object, optional, text } from '../../lib/validation/fields.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { compareDecimals, sum } from '../decimal.ts'
import { digitsOf } from '../money.ts'
import { orderStatusOf, type RemoteOrder } from '../order.ts'
import { isOff } from '../rules/left-to-send.ts'
import { notifyCustomer, type RemoteShipment } from '../shipment.ts'
import { forceable, say } from '../words/say.ts'

/** What is done to an order in the shop besides parcels and money back: what may be said, what speaks against it, and when it is done. */

const ofOrder = { order_remote_id: text({ description: 'The shop’s id of the order.' }) }

/* A parcel that did not leave after all -------------------------------------------------------------------------- */

export const shipmentCancellationFields = {
  remote_id: maybe(text({ description: 'The shop’s id of the shipment.' })),
  tracking_number: maybe(text({ description: 'Its number, where it is not named by its id.' })),
  notify_customer: notifyCustomer,
}
export const shipmentCancellationSchema = object({ ...ofOrder, ...shipmentCancellationFields })
export type ShipmentCancellation = Static<typeof shipmentCancellationSchema>

/** By the shop's own id, else by the number. Several parcels with one number are one for whoever sent it. */
export const cancelledParcels = (
  { shipments }: Pick<RemoteOrder, 'shipments'>,
  { remote_id: id, tracking_number: number }: ShipmentCancellation,
): RemoteShipment[] =>
  shipments.filter((one) => !isOff(one) && (id ? one.remote_id === id : one.tracking_number === number))

export function shipmentCancellationErrors(
  order: RemoteOrder,
  wanted: ShipmentCancellation,
  { force, field }: Asking,
): FieldWordings {
  const named = wanted.remote_id ? 'remote_id' : 'tracking_number'
  if (!wanted.remote_id && !wanted.tracking_number)
    return { remote_id: [complaint('field_required_without', { field: 'remote id', other: 'tracking number' })] }
  const parcels = cancelledParcels(order, wanted)
  if (parcels.length === 0) return { [named]: [say('not_in_order', { field: named.replace('_', ' ') })] }
  if (force || parcels.every(({ status }) => status !== 'delivered')) return {}
  return { [field]: [forceable(say('parcel_delivered'))] }
}

/* Notes and tags ------------------------------------------------------------------------------------------------- */

const tags = (description: string) => optional(list(text({ min: 1, max: 40 }), { max: 50, unique: true, description }))

export const annotationFields = {
  note: maybe(
    text({ min: 1, max: 1000, description: 'For the people at the shop. One that is there is not written again.' }),
  ),
  add_tags: tags('Those that the order has already stay.'),
  remove_tags: tags('Those that it does not have are passed over.'),
}
export const annotationSchema = object({ ...ofOrder, ...annotationFields })
export type Annotation = Static<typeof annotationSchema>

/** What a platform keeps of an order for the people at the shop. */
export interface Annotates {
  notes: boolean
  tags: boolean
}

export function annotationErrors(
  { note, add_tags: add = [], remove_tags: remove = [] }: Annotation,
  can: Annotates,
): FieldWordings {
  if (!note && add.length + remove.length === 0) return { note: [say('note_or_tags')] }
  if (note && !can.notes) return { note: [say('no_notes')] }
  const field = add.length > 0 ? 'add_tags' : 'remove_tags'
  if (add.length + remove.length > 0 && !can.tags) return { [field]: [say('no_tags')] }
  const both = add.find((tag) => remove.includes(tag))
  return both === undefined ? {} : { remove_tags: [say('tag_both_ways', { tag: both })] }
}

export const showsTags = (
  { tags: now }: RemoteOrder,
  { add_tags: add = [], remove_tags: remove = [] }: Annotation,
): boolean => add.every((tag) => now.includes(tag)) && remove.every((tag) => !now.includes(tag))

/** Where there is but one field for notes: ours is a paragraph of its own. */
export const withNote = (before: string | null, note: string): string =>
  before === null || before === '' ? note : `${before}\n\n${note}`

export const hasNote = (field: string | null, note: string): boolean => (field ?? '').split('\n\n').includes(note)

/* On hold, and on again ------------------------------------------------------------------------------------------ */

export const holdFields = {
  reason: maybe(text({ max: 255, description: 'Kept beside it where the platform does so.' })),
}
export const holdSchema = object({ ...ofOrder, ...holdFields })
export type Hold = Static<typeof holdSchema>

export const releaseSchema = object(ofOrder)
export type Release = Static<typeof releaseSchema>

export const isHeld = ({ status }: Pick<RemoteOrder, 'status'>): boolean => status === 'on_hold'

export function whyNotHold(order: RemoteOrder): Wording | null {
  switch (orderStatusOf(order)) {
    case 'CANCELLED':
      return say('cancelled_in_shop')
    case 'SHIPPED':
    case 'DELIVERED':
      return say('shipped_already')
    case 'REFUNDED':
      return say('refunded_in_shop')
    default:
      return null
  }
}

export const whyNotRelease = (order: RemoteOrder): Wording | null =>
  orderStatusOf(order) === 'CANCELLED' ? say('cancelled_in_shop') : null

/* Money that is only reserved ------------------------------------------------------------------------------------ */

export const captureFields = {
  amount: maybe(
    text({
      pattern: '^\\d{1,12}(\\.\\d{1,3})?$',
      description: 'A part of what is authorised, in the currency of the order. Left out: all of it.',
    }),
  ),
}
export const captureSchema = object({ ...ofOrder, ...captureFields })
export type Capture = Static<typeof captureSchema>

/** What is reserved for an order and has not been taken, and what has been, as the platform says at this moment. */
export interface CaptureStanding {
  reserved: string
  captured: string
  /** Of both: what the buyer pays in. */
  currency: string
}

/** A capture as a connector makes it; of a part with how much had been taken before, by which it is found again. */
export interface WantedCapture extends Capture {
  before?: string
}

/** Whether a part was taken: so much more than before has been. */
export const showsPart = ({ captured, currency }: CaptureStanding, { amount, before }: WantedCapture): boolean =>
  compareDecimals(captured, sum([before ?? '0', amount ?? '0'], digitsOf(currency))) >= 0

/** What speaks against taking a part; `standing` is null where the platform takes all of it or nothing. */
export function partErrors(order: RemoteOrder, amount: string, standing: CaptureStanding | null): FieldWordings {
  const at = (why: Wording): FieldWordings => ({ amount: [why] })
  if (standing === null) return at(say('captures_all'))
  const { reserved, currency } = standing
  if (currency !== order.currency) return at(say('pays_in', { currency }))
  if (compareDecimals(amount, '0') <= 0) return at(say('capture_nothing'))
  if ((amount.split('.')[1]?.length ?? 0) > digitsOf(currency)) return at(say('capture_too_fine', { currency }))
  return compareDecimals(amount, reserved) > 0 ? at(say('capture_too_much', { left: reserved })) : {}
}

export const isCaptured = ({ payment_status: payment }: Pick<RemoteOrder, 'payment_status'>): boolean =>
  payment === 'paid' || payment === 'partially_refunded' || payment === 'refunded'

/** Where parts can be taken, a part may have been: then the rest is authorised still. */
export function whyNotCapture(order: RemoteOrder, { inParts = false } = {}): Wording | null {
  if (order.status === 'cancelled') return say('cancelled_in_shop')
  if (isCaptured(order) || order.payment_status === 'authorized') return null
  if (inParts && order.payment_status === 'partially_paid') return null
  return say('not_authorised', { status: say(`payment_is_${order.payment_status}`) })
}

export interface Asking {
  force: boolean
  /** Where the order was named. */
  field: string
}
