import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { ask, askEach, type Detail, type Query } from './ask.ts'
import { terms } from './customers/companies.ts'
import { allParcels, moreLines, moreParcelLines, packedParcels, parcelsAtOnce, someOrders } from './documents/orders.ts'
import { ways } from './parcels/shipping-ways.ts'
import { refunds } from './refunds/read-refunds.ts'
import { returns } from './refunds/read-returns.ts'
import type { ShopifyShop } from './settings.ts'

/**
 * Orders with all their lines and parcels, of which a page of orders contains only the first. Without the platform's marks of
 * where a list was read to: bulk results have none, and the same order is the same however it was read.
 */
export async function completeOrders(shop: ShopifyShop, orders: readonly Fields[]): Promise<Fields[]> {
  const { detailed, changed } = await withDetails(shop, orders)
  const anew = await askEach(shop, someOrders, changed, ordersAtOnce)
  const again = await withDetails(shop, [...anew.values()])
  const latest = new Map(again.detailed.map((order) => [textIn(order, 'id'), order]))
  const complete: Fields[] = []
  for (const order of detailed) complete.push(await withWholeLists(shop, latest.get(textIn(order, 'id')) ?? order))
  return complete
}

export async function completeOrder(shop: ShopifyShop, order: Fields): Promise<Fields> {
  const [complete = order] = await completeOrders(shop, [order])
  return complete
}

const ordersAtOnce = 10

/** Bulk results say which parcels there are, and not what is in them. */
const parcels: Detail = {
  isAsked: (order) => recordsIn(order, 'fulfillments').some((one) => one['fulfillmentLineItems'] === undefined),
  query: packedParcels,
  atOnce: 25,
  read: (_, found) => (found ? { fulfillments: recordsIn(found, 'fulfillments') } : {}),
}

/**
 * With what is asked for by itself of the orders that have any of it, for many at a time. An order that was changed since it was listed
 * would come to be of two times: its id is among the changed ones.
 */
async function withDetails(
  shop: ShopifyShop,
  orders: readonly Fields[],
): Promise<{ detailed: Fields[]; changed: string[] }> {
  const detailed = new Map(orders.map((order) => [textIn(order, 'id'), order]))
  const changed = new Set<string>()
  for (const { isAsked, query, atOnce, read } of [parcels, refunds, returns, terms, ways]) {
    const asked = orders.filter((order) => isAsked(order, shop))
    const found = await askEach(
      shop,
      query,
      asked.map((order) => textIn(order, 'id')),
      atOnce,
    )
    for (const order of asked) {
      const id = textIn(order, 'id')
      const more = found.get(id)
      if (more && more['updatedAt'] !== order['updatedAt']) changed.add(id)
      detailed.set(id, { ...detailed.get(id), ...read(order, more) })
    }
  }
  return { detailed: [...detailed.values()], changed: [...changed] }
}

async function withWholeLists(shop: ShopifyShop, order: Fields): Promise<Fields> {
  const id = textIn(order, 'id')
  const reported = recordsIn(order, 'fulfillments')
  const listed = reported.length < parcelsAtOnce ? reported : await everyParcel(shop, id, reported)
  const fulfillments: Fields[] = []
  for (const parcel of listed) fulfillments.push(await wholeParcel(shop, parcel))
  const lineItems = await rest(shop, moreLines, fieldsIn(order, 'lineItems'), { id, in: 'order', name: 'lineItems' })
  return { ...order, lineItems, fulfillments }
}

async function everyParcel(shop: ShopifyShop, id: string, reported: readonly Fields[]): Promise<readonly Fields[]> {
  const order = maybeFields(await ask(shop, allParcels, { id }), 'order')
  const known = new Map(reported.map((parcel) => [parcel['id'], parcel]))
  return order ? recordsIn(order, 'fulfillments').map((parcel) => known.get(parcel['id']) ?? parcel) : reported
}

export async function wholeParcel(shop: ShopifyShop, parcel: Fields): Promise<Fields> {
  const reported = maybeFields(parcel, 'fulfillmentLineItems') ?? unread
  const about = { id: textIn(parcel, 'id'), in: 'fulfillment', name: 'fulfillmentLineItems' }
  return { ...parcel, fulfillmentLineItems: await rest(shop, moreParcelLines, reported, about) }
}

/** A connection of which nothing has been read. */
const unread: Fields = { pageInfo: { hasNextPage: true, endCursor: null }, nodes: [] }

/** The part of a list that came along, and all that comes after it. */
export async function rest(
  shop: ShopifyShop,
  query: Query,
  reported: Fields,
  about: { id: string; in: string; name: string },
): Promise<Fields> {
  const nodes = [...recordsIn(reported, 'nodes')]
  for (let page = reported; fieldsIn(page, 'pageInfo')['hasNextPage'] === true; ) {
    const { endCursor: after } = fieldsIn(page, 'pageInfo')
    const holder = maybeFields(await ask(shop, query, { id: about.id, after }), about.in)
    // Gone in the meantime: whoever reads the order next will see.
    if (holder === null) break
    page = fieldsIn(holder, about.name)
    nodes.push(...recordsIn(page, 'nodes'))
  }
  return { pageInfo: { hasNextPage: false, endCursor: null }, nodes }
}
