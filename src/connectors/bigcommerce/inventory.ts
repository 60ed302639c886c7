import type { Inventory, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { fieldsIn, maybeText, numberIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { askPage } from './ask.ts'
import { setLevels } from './set-levels.ts'
import type { BigShop, Credentials, Settings } from './settings.ts'
import { toInventoryLevel } from './translate-product.ts'

const maxLevels = 1000

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
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
    items: rows
      // What has no number of its own cannot be distinguished from others.
      .filter((row) => maybeText(fieldsIn(row, 'identity'), 'sku') !== null)
      .map((row) => ({ ...row, location_id: place })),
    next: following === null ? null : `${following}:${more ? page + 1 : 1}`,
    total: null,
  }
}

function standingOf(cursor: string): { place: number; page: number } {
  const [, place, page] = /^(\d{1,15}):(\d{1,9})$/.exec(cursor) ?? []
  if (!place || !page) throw refused('Invalid cursor.')
  return { place: Number(place), page: Number(page) }
}

/** The next one by number; null after the last. */
async function placeAfter(shop: BigShop, before: number): Promise<number | null> {
  const { rows } = await askPage(shop, '/v3/inventory/locations', { limit: maxLevels })
  const ids = rows.map((row) => numberIn(row, 'id')).filter((id) => id > before)
  return ids.length === 0 ? null : Math.min(...ids)
}
