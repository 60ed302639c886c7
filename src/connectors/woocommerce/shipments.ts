import { cancelledParcels, type ShipmentCancellation } from '../../commerce/changes/order-change.ts'
import type { Shipments } from '../../commerce/connector/parts.ts'
import { arrayIn, bodyOf, type Fields, idIn, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { changeOnce } from '../../commerce/wire/change-once.ts'
import { say } from '../../commerce/words/say.ts'
import { fulfillmentsOf, fulfillmentsPath, within } from './fulfillments.ts'
import { orders, ordersPath, writeNote } from './orders.ts'
import { findOne, partOfSite } from './pages.ts'
import { type Credentials, type Settings, shippedStatus, type WooShop } from './settings.ts'
import { ofDraft, ofFulfillment, ofTracking, ownParcels, parcelsKey } from './translate-shipment.ts'

/**
 * Shops keep parcels in one of three ways, tried in this order: as fulfilments (10.1 and later, where it is switched on),
 * with the plug-in Shipment Tracking, or not at all; then the customer gets a note and the order one for machines.
 */
export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send: ship, confirm: findShipped },
  amend: { repeatable: true, send: amend },
  cancel: changeOnce(orders, {
    send: takeBack,
    shows: (order, wanted) => cancelledParcels(order, wanted).length === 0,
  }),
}

interface Keeping {
  /** All that the shop has of the order. */
  parcels: readonly RemoteShipment[]
  keep(): Promise<RemoteShipment>
  correct(amendment: ShipmentAmendment, meant: RemoteShipment): Promise<RemoteShipment>
  remove(meant: RemoteShipment): Promise<void>
}

async function ship(shop: WooShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const order = await orderOf(shop, draft)
  const { parcels, keep } = await keepingOf(shop, order, draft)
  const gone = parcels.filter(hasLeft)
  const parcel = gone.find(hasNumber(draft)) ?? (await keep())
  const status = shippedStatus(shop)
  if (isWhole(draft, order, gone) && order['status'] !== status) {
    const path = pathOf(draft)
    bodyOf(await shop.remote.request({ method: 'PUT', path, body: { status }, repeatable: true }))
  }
  return parcel
}

async function findShipped(shop: WooShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const order = await orderOf(shop, draft)
  const { parcels } = await keepingOf(shop, order, draft)
  const gone = parcels.filter(hasLeft)
  if (isWhole(draft, order, gone) && order['status'] !== shippedStatus(shop)) return null
  return gone.find(hasNumber(draft)) ?? null
}

async function amend(shop: WooShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const order = await orderOf(shop, amendment)
  const { parcels, correct } = await keepingOf(shop, order, amendment)
  const meant = parcels.find((one) => isAmended(amendment, one)) ?? parcels.find(hasNumber(amendment))
  if (!meant) throw refused(say('no_such_shipment'))
  return await correct(amendment, meant)
}

/** An order of which not everything has left is no longer one that was sent. */
async function takeBack(shop: WooShop, wanted: ShipmentCancellation): Promise<void> {
  const order = await orderOf(shop, wanted)
  // How a shop keeps parcels is asked with any of them.
  const { parcels, remove } = await keepingOf(shop, order, { ...noParcel, order_remote_id: wanted.order_remote_id })
  for (const one of cancelledParcels({ shipments: [...parcels] }, wanted)) await remove(one)
  if (order['status'] !== shippedStatus(shop)) return
  const request = { method: 'PUT', path: pathOf(wanted), body: { status: 'processing' }, repeatable: true } as const
  bodyOf(await shop.remote.request(request))
}

/** A draft of the shop's people says what they mean to send. */
const hasLeft = ({ status }: RemoteShipment): boolean => status === 'shipped'

const noParcel = { tracking_number: '', carrier: '' }

type OfOrder = Pick<ShipmentDraft, 'order_remote_id'>
type Numbered = Pick<ShipmentDraft, 'tracking_number'>

const pathOf = ({ order_remote_id: id }: OfOrder) => `${ordersPath}/${id}`

async function orderOf(shop: WooShop, { order_remote_id: id }: OfOrder): Promise<Fields> {
  const order = await findOne(shop, ordersPath, id)
  if (!order) throw refused(say('no_such_order'))
  return order
}

/** Whether everything has left with it and those before. The plug-in does not keep what is in a parcel: there it is this one alone. */
function isWhole(draft: ShipmentDraft, order: Fields, parcels: readonly RemoteShipment[]): boolean {
  const { lines } = draft
  if (lines == null || lines.length === 0) return true
  const others = parcels.filter((parcel) => !hasNumber(draft)(parcel)).flatMap((parcel) => parcel.lines)
  return recordsIn(order, 'line_items').every(
    (line) => countIn([...others, ...lines], idIn(line, 'id')) >= numberIn(line, 'quantity'),
  )
}

const countIn = (parts: RemoteShipment['lines'], line: string): number =>
  parts.filter((one) => one.order_line_remote_id === line).reduce((all, one) => all + one.quantity, 0)

async function keepingOf(shop: WooShop, order: Fields, draft: ShipmentDraft): Promise<Keeping> {
  return (
    (await asFulfillment(shop, order, draft)) ?? (await asTracking(shop, draft)) ?? (await asNote(shop, order, draft))
  )
}

const hasNumber = (draft: Numbered) => (parcel: RemoteShipment) => parcel.tracking_number === draft.tracking_number

async function asFulfillment(shop: WooShop, order: Fields, draft: ShipmentDraft): Promise<Keeping | null> {
  const path = fulfillmentsPath(draft.order_remote_id)
  const raw = await fulfillmentsOf(shop, draft.order_remote_id)
  if (!raw) return null
  const parcels = raw.map(ofFulfillment)
  const send = async (method: 'POST' | 'PUT', at: string, metaData: Fields) => {
    const body = {
      entity_type: 'WC_Order',
      entity_id: draft.order_remote_id,
      status: 'fulfilled',
      is_fulfilled: true,
      notify_customer: draft.notify_customer ?? true,
      // Notes without an id are passed over in silence when a fulfilment is made; 0 is a new one.
      meta_data: Object.entries(metaData).map(([key, value]) => ({ id: 0, key, value })),
    }
    const answer = await shop.remote.request({ method, path: at, body, repeatable: method === 'PUT' })
    return ofFulfillment(within(answer, 'fulfillment'))
  }
  return {
    parcels,
    async keep() {
      const items = draft.lines?.length ? draft.lines.map(toItem) : remaining(order, parcels.filter(hasLeft))
      const meta = { ...trackingOf(draft), _items: items }
      const meant = parcels.find((one) => !hasLeft(one) && isSame(one.lines, items.map(toLine)))
      // Made beside the draft of the same goods it would leave that for somebody to send once more.
      return meant ? await send('PUT', `${path}/${meant.remote_id}`, meta) : await send('POST', path, meta)
    },
    async correct(amendment, meant) {
      // What is not said again would be gone.
      const noted = raw.find((one) => idIn(one, 'id') === meant.remote_id)
      const before = noted ? recordsIn(noted, 'meta_data') : []
      const kept = Object.fromEntries(before.map(({ key, value }) => [String(key), value]))
      return await send('PUT', `${path}/${meant.remote_id}`, { ...kept, ...trackingOf(amendment) })
    },
    remove: (meant) => discard(shop, `${path}/${meant.remote_id}`),
  }
}

const trackingOf = (draft: ShipmentDraft | ShipmentAmendment): Fields => ({
  _tracking_number: draft.tracking_number,
  _shipment_provider: draft.carrier,
  // What the shop's own pages say of a carrier that is none of their list; without it that is "Unknown".
  _provider_name: draft.carrier,
  _tracking_url: draft.tracking_url ?? '',
})

const toItem = ({ order_line_remote_id: id, quantity }: { order_line_remote_id: string; quantity: number }) => ({
  item_id: Number(id),
  qty: quantity,
})

const isSame = (lines: RemoteShipment['lines'], others: RemoteShipment['lines']): boolean =>
  lines.length === others.length &&
  lines.every(({ order_line_remote_id: id, quantity }) => countIn(others, id) === quantity)

/** What no parcel holds yet. */
function remaining(order: Fields, parcels: readonly RemoteShipment[]) {
  const sent = parcels.flatMap(({ lines }) => lines)
  const items = recordsIn(order, 'line_items').map((line) => {
    const id = idIn(line, 'id')
    return { item_id: Number(id), qty: numberIn(line, 'quantity') - countIn(sent, id) }
  })
  return items.filter(({ qty }) => qty > 0)
}

const askPlugIn = partOfSite()

async function asTracking(shop: WooShop, draft: ShipmentDraft): Promise<Keeping | null> {
  const path = `/wp-json/wc-shipment-tracking/v3/orders/${draft.order_remote_id}/shipment-trackings`
  const answer = await askPlugIn(shop, { method: 'GET', path })
  if (answer === null) return null
  const parcels = arrayIn({ rows: bodyOf(answer) }, 'rows').map(ofTracking)
  const keep = async ({ carrier, tracking_url: url, tracking_number: number, shipped_at: at }: ShipmentDraft) => {
    const body = {
      custom_tracking_provider: carrier,
      custom_tracking_link: url ?? '',
      tracking_number: number,
      ...(at ? { date_shipped: at.slice(0, 10) } : {}),
    }
    return ofTracking(bodyOf(await shop.remote.request({ method: 'POST', path, body })))
  }
  return {
    parcels,
    keep: () => keep(draft),
    /** The plug-in changes none: another takes its place. */
    async correct(amendment, meant) {
      const right = (one: RemoteShipment) => hasNumber(amendment)(one) && one.carrier_name === amendment.carrier
      const isUrl = (one: RemoteShipment) => (one.tracking_url || null) === (amendment.tracking_url ?? null)
      const made = parcels.find((one) => right(one) && isUrl(one)) ?? (await keep(amendment))
      if (meant.remote_id !== made.remote_id) await discard(shop, `${path}/${meant.remote_id}`)
      return made
    },
    remove: (meant) => discard(shop, `${path}/${meant.remote_id}`),
  }
}

async function discard({ remote }: WooShop, path: string): Promise<void> {
  const gone = await remote.request({ method: 'DELETE', path, repeatable: true })
  if (gone.status !== 404) bodyOf(gone)
}

/** The note goes first: without it nobody would write it later, while what machines read can be written twice. */
async function asNote(shop: WooShop, order: Fields, draft: ShipmentDraft): Promise<Keeping> {
  const { remote } = shop
  const parcels = ownParcels(order)
  const note = async (after: readonly RemoteShipment[]) => {
    const body = { meta_data: [{ key: parcelsKey, value: JSON.stringify(after) }] }
    bodyOf(await remote.request({ method: 'PUT', path: pathOf(draft), body, repeatable: true }))
  }
  const write = async (said: ShipmentDraft, word: string, after: readonly RemoteShipment[]) => {
    const words = [`${word} ${said.carrier}: ${said.tracking_number}`, said.tracking_url].filter(Boolean).join('\n')
    await writeNote(shop, said.order_remote_id, { note: words, customer_note: said.notify_customer ?? true })
    await note(after)
  }
  return {
    parcels,
    async keep() {
      // What no parcel holds yet: otherwise nobody could say later what is missing.
      const items = draft.lines?.length ? draft.lines : remaining(order, parcels).map(toLine)
      const parcel = { ...ofDraft(draft), lines: items }
      await write(draft, 'Sent with', [...parcels, parcel])
      return parcel
    },
    async correct(amendment, meant) {
      const { carrier: carrier_name, tracking_number, tracking_url = null } = amendment
      const parcel = { ...meant, carrier_name, tracking_number, tracking_url }
      const after = parcels.map((one) => (one === meant ? parcel : one))
      await write(amendment, 'Correction: sent with', after)
      return parcel
    },
    remove: (meant) => note(parcels.filter((one) => one !== meant)),
  }
}

const toLine = ({ item_id, qty }: { item_id: number; qty: number }) => ({
  order_line_remote_id: String(item_id),
  quantity: qty,
})
