import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import { justLookedAt } from '../../commerce/once-for-shop.ts'
import { type Fields, idIn, textIn } from '../../commerce/reading.ts'
import { exactQuantity } from '../../commerce/rules/quantities.ts'
import { chunks } from '../../lib/chunks.ts'
import { type Filter, isId, maxPageSize, reasonIn, search, searchAny } from './ask.ts'
import { quantityIn } from './lines/quantities.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from './settings.ts'
import { listSingle, type SkuLevel, setSingle } from './single-stock.ts'
import { placeOf, type Reserved, reaching, reservedOf } from './stock/reservations.ts'
import { toInventoryLevel } from './translate-product.ts'

/** Levels have no times there, so that all are read each time. */
export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: (shop, query) => (isSingle(shop) ? listSingle(shop, query) : listLevels(shop, query)),
  translate: toInventoryLevel,
  levelsNow: (shop, names) => levelsNow(shop, skusIn(names)),
  set: { repeatable: true, send: setLevels },
}

const isSingle = ({ settings }: MagentoShop) => settings.stock === 'single'

const path = 'inventory/source-items'

/**
 * By article number. A page begins with the last number of the page before, less the sources of it that were read: so
 * nothing that comes or goes meanwhile moves the others.
 */
async function listLevels(shop: MagentoShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const size = Math.min(limit, maxPageSize)
  const [last, seen] = readCursor(cursor)
  const filters: Filter[] = last === null ? [] : [['sku', 'gteq', last]]
  for (let page = 1; ; page++) {
    const { rows, total } = await search(shop, path, { filters, sort: ['sku', 'source_code'], size, page })
    const fresh = rows.filter((row) => row['sku'] !== last || !seen.includes(String(row['source_code'])))
    const end = rows.at(-1)
    const isEnd = !end || page * size >= total
    const common = { total: last === null ? total : null }
    if (isEnd) return { ...common, items: await withReserved(shop, fresh, [last]), next: null }
    // An article at more places than fit on a page.
    if (fresh.length === 0) continue
    const sku = textIn(end, 'sku')
    const sources = rows.filter((row) => row['sku'] === sku).map((row) => textIn(row, 'source_code'))
    const kept = sku === last ? [...seen, ...sources] : sources
    const items = await withReserved(shop, fresh, [last, sku])
    return { ...common, items, next: JSON.stringify([sku, ...new Set(kept)]) }
  }
}

/** Levels with what is reserved of each. Of articles at the edges of a page there may be more than it shows. */
async function withReserved(
  shop: MagentoShop,
  rows: readonly Fields[],
  edges: readonly (string | null)[],
): Promise<Fields[]> {
  const cut = edges.filter((sku) => sku !== null && rows.some((row) => row['sku'] === sku)).map(String)
  const whole = await searchAny(shop, path, { field: 'sku', values: cut })
  const levels = [...rows.filter((row) => !cut.includes(textIn(row, 'sku'))), ...whole]
  return lessReserved(rows, levels, await reservedOf(shop, levels))
}

function lessReserved(rows: readonly Fields[], levels: readonly Fields[], reserved: Reserved[] | null): Fields[] {
  if (reserved === null) return [...rows]
  return rows.map((row) => {
    const place = { sku: textIn(row, 'sku'), source: textIn(row, 'source_code'), levels }
    return { ...row, reserved: Math.min(quantityIn(row, 'quantity'), reaching(reserved, place)) }
  })
}

/** Where shops know one place only, each article would cost a request: they wait for the next read. */
async function levelsNow(shop: MagentoShop, skus: readonly string[]): Promise<readonly Fields[]> {
  if (isSingle(shop)) return []
  const levels = await searchAny(shop, path, { field: 'sku', values: skus })
  const reserved = await reservedOf(shop, levels)
  looked.keep(shop, skus, { levels, reserved })
  return lessReserved(levels, levels, reserved)
}

const looked = justLookedAt<MagentoShop, { levels: readonly Fields[]; reserved: Reserved[] | null }>()

/** Cursors come back from callers, who may have written anything into them. */
function readCursor(cursor: string | null): [string | null, readonly string[]] {
  try {
    const [last, ...seen] = JSON.parse(cursor ?? '[]') as unknown[]
    return [typeof last === 'string' ? last : null, seen.map(String)]
  } catch {
    return [null, []]
  }
}

export async function setLevels(
  shop: MagentoShop,
  items: readonly InventorySetting[],
): Promise<readonly InventoryResult[]> {
  const find = (field: string, values: readonly string[]) =>
    searchAny(shop, 'products', { field, values, fields: 'items[id,sku],search_criteria,total_count' })
  // The platform itself would keep a stock of something that does not exist.
  const rows = [...(await find('sku', skusIn(items))), ...(await find('entity_id', bareIdsIn(items).filter(isId)))]
  const articles = rows.map((row) => ({ sku: textIn(row, 'sku'), variantId: idIn(row, 'id') }))
  const meant = new Map(items.map((setting) => [setting, articleFor(setting, articles)]))
  const levels = [...meant].flatMap(([{ quantity, location = null }, article]): SkuLevel[] =>
    typeof article === 'string' ? [] : [{ sku: article.sku, quantity, location }],
  )
  const errors = isSingle(shop) ? await setSingle(shop, levels) : await setSources(shop, levels)
  return items.map((setting) => {
    const article = meant.get(setting) ?? ''
    const error = typeof article === 'string' ? article : errors.get(keyOf(article.sku, setting.location))
    return settingResult(setting, error ?? null)
  })
}

const keyOf = (sku: string, location: string | null | undefined) => `${location ?? ''} ${sku}`

async function setSources(shop: MagentoShop, items: readonly SkuLevel[]): Promise<Map<string, string>> {
  const defaultSource = shop.settings.source_code ?? 'default'
  const skus = items.map(({ sku }) => sku)
  const known = looked.take(shop, skus)
  const levels = known ? [...known.levels] : [...(await searchAny(shop, path, { field: 'sku', values: skus }))]
  const reserved =
    shop.settings.levels_count === 'on_hand' ? [] : ((known ? known.reserved : await reservedOf(shop, levels)) ?? [])
  const wanted = items
    .map(({ location, ...item }) => ({ ...item, source: location ?? defaultSource }))
    .toSorted((a, b) => placeOf(reserved, a) - placeOf(reserved, b))
  const sourceItems: Fields[] = []
  for (const { sku, source, quantity: salable } of wanted) {
    const at = levels.findIndex((row) => row['sku'] === sku && row['source_code'] === source)
    const old = levels[at]
    // What is reserved for orders lies there as well.
    const quantity = exactQuantity(salable + reaching(reserved, { sku, source, levels }))
    // Nothing left does not mean that nothing may be sold: that is for the merchant to say.
    const status = quantity > 0 ? 1 : (old?.['status'] ?? 0)
    if (old && old['quantity'] === quantity && old['status'] === status) continue
    const item = { sku, source_code: source, quantity, status }
    levels.splice(at < 0 ? levels.length : at, 1, item)
    sourceItems.push(item)
  }
  const errors = new Map<string, string>()
  for (const some of chunks(sourceItems, maxPageSize)) {
    await sendLevels(shop, some, (item, reason) => {
      const meant = items.filter(
        ({ sku, location }) => sku === item['sku'] && (location ?? defaultSource) === item['source_code'],
      )
      for (const { sku, location } of meant) errors.set(keyOf(sku, location), reason)
    })
  }
  return errors
}

/** One that the platform does not take spoils all that came with it, so then each is sent by itself. */
async function sendLevels(
  shop: MagentoShop,
  sourceItems: readonly Fields[],
  onRefusal: (item: Fields, reason: string) => void,
): Promise<void> {
  const request = { method: 'POST', path: pathOf(shop, path), body: { sourceItems }, repeatable: true } as const
  const answer = await shop.remote.request(request)
  if (answer.status < 300) return
  const [first] = sourceItems
  if (sourceItems.length === 1 && first) return onRefusal(first, reasonIn(answer.body))
  for (const item of sourceItems) await sendLevels(shop, [item], onRefusal)
}
