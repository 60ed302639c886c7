import type { Products, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { type Fields, fieldsOf, maybeText, recordsIn } from '../../commerce/reading.ts'
import { ask } from './ask.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

/** Items are made from files with a form for each kind of product; that is not done from here. */
export const products: Products<Settings, Credentials> = { list: listItems, get: getItem, translate: toProduct }

const mostItems = 50
const fromTheStart = '*'

/** Walmart does not say when an item changed: all of them are told each time. Without items there is no list. */
async function listItems(shop: WalmartShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const size = Math.min(limit, mostItems)
  const query = { nextCursor: cursor ?? fromTheStart, limit: size }
  const told = await ask(shop, { path: '/v3/items', query, budget: 'list_items' })
  if (told === null) return { items: [], next: null, total: null }
  const body = fieldsOf(told)
  const items = itemsIn(body)
  const total = body['totalItems']
  return {
    items,
    next: items.length < size ? null : maybeText(body, 'nextCursor'),
    total: typeof total === 'number' && cursor === null ? total : null,
  }
}

async function getItem(shop: WalmartShop, sku: string): Promise<Fields | null> {
  const path = `/v3/items/${encodeURIComponent(sku)}`
  const told = await ask(shop, { path, query: { productIdType: 'SKU' }, budget: 'list_items' })
  const [item = null] = told === null ? [] : itemsIn(fieldsOf(told))
  return item
}

const itemsIn = (body: Fields): readonly Fields[] =>
  body['ItemResponse'] == null ? [] : recordsIn(body, 'ItemResponse')
