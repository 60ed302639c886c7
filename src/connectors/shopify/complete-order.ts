import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { ask, nextIn, type Query } from './ask.ts'
import { allParcels, moreLines, moreParcelLines, parcelsAtOnce } from './documents/orders.ts'
import type { ShopifyShop } from './settings.ts'

/** An order with all its lines and parcels, which a page of orders tells only the first of. */
export async function completeOrder(shop: ShopifyShop, order: Fields): Promise<Fields> {
  const id = textIn(order, 'id')
  const lines = fieldsIn(order, 'lineItems')
  const told = recordsIn(order, 'fulfillments')
  if (nextIn(lines) === null && told.length < parcelsAtOnce && told.every(isWhole)) return order
  const listed = told.length < parcelsAtOnce ? told : await everyParcel(shop, id, told)
  const fulfillments: Fields[] = []
  for (const parcel of listed) fulfillments.push(await wholeParcel(shop, parcel))
  const lineItems = await rest(shop, moreLines, lines, { id, in: 'order', name: 'lineItems' })
  return { ...order, lineItems, fulfillments }
}

const isWhole = (parcel: Fields): boolean => {
  const lines = maybeFields(parcel, 'fulfillmentLineItems')
  return lines !== null && nextIn(lines) === null
}

async function everyParcel(shop: ShopifyShop, id: string, told: readonly Fields[]): Promise<readonly Fields[]> {
  const order = maybeFields(await ask(shop, allParcels, { id }), 'order')
  const known = new Map(told.map((parcel) => [parcel['id'], parcel]))
  return order ? recordsIn(order, 'fulfillments').map((parcel) => known.get(parcel['id']) ?? parcel) : told
}

export async function wholeParcel(shop: ShopifyShop, parcel: Fields): Promise<Fields> {
  if (isWhole(parcel)) return parcel
  const told = maybeFields(parcel, 'fulfillmentLineItems') ?? unread
  const about = { id: textIn(parcel, 'id'), in: 'fulfillment', name: 'fulfillmentLineItems' }
  return { ...parcel, fulfillmentLineItems: await rest(shop, moreParcelLines, told, about) }
}

/** A connection of which nothing has been read. */
const unread: Fields = { pageInfo: { hasNextPage: true, endCursor: null }, nodes: [] }

/** What is told of a list, and all that comes after it. */
export async function rest(
  shop: ShopifyShop,
  query: Query,
  told: Fields,
  about: { id: string; in: string; name: string },
): Promise<Fields> {
  const nodes = [...recordsIn(told, 'nodes')]
  for (let page = told; fieldsIn(page, 'pageInfo')['hasNextPage'] === true; ) {
    const { endCursor: after } = fieldsIn(page, 'pageInfo')
    const holder = maybeFields(await ask(shop, query, { id: about.id, after }), about.in)
    // Gone in the meantime: whoever reads the order next will see.
    if (holder === null) break
    page = fieldsIn(holder, about.name)
    nodes.push(...recordsIn(page, 'nodes'))
  }
  return { pageInfo: { hasNextPage: false, endCursor: null }, nodes }
}
