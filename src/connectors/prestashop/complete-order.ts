import { type Fields, idIn } from '../../commerce/reading.ts'
import { allowedRecords, byId, isYes, recordsWith, valueIn } from './ask.ts'
import type { PrestaShop } from './settings.ts'

/** An order names everything else by number. What the numbers mean is asked for once for all of a page. */
export async function completeOrders(shop: PrestaShop, orders: readonly Fields[]): Promise<Fields[]> {
  const idsIn = (records: readonly Fields[], ...fields: readonly string[]) =>
    records.flatMap((record) => fields.map((field) => valueIn(record, field) ?? ''))
  // What an order names need not belong to its shop any more: countries, carriers and currencies are taken away from shops.
  const everywhere = true
  const read = async (resource: string, values: readonly string[]) =>
    byId(await recordsWith(shop, resource, { values, everywhere }))

  const orderIds = orders.map((order) => idIn(order, 'id'))
  const ofOrders = { field: 'id_order', values: orderIds }
  const histories = await allowedRecords(shop, 'order_histories', ofOrders)
  const details = await allowedRecords(shop, 'order_details', ofOrders)
  const slips = await allowedRecords(shop, 'order_slip', ofOrders)
  const messages = await allowedRecords(shop, 'messages', ofOrders)
  const stateIds = [...idsIn(orders, 'current_state'), ...idsIn(histories, 'id_order_state')]
  const states = await read('order_states', stateIds)
  const currencies = await read('currencies', idsIn(orders, 'id_currency'))
  // Only what an order needs: the rest, the hash of a password among it, is none of our business.
  const display = '[id,email,firstname,lastname,is_guest]'
  const customerIds = idsIn(orders, 'id_customer')
  const customers = byId(await recordsWith(shop, 'customers', { values: customerIds, display, everywhere }))
  const addresses = await read('addresses', idsIn(orders, 'id_address_delivery', 'id_address_invoice'))
  const countries = await read('countries', idsIn([...addresses.values()], 'id_country'))
  const regions = await read('states', idsIn([...addresses.values()], 'id_state'))
  const parcels = await recordsWith(shop, 'order_carriers', { field: 'id_order', values: orderIds })
  const carriers = await read('carriers', idsIn([...orders, ...parcels], 'id_carrier'))

  const one = (records: ReadonlyMap<string, Fields>, record: Fields, field: string): Fields | null =>
    records.get(valueIn(record, field) ?? '') ?? null
  const placeOf = (order: Fields, field: string): Fields | null => {
    const place = one(addresses, order, field)
    return place && { ...place, country: one(countries, place, 'id_country'), region: one(regions, place, 'id_state') }
  }
  const isOf = (order: Fields) => (record: Fields) => valueIn(record, 'id_order') === idIn(order, 'id')
  /** When it entered the first of the states in which an order has left. */
  const sentAt = (order: Fields): string | null => {
    const left = histories
      .filter(isOf(order))
      .filter((entry) => isYes(one(states, entry, 'id_order_state') ?? {}, 'shipped'))
    return left.map((entry) => valueIn(entry, 'date_add') ?? '').sort()[0] ?? null
  }
  // The key of the customer's own pages is nobody else's business.
  return orders.map(({ secure_key: _, ...order }) => ({
    ...order,
    state: one(states, order, 'current_state'),
    currency: one(currencies, order, 'id_currency'),
    customer: one(customers, order, 'id_customer'),
    delivery: placeOf(order, 'id_address_delivery'),
    invoice: placeOf(order, 'id_address_invoice'),
    carrier: one(carriers, order, 'id_carrier'),
    details: details.filter(isOf(order)),
    slips: slips.filter(isOf(order)),
    messages: messages.filter(isOf(order)),
    parcels: parcels
      .filter(isOf(order))
      .map((parcel) => ({ ...parcel, sent_at: sentAt(order), carrier: one(carriers, parcel, 'id_carrier') })),
  }))
}
