import type { Shipments } from '../../commerce/connector.ts'
import { arrayIn, bodyOf, type Fields, fieldsOf, idIn, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { fulfillmentsOf, fulfillmentsPath, within } from './fulfillments.ts'
import { ordersPath } from './orders.ts'
import { findOne, isUnknownRoute } from './pages.ts'
import type { Credentials, Settings, WooShop } from './settings.ts'
import { ofDraft, ofFulfillment, ofTracking, ownParcels, parcelsKey } from './translate-shipment.ts'

/**
 * Shops keep parcels in one of three ways, tried in this order: as fulfilments (10.1 and later, where it is switched on),
 * with the plug-in Shipment Tracking, or not at all; then the customer gets a note and the order one for machines.
 */
export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send: ship, confirm: findShipped },
}

interface Keeping {
  /** The parcel with this number, if it is there. */
  known: RemoteShipment | null
  keep(): Promise<RemoteShipment>
}

async function ship(shop: WooShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const order = await orderOf(shop, draft)
  const keeping = await keepingOf(shop, order, draft)
  const parcel = keeping.known ?? (await keeping.keep())
  if (isWhole(draft, order) && order['status'] !== 'completed') {
    const path = pathOf(draft)
    bodyOf(await shop.remote.request({ method: 'PUT', path, body: { status: 'completed' }, repeatable: true }))
  }
  return parcel
}

async function findShipped(shop: WooShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const order = await orderOf(shop, draft)
  if (isWhole(draft, order) && order['status'] !== 'completed') return null
  return (await keepingOf(shop, order, draft)).known
}

const pathOf = ({ order_remote_id: id }: ShipmentDraft) => `${ordersPath}/${id}`

async function orderOf(shop: WooShop, { order_remote_id: id }: ShipmentDraft): Promise<Fields> {
  const order = await findOne(shop, ordersPath, id)
  if (!order) throw refused('The shop has no such order.')
  return order
}

/** Whether everything leaves with it; which lines went before is not always kept, so half an order stays open. */
function isWhole({ lines }: ShipmentDraft, order: Fields): boolean {
  if (lines == null || lines.length === 0) return true
  const sent = new Map(lines.map((line) => [line.order_line_remote_id, line.quantity]))
  return recordsIn(order, 'line_items').every((line) => (sent.get(idIn(line, 'id')) ?? 0) >= numberIn(line, 'quantity'))
}

async function keepingOf(shop: WooShop, order: Fields, draft: ShipmentDraft): Promise<Keeping> {
  return (
    (await asFulfillment(shop, order, draft)) ?? (await asTracking(shop, draft)) ?? (await asNote(shop, order, draft))
  )
}

const hasNumber = (draft: ShipmentDraft) => (parcel: RemoteShipment) => parcel.tracking_number === draft.tracking_number

async function asFulfillment(shop: WooShop, order: Fields, draft: ShipmentDraft): Promise<Keeping | null> {
  const path = fulfillmentsPath(draft.order_remote_id)
  const there = (await fulfillmentsOf(shop, draft.order_remote_id))?.map(ofFulfillment)
  if (!there) return null
  return {
    known: there.find(hasNumber(draft)) ?? null,
    async keep() {
      const meta = {
        _tracking_number: draft.tracking_number,
        _shipment_provider: draft.carrier,
        _tracking_url: draft.tracking_url ?? '',
        _items: draft.lines?.length ? draft.lines.map(toItem) : remaining(order, there),
      }
      const body = {
        entity_type: 'WC_Order',
        entity_id: draft.order_remote_id,
        status: 'fulfilled',
        is_fulfilled: true,
        notify_customer: true,
        meta_data: Object.entries(meta).map(([key, value]) => ({ key, value })),
      }
      return ofFulfillment(within(await shop.remote.request({ method: 'POST', path, body }), 'fulfillment'))
    },
  }
}

const toItem = ({ order_line_remote_id: id, quantity }: { order_line_remote_id: string; quantity: number }) => ({
  item_id: Number(id),
  qty: quantity,
})

/** What no parcel holds yet. */
function remaining(order: Fields, parcels: readonly RemoteShipment[]) {
  const sent = parcels.flatMap(({ lines }) => lines)
  const items = recordsIn(order, 'line_items').map((line) => {
    const id = idIn(line, 'id')
    const gone = sent.filter((one) => one.order_line_remote_id === id).reduce((all, one) => all + one.quantity, 0)
    return { item_id: Number(id), qty: numberIn(line, 'quantity') - gone }
  })
  return items.filter(({ qty }) => qty > 0)
}

async function asTracking(shop: WooShop, draft: ShipmentDraft): Promise<Keeping | null> {
  const path = `/wp-json/wc-shipment-tracking/v3/orders/${draft.order_remote_id}/shipment-trackings`
  const answer = await shop.remote.request({ method: 'GET', path })
  if (isUnknownRoute(answer)) return null
  const there = arrayIn({ rows: bodyOf(answer) }, 'rows').map(ofTracking)
  return {
    known: there.find(hasNumber(draft)) ?? null,
    async keep() {
      const body = {
        custom_tracking_provider: draft.carrier,
        custom_tracking_link: draft.tracking_url ?? '',
        tracking_number: draft.tracking_number,
        ...(draft.shipped_at ? { date_shipped: draft.shipped_at.slice(0, 10) } : {}),
      }
      return ofTracking(bodyOf(await shop.remote.request({ method: 'POST', path, body })))
    },
  }
}

/** The note goes first: without it nobody would write it later, while what machines read can be written twice. */
async function asNote(shop: WooShop, order: Fields, draft: ShipmentDraft): Promise<Keeping> {
  const parcels = ownParcels(order)
  return {
    known: parcels.find(hasNumber(draft)) ?? null,
    async keep() {
      const { remote } = shop
      const path = `${pathOf(draft)}/notes`
      const note = [`Sent with ${draft.carrier}: ${draft.tracking_number}`, draft.tracking_url]
        .filter(Boolean)
        .join('\n')
      const written = arrayIn({ rows: bodyOf(await remote.request({ method: 'GET', path })) }, 'rows').map(fieldsOf)
      if (!written.some((one) => one['note'] === note)) {
        bodyOf(await remote.request({ method: 'POST', path, body: { note, customer_note: true } }))
      }
      const parcel = ofDraft(draft)
      const body = { meta_data: [{ key: parcelsKey, value: JSON.stringify([...parcels, parcel]) }] }
      bodyOf(await remote.request({ method: 'PUT', path: pathOf(draft), body, repeatable: true }))
      return parcel
    },
  }
}
