import type { Products, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { type Fields, fieldsOf, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { ask } from './ask.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

/** Items are made from files with a form for each kind of product; that is not done from here. */
export const products: Products<Settings, Credentials> = { list: listItems, get: getItem, translate: toProduct }

const mostItems = 50

/**
 * Walmart does not say when an item changed: all of them are told each time. Pages may be shorter than was asked for, and
 * what names the next one may stay the same to the end: so it is counted. Without items there is no list.
 */
async function listItems(shop: WalmartShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const { seen, token } = cursor === null ? { seen: 0, token: '*' } : standingOf(cursor)
  const query = { nextCursor: token, limit: Math.min(limit, mostItems) }
  const told = await ask(shop, { path: '/v3/items', query, budget: 'list_items' })
  if (told === null) return { items: [], next: null, total: null }
  const body = fieldsOf(told)
  const items = itemsIn(body)
  const total = body['totalItems'] == null ? null : numberIn(body, 'totalItems')
  const [read, following] = [seen + items.length, maybeText(body, 'nextCursor')]
  const isLast = items.length === 0 || following === null || (total !== null && read >= total)
  return { items, next: isLast ? null : `${read}:${following}`, total: cursor === null ? total : null }
}

function standingOf(cursor: string): { seen: number; token: string } {
  const [, seen, token] = /^(\d{1,9}):(.{1,4000})$/s.exec(cursor) ?? []
  if (!seen || !token) throw refused('The cursor is none that this shop has given.')
  return { seen: Number(seen), token }
}

async function getItem(shop: WalmartShop, sku: string): Promise<Fields | null> {
  const path = `/v3/items/${encodeURIComponent(sku)}`
  const told = await ask(shop, { path, query: { productIdType: 'SKU' }, budget: 'list_items' })
  const [item = null] = told === null ? [] : itemsIn(fieldsOf(told))
  return item
}

const itemsIn = (body: Fields): readonly Fields[] =>
  body['ItemResponse'] == null ? [] : recordsIn(body, 'ItemResponse')
