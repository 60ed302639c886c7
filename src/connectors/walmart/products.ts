import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, isFields, maybeText, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask } from './ask.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { groupMark, toProduct } from './translate-product.ts'

/** Items are made from files with a form for each kind of product; that is not done from here. */
export const products: Products<Settings, Credentials> = { list: listProducts, get: getProduct, translate: toProduct }

const maxItems = 50

/** An item is a product, unless it is one of a group: that is reported as a whole, with the first of its items. */
async function listProducts(shop: WalmartShop, query: ReadQuery): Promise<RawPage> {
  const page = await listItems(shop, query)
  const groups = await groupsOn(shop, page.items)
  const items: Fields[] = []
  for (const item of page.items) {
    const id = groupOf(item)
    const members = id === null ? [] : (groups.get(id) ?? [])
    const [first] = members
    if (!members.some(({ sku }) => sku === item['sku'])) items.push(item)
    else if (first?.['sku'] === item['sku']) items.push({ variantGroupId: id, items: members })
  }
  return { ...page, items }
}

/** The groups of a page, each with all its items. How large they are is one question; those that are not all here are asked for. */
async function groupsOn(shop: WalmartShop, items: readonly Fields[]): Promise<Map<string, readonly Fields[]>> {
  const here = Map.groupBy(
    items.filter((item) => groupOf(item) !== null),
    (item) => groupOf(item) ?? '',
  )
  const sizes = here.size < 2 ? new Map<string, number>() : await sizesOfGroups(shop)
  const groups = new Map<string, readonly Fields[]>()
  for (const [id, members] of here)
    groups.set(id, sizes.get(id) === members.length ? bySku(members) : await groupItems(shop, id))
  return groups
}

/** Of all groups; what does not answer costs a question for each of them, as before. */
async function sizesOfGroups({ remote }: WalmartShop): Promise<Map<string, number>> {
  const answer = await remote.request({ method: 'GET', path: '/v3/items/groups/count', budget: 'list_items' })
  const reported = answer.status < 300 && isFields(answer.body) ? answer.body : {}
  const rows = reported['payload'] == null ? [] : recordsIn(reported, 'payload')
  // A text by its specification, a number in its samples.
  return new Map(rows.map((row) => [textIn(row, 'variantGroupId'), Number(row['count'])]))
}

const bySku = (items: readonly Fields[]): readonly Fields[] =>
  items.toSorted((a, b) => (textIn(a, 'sku') < textIn(b, 'sku') ? -1 : 1))

const groupOf = (item: Fields): string | null => maybeText(item, 'variantGroupId')

/** All of a group, by their numbers. */
async function groupItems(shop: WalmartShop, id: string): Promise<readonly Fields[]> {
  const all: Fields[] = []
  for (let cursor: string | null = null; ; ) {
    const page: ItemPage = await listItems(shop, { cursor, limit: maxItems }, id)
    all.push(...page.items.filter((item) => groupOf(item) === id))
    cursor = page.next
    if (cursor === null) break
  }
  return bySku(all)
}

interface ItemPage extends RawPage {
  items: readonly Fields[]
}

/**
 * Walmart does not say when an item changed: all of them are reported each time. Pages may be shorter than was asked for, and
 * what names the next one may stay the same to the end: so it is counted. Without items there is no list.
 */
async function listItems(
  shop: WalmartShop,
  { cursor, limit }: Pick<ReadQuery, 'cursor' | 'limit'>,
  variantGroupId?: string,
): Promise<ItemPage> {
  const { seen, token } = cursor === null ? { seen: 0, token: '*' } : standingOf(cursor)
  const query = { nextCursor: token, limit: Math.min(limit, maxItems), variantGroupId }
  const reported = await ask(shop, { path: '/v3/items', query, budget: 'list_items' })
  if (reported === null) return { items: [], next: null, total: null }
  const body = fieldsOf(reported)
  const items = itemsIn(body)
  const total = body['totalItems'] == null ? null : numberIn(body, 'totalItems')
  const [read, following] = [seen + items.length, maybeText(body, 'nextCursor')]
  const isLast = items.length === 0 || following === null || (total !== null && read >= total)
  return { items, next: isLast ? null : `${read}:${following}`, total: cursor === null ? total : null }
}

function standingOf(cursor: string): { seen: number; token: string } {
  const [, seen, token] = /^(\d{1,9}):(.{1,4000})$/s.exec(cursor) ?? []
  if (!seen || !token) throw refused(say('invalid_cursor'))
  return { seen: Number(seen), token }
}

async function getProduct(shop: WalmartShop, remoteId: string): Promise<Fields | null> {
  if (!remoteId.startsWith(groupMark)) return await getItem(shop, remoteId)
  const variantGroupId = remoteId.slice(groupMark.length)
  const items = await groupItems(shop, variantGroupId)
  return items.length === 0 ? null : { variantGroupId, items }
}

/** One of a group is no product of its own, if the group is there. */
async function getItem(shop: WalmartShop, sku: string): Promise<Fields | null> {
  const path = `/v3/items/${encodeURIComponent(sku)}`
  const reported = await ask(shop, { path, query: { productIdType: 'SKU' }, budget: 'list_items' })
  const [item = null] = reported === null ? [] : itemsIn(fieldsOf(reported))
  const group = item && groupOf(item)
  const members = group === null ? [] : await groupItems(shop, group)
  return members.some((one) => one['sku'] === sku) ? null : item
}

const itemsIn = (body: Fields): readonly Fields[] =>
  body['ItemResponse'] == null ? [] : recordsIn(body, 'ItemResponse')
