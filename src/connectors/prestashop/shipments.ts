import type { Shipments } from '../../commerce/connector.ts'
import { type Fields, idIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { associated, countIn, saveRecord, valueIn } from './ask.ts'
import { enterState, getOrder } from './orders.ts'
import type { Credentials, PrestaShop, Settings } from './settings.ts'
import { ofParcel, stateOf, toOrder } from './translate-order.ts'

/** The number goes to the carrier that the order was placed with; then the order enters the state "shipped". */
export const shipments: Shipments<Settings, Credentials> = {
  partial: false,
  create: { repeatable: false, send: ship, confirm: findShipped },
}

const parcelFields = [
  ...['id_order', 'id_carrier', 'id_order_invoice', 'weight'],
  ...['shipping_cost_tax_excl', 'shipping_cost_tax_incl', 'date_add'],
]

async function ship(shop: PrestaShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const { order_remote_id: orderId, tracking_number: number } = draft
  const order = await getOrder(shop, orderId)
  if (!order) throw refused('The shop has no such order.')
  if (!isWhole(draft, order)) throw refused('This shop sends orders as a whole.')
  const parcel = recordsIn(order, 'parcels').at(-1)
  if (!parcel) throw refused('The order has nothing that is sent.')
  const before = valueIn(parcel, 'tracking_number')
  if (before !== null && before !== number) throw refused(`The order has been sent already, with the number ${before}.`)
  if (before === null) {
    const fields = Object.fromEntries(parcelFields.map((name) => [name, valueIn(parcel, name)]))
    const target = { resource: 'order_carriers', node: 'order_carrier', id: idIn(parcel, 'id'), email: true }
    await saveRecord(shop, target, { ...fields, tracking_number: number })
  }
  if (toOrder(order, shop).status !== 'completed') await enterState(shop, orderId, stateOf(shop.settings).shipped)
  const made = await findShipped(shop, draft)
  if (!made) throw refused('The shop accepted the shipment but does not return it.')
  return made
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
