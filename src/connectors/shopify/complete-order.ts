import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { ask, type Query } from './ask.ts'
import { termsOf } from './customers/companies.ts'
import { allParcels, moreLines, moreParcelLines, parcelsAtOnce } from './documents/orders.ts'
import { waysOf } from './parcels/shipping-ways.ts'
import { refundsOf } from './refunds/read-refunds.ts'
import { returnsOf } from './refunds/read-returns.ts'
import type { ShopifyShop } from './settings.ts'

/**
 * An order with all its lines and parcels, of which a page of orders contains only the first. Without the platform's marks of
 * where a list was read to: bulk results have none, and the same order is the same however it was read.
 */
export async function completeOrder(shop: ShopifyShop, order: Fields): Promise<Fields> {
  const id = textIn(order, 'id')
  const lines = fieldsIn(order, 'lineItems')
  const reported = recordsIn(order, 'fulfillments')
  const listed = reported.length < parcelsAtOnce ? reported : await everyParcel(shop, id, reported)
  const fulfillments: Fields[] = []
  for (const parcel of listed) fulfillments.push(await wholeParcel(shop, parcel))
  const lineItems = await rest(shop, moreLines, lines, { id, in: 'order', name: 'lineItems' })
  return {
    ...order,
    lineItems,
    fulfillments,
    ...(await refundsOf(shop, id, order)),
    ...(await returnsOf(shop, id, order)),
    ...(await termsOf(shop, id, order)),
    ...(await waysOf(shop, id, order)),
  }
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
