import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, idIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { associated, countIn, listRecords, recordsWith, saveChecked, saveRecord, valueIn } from './ask.ts'
import { enterState, getOrder } from './orders.ts'
import { anyCarrier, type Credentials, type PrestaShop, type Settings } from './settings.ts'
import { stateOf } from './statuses.ts'
import { ofParcel, toOrder } from './translate-order.ts'

/** The number and who carries it go to the parcel that the order has from the first day; then the order enters the state "shipped". */
export const shipments: Shipments<Settings, Credentials> = {
  partial: false,
  create: { repeatable: false, send: ship, confirm: findShipped },
  amend: { repeatable: true, send: amend },
}

const parcelFields = [
  ...['id_order', 'id_carrier', 'id_order_invoice', 'weight'],
  ...['shipping_cost_tax_excl', 'shipping_cost_tax_incl', 'date_add'],
]

async function ship(shop: PrestaShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const { order_remote_id: orderId, tracking_number: number, notify_customer: email = true } = draft
  const order = await getOrder(shop, orderId)
  if (!order) throw refused(say('no_such_order'))
  if (!isWhole(draft, order)) throw refused(say('whole_orders'))
  const parcel = recordsIn(order, 'parcels').at(-1)
  if (!parcel) throw refused(say('nothing_sent'))
  const before = valueIn(parcel, 'tracking_number')
  if (before !== null && before !== number) throw refused(say('sent_already', { number: before }))
  if (before === null) await saveParcel(shop, parcel, { number, carrier: await carrierOf(shop, draft), email })
  if (toOrder(order, shop).status !== 'completed') {
    await enterState(shop, orderId, stateOf(shop.settings).shipped, email)
  }
  const made = await findShipped(shop, draft)
  if (!made) throw refused(say('shipment_not_returned'))
  return made
}

/** Links are made of the number by the carrier: there is nothing to correct in them. */
async function amend(shop: PrestaShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const { order_remote_id: orderId, tracking_number: number, notify_customer: email = true } = amendment
  const order = await getOrder(shop, orderId)
  if (!order) throw refused(say('no_such_order'))
  const { fulfillment_status: fulfillment } = toOrder(order, shop)
  const shown = (parcel: Fields) => ofParcel(parcel, fulfillment, shop)
  const parcel = recordsIn(order, 'parcels').find((one) => shown(one).some((it) => isAmended(amendment, it)))
  if (!parcel) throw refused(say('no_such_shipment'))
  const carrier = await carrierOf(shop, amendment)
  await saveParcel(shop, parcel, { number, carrier, email })
  const after = await getOrder(shop, orderId)
  const made = after && recordsIn(after, 'parcels').find((one) => idIn(one, 'id') === idIn(parcel, 'id'))
  const [result] = made ? shown(made) : []
  if (!result) throw refused(say('shipment_not_returned'))
  return result
}

async function saveParcel(
  shop: PrestaShop,
  parcel: Fields,
  { number, carrier, email }: { number: string; carrier: string; email: boolean },
): Promise<void> {
  const fields = Object.fromEntries(parcelFields.map((name) => [name, valueIn(parcel, name)]))
  const target = { resource: 'order_carriers', node: 'order_carrier', id: idIn(parcel, 'id'), email }
  await saveChecked(
    () => saveRecord(shop, target, { ...fields, id_carrier: carrier, tracking_number: number }),
    async () => {
      const [saved] = await recordsWith(shop, 'order_carriers', { values: [target.id] })
      return saved !== undefined && valueIn(saved, 'tracking_number') === number
    },
  )
}

/**
 * The shop's carrier of that name, or the one that stands for it. There are no others: what the shop does not know it cannot
 * be told, and nothing is written.
 */
async function carrierOf(shop: PrestaShop, { carrier: name }: { carrier: string }): Promise<string> {
  const isCalled = (wanted: string) => (other: string) => other.trim().toLowerCase() === wanted.trim().toLowerCase()
  const { carriers: explained = [] } = shop.settings
  const meant =
    explained.find((one) => isCalled(name)(one.name)) ?? explained.find((one) => one.name === anyCarrier) ?? null
  const known = await listRecords(shop, 'carriers', { filters: { deleted: '[0]' } })
  const isMeant = isCalled(meant?.is ?? name)
  const found = known.find((record) => isMeant(valueIn(record, 'name') ?? ''))
  if (found) return idIn(found, 'id')
  const names = known.map((record) => valueIn(record, 'name')).join(', ')
  throw refused(say('carrier_not_in_shop', { carrier: meant?.is ?? name, names: names || '–' }))
}

/** It has happened when both have: the number, and the state. */
async function findShipped(
  shop: PrestaShop,
  { order_remote_id: id, tracking_number: number }: ShipmentDraft,
): Promise<RemoteShipment | null> {
  const order = await getOrder(shop, id)
  if (!order) return null
  const { status, fulfillment_status: fulfillment } = toOrder(order, shop)
  const parcels = recordsIn(order, 'parcels').flatMap((parcel) => ofParcel(parcel, fulfillment, shop))
  const found = parcels.find((parcel) => parcel.tracking_number === number) ?? null
  return status === 'completed' ? found : null
}

function isWhole({ lines }: ShipmentDraft, order: Fields): boolean {
  if (lines == null || lines.length === 0) return true
  const sent = new Map(lines.map((line) => [line.order_line_remote_id, line.quantity]))
  return associated(order, 'order_rows').every(
    (row) => (sent.get(idIn(row, 'id')) ?? 0) >= countIn(row, 'product_quantity'),
  )
}
