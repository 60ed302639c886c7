import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryLevel,
  type InventoryResult,
  type InventorySetting,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import {
  type Fields,
  fieldsIn,
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
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { ask, change } from './ask.ts'
import { pageOf, type ServerPage } from './pages.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'

const set: Inventory<Settings, Credentials>['set'] = { repeatable: true, send: setLevels }
export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  levelsNow: async (shop, names) => (await variantsBySku(shop, skusIn(names))).flatMap(levelsIn),
  translate: toLevel,
  set,
}

const levelsQuery = `query Levels($options: ProductVariantListOptions) {
  productVariants(options: $options) {
    totalItems
    items {
      id sku createdAt currencyCode price prices { currencyCode price } product { id }
      stockLevels { id stockLocationId stockOnHand stockAllocated updatedAt }
    }
  }
}`

const variants = { query: levelsQuery, name: 'productVariants' }

/** By article: the server cannot be asked for levels that have changed, so all are looked at. */
export async function listLevels(shop: VendureShop, query: ReadQuery): Promise<RawPage> {
  const from = query.updatedSince === null ? '' : timeOf(query.updatedSince)
  const { items, next } = await pageOf(shop, variants, query)
  const levels = items.flatMap(levelsIn).filter(({ level }) => timeIn(level, 'updatedAt') >= from)
  return { items: levels, next, total: null }
}

const levelsIn = ({ stockLevels, ...variant }: Fields): { variant: Fields; level: Fields }[] =>
  maybeText(variant, 'sku') === null
    ? []
    : recordsIn({ stockLevels }, 'stockLevels').map((level) => ({ variant, level }))

export function toLevel(raw: unknown): InventoryLevel {
  const { variant, level } = fieldsOf(raw)
  const [article, place] = [fieldsOf(variant), fieldsOf(level)]
  const onHand = numberIn(place, 'stockOnHand')
  const reserved = numberIn(place, 'stockAllocated')
  return {
    sku: textIn(article, 'sku'),
    variant_remote_id: idIn(article, 'id'),
    location_remote_id: idIn(place, 'stockLocationId'),
    available: onHand - reserved,
    on_hand: onHand,
    reserved,
    updated_at: timeIn(place, 'updatedAt'),
  }
}

const skusAtOnce = 100

/** Names are compared again: to some databases, upper and lower case are the same. */
export const variantsBySku = (shop: VendureShop, skus: readonly string[]): Promise<readonly Fields[]> =>
  variantsBy(shop, 'sku', skus)

export async function variantsBy(
  shop: VendureShop,
  field: 'id' | 'sku',
  values: readonly string[],
): Promise<readonly Fields[]> {
  const found: Fields[] = []
  for (const some of chunks(values, skusAtOnce)) {
    const list = { ...variants, filter: { [field]: { in: some } } }
    for (let cursor: string | null = null; ; ) {
      const page: ServerPage = await pageOf(shop, list, { cursor, limit: 100 })
      found.push(...page.items.filter((row) => some.some((one) => one === row[field])))
      cursor = page.next
      if (cursor === null) break
    }
  }
  return found
}

const placesQuery = 'query Places { stockLocations(options: { take: 100 }) { items { id name } } }'

const placesOf = async (shop: VendureShop): Promise<readonly string[]> =>
  recordsIn(fieldsIn(await ask(shop, placesQuery), 'stockLocations'), 'items').map((place) => idIn(place, 'id'))

/** What is to be available: what orders have taken already is still on the shelf. */
export async function levelInput(
  shop: VendureShop,
  variant: Fields | null,
  { quantity, location }: { quantity: number; location?: string },
): Promise<{ stockLocationId: string; stockOnHand: number }> {
  const place = location ?? (await placesOf(shop))[0]
  if (place === undefined) throw refused(say('no_locations'))
  const levels = variant ? recordsIn(variant, 'stockLevels') : []
  const level = levels.find((one) => idIn(one, 'stockLocationId') === place)
  return { stockLocationId: place, stockOnHand: quantity + (level ? numberIn(level, 'stockAllocated') : 0) }
}

const setMutation = `mutation Stock($input: [UpdateProductVariantInput!]!) {
  updateProductVariants(input: $input) { id }
}`

export async function setLevels(
  shop: VendureShop,
  items: readonly InventorySetting[],
): Promise<readonly InventoryResult[]> {
  const places = await placesOf(shop)
  const known = [
    ...(await variantsBySku(shop, skusIn(items))),
    ...(await variantsBy(shop, 'id', bareIdsIn(items))),
  ].map((row) => ({ sku: maybeText(row, 'sku'), variantId: idIn(row, 'id'), row }))
  const inputs = new Map<string, Fields[]>()
  const results: InventoryResult[] = []
  for (const setting of items) {
    const article = articleFor(setting, known)
    const place = places.find((one) => one === (setting.location ?? places[0]))
    const error = place === undefined ? 'The shop has no such location.' : typeof article === 'string' ? article : null
    results.push(settingResult(setting, error))
    if (typeof article === 'string' || place === undefined) continue
    const level = await levelInput(shop, article.row, { quantity: setting.quantity, location: place })
    inputs.set(article.variantId, [...(inputs.get(article.variantId) ?? []), level])
  }
  const wanted = [...inputs].map(([id, stockLevels]) => ({ id, stockLevels }))
  for (const input of chunks(wanted, skusAtOnce)) {
    await change(shop, 'updateProductVariants', setMutation, { input })
  }
  return results
}
