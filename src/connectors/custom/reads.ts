import type { RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { Format, Getting, Listing } from '../../commerce/definition/definition.ts'
import { bodyOrNull, fieldsOf, isFields } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { readPage } from './pages.ts'
import type { OrderRules } from './translate-order.ts'
import { readerOf, valueAt } from './values.ts'

/** Ids go into one part of the path each: none of them leads to another. */
export const pathWith = (path: string, parts: Readonly<Record<string, string>>): string =>
  path.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const part = parts[name] ?? ''
    if (part === '' || part === '.' || part === '..') throw refused(`The shop has nothing called "${part}".`)
    return encodeURIComponent(part)
  })

/** One by its id; null if there is none. */
export async function getOne({ remote }: Shop, { path, record }: Getting, remoteId: string): Promise<unknown> {
  const body = bodyOrNull(await remote.request({ method: 'GET', path: pathWith(path, { id: remoteId }) }))
  if (body === null) return null
  return fieldsOf(record === undefined ? body : valueAt(body, record))
}

/** What changed since, whether or not the platform can be asked for that. */
export async function listChanged(
  shop: Shop,
  part: { list: Listing; fields: { updated_at?: string } },
  query: ReadQuery,
  format: Format,
): Promise<RawPage> {
  const page = await readPage(shop, part.list, query, format)
  const { updated_at: path } = part.fields
  const { updatedSince: since } = query
  if (since === null || path === undefined) return page
  return { ...page, items: page.items.filter((raw) => isSince(raw, path, since, format)) }
}

/** A record whose time cannot be read goes on: that it is wrong is told where it is translated. */
function isSince(raw: unknown, path: string, since: string, format: Format): boolean {
  try {
    return !isFields(raw) || (readerOf(raw, format).maybeTime(path) ?? since) >= since
  } catch {
    return true
  }
}

/** Platforms have too many ways to be asked for statuses: all orders are read, and those meant are kept. */
export async function listOrders(shop: Shop, rules: OrderRules, query: ReadQuery, format: Format): Promise<RawPage> {
  if (query.statuses.length === 0) return await listChanged(shop, rules, query, format)
  const words = new Set(query.statuses.map((word) => word.toLowerCase()))
  const meant = new Set(
    rules.statuses
      .filter(({ theirs, ours }) => words.has(ours) || words.has(theirs.toLowerCase()))
      .map(({ theirs }) => theirs),
  )
  if (meant.size === 0) return { items: [], next: null, total: 0 }
  const page = await listChanged(shop, rules, query, format)
  const items = page.items.filter((raw) => isFields(raw) && meant.has(String(valueAt(raw, rules.fields.status))))
  return { items, next: page.next, total: null }
}
