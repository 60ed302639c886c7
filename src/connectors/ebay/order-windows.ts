import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, timeIn } from '../../commerce/reading.ts'

/**
 * eBay lists what changed within a time, both ends included, to the millisecond; it says how many that are, but not in
 * which order they come, and knows pages only by offset, where whatever changes meanwhile moves others along. So no page
 * is ever turned: each one is a time that holds no more than fit on it, right behind the one before. How long such a
 * time is, is guessed from how many there were in the last.
 */
export interface Windows {
  /** How many to a page. */
  size: number
  /** The orders that changed from then on, or until then; both in milliseconds. Null is what eBay takes for recent. */
  ask(from: number | null, to: number | null, offset: number): Promise<Answered>
}

export interface Answered {
  rows: readonly Fields[]
  total: number
  /** What time it is there. */
  now: number
}

interface Place {
  from: number
  /** How long the next time is. */
  width: number
  /** How many are left at least; zero where nobody has counted. */
  left: number
}

/** eBay shows nothing that is older than two years, and wants not to be asked for it. A day less: clocks differ. */
export const horizonDays = 2 * 365 - 1
const oldest = horizonDays * 86_400_000

/** So many times without a single order are looked at for one page. */
const maxAttempts = 12

export async function listWindows(
  windows: Windows,
  { updatedSince, cursor }: Pick<ReadQuery, 'updatedSince' | 'cursor'>,
): Promise<RawPage> {
  const place = cursor === null ? null : read(cursor)
  if (place) return await pageFrom(windows, place)
  const since = updatedSince === null ? null : Date.parse(updatedSince)
  const first = await windows.ask(since, null, 0)
  const begin = Math.max(since ?? 0, first.now - oldest)
  const answered = begin === since ? first : await windows.ask(begin, null, 0)
  if (answered.total <= windows.size) return { items: sorted(answered.rows), next: null, total: answered.total }
  const page = await pageFrom(windows, counted(windows, begin, answered))
  return { ...page, total: answered.total }
}

async function pageFrom(windows: Windows, start: Place): Promise<RawPage> {
  const { size, ask } = windows
  let place = start
  for (let tries = 0; tries < maxAttempts; tries++) {
    if (place.left <= size) {
      const rest = await ask(place.from, null, 0)
      if (rest.total <= size) return { items: sorted(rest.rows), next: null, total: null }
      place = counted(windows, place.from, rest, place.width)
    }
    const { from, width, left } = place
    const to = from + width - 1
    const { rows, total } = await ask(from, to, 0)
    if (total > size && width > 1) {
      place = { ...place, width: Math.max(1, Math.floor(width * Math.min(0.5, (size * 0.8) / total))) }
      tries--
      continue
    }
    const items = total > size ? await allOf(windows, from, total) : rows
    const next = {
      from: to + 1,
      width: Math.ceil(width * Math.min(4, Math.max(0.5, (size * 0.7) / Math.max(1, total)))),
      // None at all: it is counted anew, for what was left may have gone.
      left: total === 0 ? 0 : Math.max(0, left - total),
    }
    if (items.length > 0) return { items: sorted(items), next: write(next), total: null }
    place = next
  }
  return { items: [], next: write(place), total: null }
}

/** The first guess: as if they had come evenly until the last one that was reported. */
function counted({ size }: Windows, from: number, { rows, total }: Answered, known = 0): Place {
  const last = Math.max(from, ...rows.map(changedAt))
  const even = Math.ceil(((last - from + 1) * size * 0.7) / total)
  return { from, width: Math.max(1, known, even), left: total }
}

/** More in a single millisecond than fit on a page cannot be distinguished by time. */
async function allOf({ ask }: Windows, at: number, total: number): Promise<Fields[]> {
  const found = new Map<unknown, Fields>()
  for (let offset = 0; offset < total; ) {
    const { rows } = await ask(at, at, offset)
    if (rows.length === 0) break
    for (const row of rows) found.set(row['orderId'], row)
    offset += rows.length
  }
  return [...found.values()]
}

const changedAt = (row: Fields): number => Date.parse(timeIn(row, 'lastModifiedDate'))

const sorted = (rows: readonly Fields[]): Fields[] => [...rows].sort((a, b) => changedAt(a) - changedAt(b))

const write = ({ from, width, left }: Place): string => `${from}|${width}|${left}`

/** Cursors come back from callers, who may have written anything into them. */
function read(cursor: string): Place | null {
  const match = /^(\d{1,14})\|(\d{1,14})\|(\d{1,9})$/.exec(cursor)
  return match ? { from: Number(match[1]), width: Math.max(1, Number(match[2])), left: Number(match[3]) } : null
}
