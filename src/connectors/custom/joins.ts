import type { RawPage } from '../../commerce/connector/reads.ts'
import type { Place } from '../../commerce/definition/place.ts'
import { placeName } from '../../commerce/definition/place.ts'
import type { Join, Listing } from '../../commerce/definition/requests.ts'
import { valueIn } from '../../commerce/definition/value-in.ts'
import { bodyOrNull, isFields } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import { constants, pathWith, recordIn } from './ask.ts'

/** Pages of what belongs to a batch of records: a service that has more than this for them is asked in smaller batches. */
const maxPages = 100
const defaultBatch = 25

/** Whether something is asked for of each record by itself. */
export const withoutBatches = (joins: readonly Join[] | undefined): boolean =>
  (joins ?? []).some((join) => !asksForSeveral(join))

const asksForSeveral = ({ path, query = [] }: Join): boolean =>
  [path, ...query.map(({ value }) => value)].some((text) => text.includes('{keys}'))

/** How a page of any list is read. */
export type ReadPage = (listing: Listing, cursor: string | null) => Promise<RawPage>

/** Each record with what belongs to it, under the names that the definition gives. What is stored is this. */
export async function joined(
  shop: Shop,
  joins: readonly Join[] | undefined,
  records: readonly unknown[],
  readPage: ReadPage,
): Promise<readonly unknown[]> {
  let whole = records
  // One after the other: a later one may be asked for by what an earlier one brought.
  for (const join of joins ?? []) {
    const found = await foundFor(shop, join, await keysOf(join, whole), readPage)
    const next: unknown[] = []
    await inTurns(whole, (record) => {
      next.push(isFields(record) ? { ...record, [join.name]: belongingTo(join, record, found) } : record)
    })
    whole = next
  }
  return whole
}

type Found = ReadonlyMap<string, readonly unknown[]>

async function keysOf({ key }: Join, records: readonly unknown[]): Promise<string[]> {
  const keys = new Set<string>()
  await inTurns(records, (record) => {
    const own = keyIn(record, key)
    if (own !== null) keys.add(own)
  })
  return [...keys]
}

function keyIn(record: unknown, place: Place): string | null {
  const value = valueIn(record, place)
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw refused(say('no_key_at', { place: placeName(place) }))
}

function belongingTo({ key, many }: Join, record: unknown, found: Found): unknown {
  const own = keyIn(record, key)
  const all = (own === null ? undefined : found.get(own)) ?? []
  return many ? all : (all[0] ?? null)
}

async function foundFor(shop: Shop, join: Join, keys: readonly string[], readPage: ReadPage): Promise<Found> {
  const found = new Map<string, unknown[]>()
  if (!asksForSeveral(join)) {
    for (const key of keys) found.set(key, await asked(shop, join, { key }, readPage))
    return found
  }
  const size = join.batch ?? defaultBatch
  for (let first = 0; first < keys.length; first += size) {
    const batch = keys.slice(first, first + size)
    await inTurns(await asked(shop, join, { keys: batch.join(',') }, readPage), (record) => {
      const owner = keyIn(record, join.match ?? '')
      if (owner === null) return
      const known = found.get(owner)
      if (known) known.push(record)
      else found.set(owner, [record])
    })
  }
  return found
}

type Parts = { key: string } | { keys: string }

/** All of it, page by page where there are pages. */
async function asked(shop: Shop, join: Join, parts: Parts, readPage: ReadPage): Promise<unknown[]> {
  const path = pathWith(join.path, parts)
  const { paging, items } = join
  if (!paging) {
    const body = bodyOrNull(await shop.remote.request({ method: 'GET', path, ...constants(join, parts) }))
    const record = body === null ? null : recordIn(body, items)
    if (record === null || record === undefined) return []
    return Array.isArray(record) ? record : [record]
  }
  const { query = {}, headers = {} } = constants(join, parts)
  const named = (all: Record<string, string>) => Object.entries(all).map(([name, value]) => ({ name, value }))
  const listing = { path, paging, query: named(query), headers: named(headers), ...(items !== undefined && { items }) }
  const all: unknown[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages++) {
    const page: RawPage = await readPage(listing, cursor)
    all.push(...page.items)
    cursor = page.next
    if (cursor === null) return all
  }
  throw refused(say('batch_too_large', { name: join.name, pages: maxPages }))
}
