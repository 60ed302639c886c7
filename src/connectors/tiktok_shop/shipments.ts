import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { ask } from './ask.ts'
import { needOrder } from './get-order.ts'
import { providerFor } from './parcels/carriers.ts'
import type { Credentials, Settings, TikTokShop } from './settings.ts'
import { groupsIn, hasLeft, isFulfilledByTikTok, isOff, isShippedByTikTok, shipmentsOf } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send, confirm },
  amend: { repeatable: true, send: amend },
}

/** Where single pieces may be told to have left; elsewhere it is all that waits in the package. */
const byPieces: readonly string[] = ['US', 'GB', 'ES', 'IE', 'IT', 'DE', 'FR', 'JP']

async function send(shop: TikTokShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const order = await ownOrder(shop, draft.order_remote_id)
  const { wanted, isAll } = standing(order, draft)
  const known = parcelIn(order, draft)
  if (wanted.length === 0) {
    if (known) return known
    throw refused(say('nothing_to_ship'))
  }
  const parcel = {
    shipping_provider_id: await providerFor(shop, order, draft.carrier),
    tracking_number: draft.tracking_number,
  }
  if (byPieces.includes(shop.settings.region ?? '')) {
    const path = `/fulfillment/202309/orders/${draft.order_remote_id}/packages`
    await ask(shop, { method: 'POST', path, body: { order_line_item_ids: wanted, ...parcel } })
  } else {
    if (!isAll) throw refused(say('parts_not_here', { platform: 'TikTok Shop' }))
    const path = `/fulfillment/202309/packages/${waitingIn(order)}/ship`
    await ask(shop, { method: 'POST', path, body: { self_shipment: parcel } })
  }
  const made = parcelIn(await needOrder(shop, draft.order_remote_id), draft)
  return made ?? asSent(order, draft, parcel.shipping_provider_id, wanted)
}

/** A parcel with the same tracking number is the same parcel, and whole if nothing is missing. */
async function confirm(shop: TikTokShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const order = await ownOrder(shop, draft.order_remote_id)
  const known = parcelIn(order, draft)
  return known && standing(order, draft).wanted.length === 0 ? known : null
}

/** One that the seller sends, with a carrier of its own. */
async function ownOrder(shop: TikTokShop, id: string): Promise<Fields> {
  const order = await needOrder(shop, id)
  if (isFulfilledByTikTok(order)) throw refused(say('own_warehouse', { platform: 'TikTok' }))
  if (isShippedByTikTok(order)) throw refused(say('label_from_platform', { platform: 'TikTok' }))
  return order
}

const parcelIn = (order: Fields, { tracking_number: number }: ShipmentDraft): RemoteShipment | null =>
  shipmentsOf(order).find((one) => one.tracking_number === number) ?? null

/** The pieces that are still to go with this parcel. None named: all that is left. */
function standing(order: Fields, draft: ShipmentDraft): { wanted: string[]; isAll: boolean } {
  const left = groupsIn(order).map(({ id, items }) => ({
    id,
    pieces: items.filter((item) => !hasLeft(item) && !isOff(item)).map((item) => textIn(item, 'id')),
  }))
  const all = left.flatMap(({ pieces }) => pieces)
  if (!draft.lines || draft.lines.length === 0) return { wanted: all, isAll: true }
  const gone = parcelIn(order, draft)?.lines ?? []
  const wanted = draft.lines.flatMap(({ order_line_remote_id: id, quantity }) => {
    const sent = gone.filter((one) => one.order_line_remote_id === id).reduce((sum, one) => sum + one.quantity, 0)
    const missing = Math.max(0, quantity - sent)
    const pieces = left.find((one) => one.id === id)?.pieces ?? []
    if (pieces.length < missing) throw refused(say('fewer_left', { quantity: missing, line: id }))
    return pieces.slice(0, missing)
  })
  return { wanted, isAll: wanted.length === all.length }
}

/** The package that has not left. */
function waitingIn(order: Fields): string {
  const waiting = recordsIn(order, 'line_items').find((item) => item['package_status'] === 'TO_FULFILL')
  const [first, ...others] = order['packages'] == null ? [] : recordsIn(order, 'packages')
  if (waiting) return textIn(waiting, 'package_id')
  if (!first || others.length > 0) throw refused(say('no_package'))
  return textIn(first, 'id')
}

/** What was told, where the order does not show it yet. */
function asSent(order: Fields, draft: ShipmentDraft, provider: string, pieces: readonly string[]): RemoteShipment {
  const lines = groupsIn(order).flatMap(({ id, items }) => {
    const quantity = items.filter((item) => pieces.includes(textIn(item, 'id'))).length
    return quantity > 0 ? [{ order_line_remote_id: id, quantity }] : []
  })
  return {
    ...{ remote_id: null, status: 'shipped', carrier_code: provider, carrier_name: draft.carrier, service: null },
    ...{ tracking_number: draft.tracking_number, tracking_url: null, shipped_at: null, delivered_at: null },
    ...{ location_remote_id: null, lines },
  }
}

async function amend(shop: TikTokShop, wanted: ShipmentAmendment): Promise<RemoteShipment> {
  const order = await ownOrder(shop, wanted.order_remote_id)
  const parcel = shipmentsOf(order).find((one) => isAmended(wanted, one))
  if (!parcel?.remote_id) throw refused(say('no_such_shipment'))
  const body = {
    shipping_provider_id: await providerFor(shop, order, wanted.carrier),
    tracking_number: wanted.tracking_number,
  }
  const path = `/fulfillment/202309/packages/${parcel.remote_id}/shipping_info/update`
  await ask(shop, { method: 'POST', path, body, repeatable: true })
  const after = await needOrder(shop, wanted.order_remote_id)
  const changed = shipmentsOf(after).find((one) => one.remote_id === parcel.remote_id)
  return changed ?? { ...parcel, carrier_code: body.shipping_provider_id, tracking_number: wanted.tracking_number }
}
