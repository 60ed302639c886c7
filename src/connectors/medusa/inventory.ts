import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryLevel,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import { onceForShop } from '../../commerce/once-for-shop.ts'
import {
  bodyOf,
  type Fields,
  fieldsOf,
  idIn,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
  timeOf,
} from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { chunks } from '../../lib/chunks.ts'
import { pageById } from './pages.ts'
import type { Credentials, MedusaShop, Settings } from './settings.ts'

const set: Inventory<Settings, Credentials>['set'] = { repeatable: true, send: setLevels }
export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  levelsNow: async (shop, names) => (await itemsBySku(shop, skusIn(names))).flatMap(({ item }) => levelsIn(item)),
  translate: toLevel,
  set,
}

const root = '/admin/inventory-items'

const variants = { path: '/admin/product-variants', name: 'variants', fields: 'id,sku' }

const items = {
  path: root,
  name: 'inventory_items',
  fields: 'id,sku,requires_shipping,*location_levels,variants.id',
}

/** By article: the server cannot be asked for levels that have changed, so all are looked at. */
export async function listLevels(shop: MedusaShop, query: ReadQuery): Promise<RawPage> {
  const since = query.updatedSince === null ? '' : timeOf(query.updatedSince)
  const page = await pageById(shop, items, query)
  const levels = page.items.flatMap(levelsIn).filter(({ level }) => timeIn(level, 'updated_at') >= since)
  return { items: levels, next: page.next, total: null }
}

const levelsIn = ({ location_levels: reported, ...item }: Fields): { item: Fields; level: Fields }[] =>
  maybeText(item, 'sku') === null
    ? []
    : recordsIn({ reported: reported ?? [] }, 'reported').map((level) => ({ item, level }))

export function toLevel(raw: unknown): InventoryLevel {
  const { item, level } = fieldsOf(raw)
  const [article, place] = [fieldsOf(item), fieldsOf(level)]
  const variants = recordsIn({ rows: article['variants'] ?? [] }, 'rows')
  const onHand = numberIn(place, 'stocked_quantity')
  const reserved = numberIn(place, 'reserved_quantity')
  return {
    sku: textIn(article, 'sku'),
    // Several variants may be sold from the same shelf.
    variant_remote_id: variants.length === 1 && variants[0] ? idIn(variants[0], 'id') : null,
    location_remote_id: textIn(place, 'location_id'),
    available: onHand - reserved,
    on_hand: onHand,
    reserved,
    updated_at: timeIn(place, 'updated_at'),
  }
}

const skusAtOnce = 50

interface Article extends NamedArticle {
  item: Fields
}

async function itemsBySku(shop: MedusaShop, skus: readonly string[]): Promise<readonly Article[]> {
  const found: Article[] = []
  for (const some of chunks(skus, skusAtOnce)) {
    const filter = { 'sku[]': some }
    const page = await pageById(shop, { ...items, filter }, { cursor: null, limit: skusAtOnce })
    found.push(...page.items.flatMap(articlesOf))
  }
  return found
}

/** An article on the shelf may be sold as several variants, or as none; it is one all the same. */
function articlesOf(item: Fields): Article[] {
  const sku = maybeText(item, 'sku')
  const [only, ...others] = recordsIn({ rows: item['variants'] ?? [] }, 'rows')
  return [{ sku, variantId: only && others.length === 0 ? idIn(only, 'id') : idIn(item, 'id'), item }]
}

/** Variants name the article that they are sold from; which one, where they are made of several, they do not. */
async function itemsByVariant(shop: MedusaShop, ids: readonly string[]): Promise<readonly Article[]> {
  const found: Article[] = []
  for (const some of chunks(ids, skusAtOnce)) {
    const list = { ...variants, filter: { 'id[]': some } }
    const { items: rows } = await pageById(shop, list, { cursor: null, limit: skusAtOnce })
    const skus = rows.flatMap((row) => maybeText(row, 'sku') ?? [])
    found.push(...(await itemsBySku(shop, skus)).filter(({ variantId }) => some.includes(variantId)))
  }
  return found
}

const placesOf = onceForShop(async ({ remote }: MedusaShop): Promise<readonly string[]> => {
  const query = { limit: 200, order: 'id' }
  const answer = await remote.request({ method: 'GET', path: '/admin/stock-locations', query })
  return recordsIn(fieldsOf(bodyOf(answer)), 'stock_locations').map((place) => idIn(place, 'id'))
})

interface Wanted {
  inventory_item_id: string
  location_id: string
  stocked_quantity: number
  /** Whether the article has been at that place before. */
  isNew: boolean
}

/** What is to be available: what orders have reserved is still on the shelf. */
function wantedLevel(item: Fields, place: string, quantity: number): Wanted {
  const levels = recordsIn({ rows: item['location_levels'] ?? [] }, 'rows')
  const level = levels.find((one) => one['location_id'] === place)
  const reserved = level ? numberIn(level, 'reserved_quantity') : 0
  return {
    inventory_item_id: idIn(item, 'id'),
    location_id: place,
    stocked_quantity: quantity + reserved,
    isNew: level === undefined,
  }
}

export async function setLevels(
  shop: MedusaShop,
  settings: readonly InventorySetting[],
): Promise<readonly InventoryResult[]> {
  const places = await placesOf(shop)
  const defaultLocation = shop.settings.location_id ?? places[0]
  const known = [...(await itemsBySku(shop, skusIn(settings))), ...(await itemsByVariant(shop, bareIdsIn(settings)))]
  const wanted = new Map<string, Wanted>()
  const results = settings.map((setting): InventoryResult => {
    const article = articleFor(setting, known)
    const place = places.find((one) => one === (setting.location ?? defaultLocation))
    if (!place) return settingResult(setting, 'The shop has no such location.')
    if (typeof article === 'string') return settingResult(setting, article)
    const level = wantedLevel(article.item, place, setting.quantity)
    wanted.set(`${level.inventory_item_id} ${place}`, level)
    return settingResult(setting, null)
  })
  await sendLevels(shop, [...wanted.values()])
  return results
}

const levelsAtOnce = 100

/** Many at once; servers before 2.5 have to be sent one by one. */
async function sendLevels(shop: MedusaShop, levels: readonly Wanted[]): Promise<void> {
  for (const some of chunks(levels, levelsAtOnce)) {
    const bare = (isNew: boolean) => some.filter((one) => one.isNew === isNew).map(({ isNew: _, ...level }) => level)
    const body = { create: bare(true), update: bare(false), delete: [] }
    const path = `${root}/location-levels/batch`
    const answer = await shop.remote.request({ method: 'POST', path, body, repeatable: true })
    if (answer.status === 404) for (const level of some) await sendLevel(shop, level)
    else bodyOf(answer)
  }
}

async function sendLevel(
  { remote }: MedusaShop,
  { inventory_item_id: id, location_id: place, stocked_quantity: quantity, isNew }: Wanted,
): Promise<void> {
  const levels = `${root}/${encodeURIComponent(id)}/location-levels`
  const request = isNew
    ? { path: levels, body: { location_id: place, stocked_quantity: quantity } }
    : { path: `${levels}/${encodeURIComponent(place)}`, body: { stocked_quantity: quantity } }
  bodyOf(await remote.request({ method: 'POST', repeatable: true, ...request }))
}

/** For an article that may have been made a moment ago. */
export async function setStock(shop: MedusaShop, sku: string, quantity: number): Promise<void> {
  const [result] = await setLevels(shop, [{ sku, quantity }])
  if (result?.error) throw refused(result.error)
}
