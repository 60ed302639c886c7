import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type LevelName, skusIn } from '../../commerce/inventory.ts'
import { type Fields, fieldsIn, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { askPage } from './ask.ts'
import type { BigShop, Credentials, Settings } from './settings.ts'
import { setLevels } from './stock/set-levels.ts'
import { toInventoryLevel } from './translate-product.ts'

const maxLevels = 1000

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  levelsOf,
  levelsNow,
  translate: toInventoryLevel,
  set: { repeatable: true, send: setLevels },
}

/** Place by place. The platform does not say when a level changed: all of them are reported each time. */
async function listLevels(shop: BigShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const { place, page } = cursor === null ? { place: await placeAfter(shop, 0), page: 1 } : standingOf(cursor)
  if (place === null) return { items: [], next: null, total: null }
  const query = { page, limit: Math.min(limit, maxLevels) }
  const { rows, more } = await askPage(shop, `/v3/inventory/locations/${place}/items`, query)
  const following = more ? place : await placeAfter(shop, place)
  return {
    items: rows.filter(isNumbered).map((row) => ({ ...row, location_id: place })),
    next: following === null ? null : `${following}:${more ? page + 1 : 1}`,
    total: null,
  }
}

/** Messages name a variant, or a product as a whole: `product:77`. */
export const ofProduct = (id: string): string => `product:${id}`

async function levelsOf(shop: BigShop, remoteId: string): Promise<readonly Fields[]> {
  const [, product, id] = /^(product:)?(\d{1,15})$/.exec(remoteId) ?? []
  if (!id) return []
  const all: Fields[] = []
  for (let page = 1; ; page++) {
    const query = { [product ? 'product_id:in' : 'variant_id:in']: id, page, limit: maxLevels }
    const { rows, more } = await askPage(shop, '/v3/inventory/items', query)
    all.push(...rows.filter(isNumbered).flatMap(placesOf))
    if (!more) return all
  }
}

const skusAtOnce = 50

async function levelsNow(shop: BigShop, names: readonly LevelName[]): Promise<readonly Fields[]> {
  const all: Fields[] = []
  // Commas stand between them: those that have one themselves wait for the next read.
  for (const some of chunks(
    skusIn(names).filter((sku) => !sku.includes(',')),
    skusAtOnce,
  )) {
    const { rows } = await askPage(shop, '/v3/inventory/items', { 'sku:in': some.join(','), limit: maxLevels })
    all.push(...rows.filter(isNumbered).flatMap(placesOf))
  }
  return all
}

const placesOf = ({ identity, locations }: Fields): readonly Fields[] =>
  recordsIn({ locations: locations ?? [] }, 'locations').map((place) => ({ identity, ...place }))

/** What has no number of its own cannot be distinguished from others. */
const isNumbered = (row: Fields): boolean => maybeText(fieldsIn(row, 'identity'), 'sku') !== null

function standingOf(cursor: string): { place: number; page: number } {
  const [, place, page] = /^(\d{1,15}):(\d{1,9})$/.exec(cursor) ?? []
  if (!place || !page) throw refused(say('invalid_cursor'))
  return { place: Number(place), page: Number(page) }
}

/** The next one by number; null after the last. */
async function placeAfter(shop: BigShop, before: number): Promise<number | null> {
  const { rows } = await askPage(shop, '/v3/inventory/locations', { limit: maxLevels })
  const ids = rows.map((row) => numberIn(row, 'id')).filter((id) => id > before)
  return ids.length === 0 ? null : Math.min(...ids)
}
