import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, numberIn, recordsIn } from '../../commerce/reading.ts'
import { chunks } from '../../lib/chunks.ts'
import { ask, askOne } from './ask.ts'
import { type EtsyShop, shopPath } from './settings.ts'

/** Listings are asked for by state, one at a time. */
const states = ['active', 'inactive', 'sold_out', 'draft', 'expired'] as const

export const maxListings = 100

interface Place {
  state: number
  offset: number
  /** How many there were in this state when it was asked last. */
  count: number | null
}

/** What comes along with listings where it is asked for. */
type Include = 'Inventory' | 'Images'

/**
 * One page of all listings, with stock, and pictures where these are wanted. They cannot be sorted, and pages are by offset: where some have left
 * the state meanwhile, those behind have moved up, and as many are read once more.
 */
export async function listListings(
  shop: EtsyShop,
  { cursor, limit }: Pick<ReadQuery, 'cursor' | 'limit'>,
  includes: readonly Include[],
): Promise<Omit<RawPage, 'items'> & { items: readonly Fields[] }> {
  const size = Math.min(limit, maxListings)
  const place = placeOf(cursor)
  const state = states[place.state]
  const page = async (offset: number) => {
    const query = { state, limit: size, offset, includes: includes.join(',') }
    const body = await ask(shop, { path: `${shopPath(shop)}/listings`, query })
    return { rows: recordsIn(body, 'results'), count: numberIn(body, 'count') }
  }
  const first = await page(place.offset)
  const gone = place.count === null ? 0 : Math.max(0, place.count - first.count)
  const offset = Math.max(0, place.offset - gone)
  const { rows, count } = offset === place.offset ? first : await page(offset)
  const read = offset + rows.length
  const isMore = rows.length > 0 && read < count
  const next = isMore ? { state: place.state, offset: read, count } : { state: place.state + 1, offset: 0, count: null }
  return { items: rows, next: next.state < states.length ? write(next) : null, total: null }
}

const inventories = '/v3/application/listings/batch/inventory'

/**
 * These listings as they are now, with their stock; those that are gone are left out. Etsy answers for all of them or for
 * none: where one is gone, each is asked for by itself.
 */
export async function readListings(shop: EtsyShop, ids: readonly string[]): Promise<readonly Fields[]> {
  const found: Fields[] = []
  for (const some of chunks(ids, maxListings)) {
    const body = await askOne(shop, inventories, { listing_ids: some.join(',') })
    if (body !== null) found.push(...recordsIn(body, 'results'))
    else if (some.length > 1) for (const id of some) found.push(...(await readListings(shop, [id])))
  }
  return found
}

const write = ({ state, offset, count }: Place): string => `${state}|${offset}|${count ?? ''}`

/** Cursors come back from callers, who may have written anything into them. */
function placeOf(cursor: string | null): Place {
  const match = /^([0-4])\|(\d{1,7})\|(\d{0,7})$/.exec(cursor ?? '')
  if (!match) return { state: 0, offset: 0, count: null }
  return { state: Number(match[1]), offset: Number(match[2]), count: match[3] === '' ? null : Number(match[3]) }
}
