import type { ShopReads } from '../kind.ts'
import { addTo, emptyTally, later, type Tally } from '../sync.ts'
import type { Work } from '../work.ts'
import { type FetchedPage, isPlainRefusal } from './fetch-page.ts'
import type { Pages } from './pages.ts'
import { type ReadRecords, readRecords } from './read-records.ts'

/** Pages that are stored together. */
export interface Gathered extends ReadRecords {
  /** Records that are in the shop although they were not read in full. */
  seen: string[]
  stale: string[]
  next: string | null
  total: number | null
  count: Tally
  /** Whether the count says what was missing, or storing it has to. */
  compares: boolean
  newest: string | null
  /** As of the page. */
  isPart: boolean
  /** Why there are not more: reported after these have been stored. */
  failure: { error: unknown } | null
}

/** Whoever stores sets it when he has nothing to do. */
export interface Storing {
  idle: boolean
}

/** Twice as many and one page are in memory at most: these, and those that are being stored. */
const maxGathered = 500

/** What is stored by fewer costs more transactions than it spares memory. */
const minGathered = 100

let reading = 0

/** All that are read at once in a process gather together what one would by itself: shops in plenty take no memory without end. */
const mostGathered = () => Math.max(minGathered, Math.floor(maxGathered / Math.max(1, reading)))

/** For as long as somebody reads. */
export async function whileReading<T>(read: () => Promise<T>): Promise<T> {
  reading++
  try {
    return await read()
  } finally {
    reading--
  }
}

/**
 * Takes and translates pages while others are stored: as many as come in that time, up to a limit. So small pages do not
 * cost a transaction each, and a slow shop keeps nobody waiting.
 */
export async function gatherPages(
  pages: Pages,
  { work, reads, storing }: { work: Work; reads: ShopReads; storing: Storing },
): Promise<Gathered> {
  const gathered = begin()
  await add(gathered, await pages.take(), reads, work)
  while (pages.coming && !gathered.isPart && gathered.count.read < mostGathered() && !storing.idle) {
    try {
      await add(gathered, await pages.take(), reads, work)
    } catch (error) {
      return { ...gathered, failure: { error } }
    }
  }
  return gathered
}

const begin = (): Gathered => ({
  records: [],
  quarantined: [],
  seen: [],
  stale: [],
  next: null,
  total: null,
  count: emptyTally,
  compares: false,
  newest: null,
  isPart: false,
  failure: null,
})

async function add(gathered: Gathered, page: FetchedPage, reads: ShopReads, { open }: Work): Promise<void> {
  const { records, quarantined } = await readRecords(reads, page.raws, open.shop)
  gathered.records.push(...records)
  gathered.quarantined.push(...quarantined)
  gathered.seen.push(...page.seen)
  gathered.stale.push(...(page.stale ?? []))
  gathered.next = page.next
  gathered.isPart = page.isPart ?? false
  gathered.total = page.total ?? gathered.total
  gathered.count = addTo(gathered.count, page.count)
  gathered.compares ||= page.count.missing !== undefined
  for (const { updatedAt } of records) gathered.newest = later(gathered.newest, updatedAt)
}

/** A cursor of the shop may have died while nobody worked: then everything is read again, and nothing written twice. */
export async function fetchFirst(
  read: (next: string | null) => Promise<FetchedPage>,
  next: string | null,
): Promise<FetchedPage> {
  try {
    return await read(next)
  } catch (error) {
    if (next === null || !isPlainRefusal(error)) throw error
    return await read(null)
  }
}
