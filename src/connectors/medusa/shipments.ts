import type { Shipments } from '../../commerce/connector/parts.ts'
import { bodyOf, type Fields, idIn, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { getOrder } from './orders.ts'
import type { Credentials, MedusaShop, Settings } from './settings.ts'
import { markOf, piecesIn, toShipment } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send: createShipment, confirm: findShipment },
}

const rows = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')

const parcelsOf = (order: Fields): readonly Fields[] =>
  rows(order, 'fulfillments').filter(({ canceled_at: cancelled }) => cancelled == null)

/** The server has no key for it: a parcel with the same tracking number is the same parcel. */
const sentIn = (order: Fields, { tracking_number: number }: ShipmentDraft): Fields | null =>
  parcelsOf(order).find((parcel) => rows(parcel, 'labels').some((label) => label['tracking_number'] === number)) ?? null

/** Until it is sent it has no label; the number is in what we left there. */
const begunIn = (order: Fields, { tracking_number: number }: ShipmentDraft): Fields | null =>
  parcelsOf(order).find((parcel) => parcel['shipped_at'] == null && markOf(parcel)['tracking_number'] === number) ??
  null

export async function findShipment(shop: MedusaShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const order = await getOrder(shop, draft.order_remote_id)
  const parcel = order && sentIn(order, draft)
  return parcel ? toShipment(parcel) : null
}

/** Two steps: the goods are packed, then they go. An attempt that ended in between is gone on with. */
export async function createShipment(shop: MedusaShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const path = `/admin/orders/${encodeURIComponent(draft.order_remote_id)}/fulfillments`
  const order = await getOrder(shop, draft.order_remote_id)
  if (order === null) throw refused(say('no_such_order'))
  const known = sentIn(order, draft)
  if (known) return toShipment(known)
  const parcel = begunIn(order, draft) ?? (await pack(shop, path, order, draft))
  const items = rows(parcel, 'items').map((item) => ({
    id: textIn(item, 'line_item_id'),
    quantity: numberIn(item, 'quantity'),
  }))
  const url = draft.tracking_url ?? ''
  const labels = [{ tracking_number: draft.tracking_number, tracking_url: url, label_url: url }]
  const body = { items, labels, metadata: {} }
  bodyOf(await shop.remote.request({ method: 'POST', path: `${path}/${textIn(parcel, 'id')}/shipments`, body }))
  const after = await getOrder(shop, draft.order_remote_id)
  const sent = after && sentIn(after, draft)
  if (!sent) throw refused(say('parcel_gone'))
  return toShipment(sent)
}

async function pack(shop: MedusaShop, path: string, order: Fields, draft: ShipmentDraft): Promise<Fields> {
  const { location_id: location } = shop.settings
  const metadata = { carrier: draft.carrier, tracking_number: draft.tracking_number }
  const body = { items: linesOf(order, draft), ...(location === undefined ? {} : { location_id: location }), metadata }
  bodyOf(await shop.remote.request({ method: 'POST', path, body }))
  const after = await getOrder(shop, draft.order_remote_id)
  const parcel = after && begunIn(after, draft)
  if (!parcel) throw refused(say('parcel_gone'))
  return parcel
}

/** None named: all that is left. What needs no shipping is never in one parcel with what does. */
function linesOf(order: Fields, { lines }: ShipmentDraft): readonly { id: string; quantity: number }[] {
  const items = recordsIn(order, 'items')
  if (lines && lines.length > 0) {
    return lines.map(({ order_line_remote_id: id, quantity }) => {
      if (!items.some((item) => idIn(item, 'id') === id)) throw refused(say('no_line', { line: id }))
      return { id, quantity }
    })
  }
  const left = items.flatMap((item) => {
    const quantity = numberIn(item, 'quantity') - piecesIn(item, 'fulfilled_quantity')
    return quantity > 0 ? [{ id: idIn(item, 'id'), quantity, ships: item['requires_shipping'] === true }] : []
  })
  const ships = left.some((item) => item.ships)
  const some = left.filter((item) => item.ships === ships)
  if (some.length === 0) throw refused(say('nothing_to_ship'))
  return some.map(({ id, quantity }) => ({ id, quantity }))
}
