import type { RawPage, ReadQuery } from '../connector/reads.ts'
import { type Fields, fieldsOf } from '../reading.ts'

/**
 * Lists by page number lose a record whenever one that was read already moves to the end. So every page is a first page:
 * of what changed at or after the last second of the page before, less those of that second that were read already. Only
 * where a single second has more than a page is it read by page, alone, and anew if anything leaves it meanwhile.
 *
 * For platforms that filter and sort by the time of the last change, to the second.
 */
export interface TimedList {
  /** How many to a page. */
  size: number
  /** Oldest change first, those of the same second always in the same order. */
  ask(span: Span): Promise<{ rows: readonly Fields[]; total: number | null }>
  /** When it changed, in our form. */
  timeOf(row: Fields): string
  idOf(row: Fields): string
}

export interface Span {
  /** `2026-11-15T08:00:00`, in Greenwich: changed in this second or later. Null is from the beginning. */
  from: string | null
  /** Changed before this second. */
  until: string | null
  /** From 1. Other than 1 only where the span is a single second. */
  page: number
  /** The last id of the page before, for platforms that can ask for those behind it; then the page does not matter. */
  after: string | null
}

type Place =
  | { kind: 'from'; second: string | null; seen: readonly string[] }
  | { kind: 'within'; second: string; page: number; total: number | null; after: string | null }

export async function listByTime(
  { size, ask, timeOf, idOf }: TimedList,
  { updatedSince, cursor }: Pick<ReadQuery, 'updatedSince' | 'cursor'>,
): Promise<RawPage> {
  const secondOf = (row: Fields) => timeOf(row).slice(0, 19)
  const within = async (place: Extract<Place, { kind: 'within' }>): Promise<RawPage> => {
    const { second, page, after } = place
    const { rows, total } = await ask({ from: second, until: secondsFrom(second, 1), page, after })
    // Something has left, so that others have moved to pages that were read before.
    if (place.total !== null && total !== place.total && page > 1) return await within(firstOf(second))
    const last = rows.at(-1)
    const more = total === null ? rows.length >= size : page * size < total
    const rest: Place =
      more && last
        ? { kind: 'within', second, page: page + 1, total, after: idOf(last) }
        : { kind: 'from', second: secondsFrom(second, 1), seen: [] }
    return { items: rows, next: write(rest), total: null }
  }

  const place = cursor === null ? firstPlace(updatedSince) : read(cursor)
  if (place.kind === 'within') return await within(place)
  const { second, seen } = place
  const { rows, total } = await ask({ from: second, until: null, page: 1, after: null })
  const items = rows.filter((row) => !seen.includes(idOf(row)))
  const reportedTotal = cursor === null ? total : null
  const first = rows[0]
  const last = rows.at(-1)
  if (rows.length < size || !first || !last) return { items, next: null, total: reportedTotal }
  const end = secondOf(last)
  if (secondOf(first) === end) {
    const page = await within(firstOf(end))
    return { ...page, items: page.items.filter((row) => !seen.includes(idOf(fieldsOf(row)))), total: reportedTotal }
  }
  const ids = rows.filter((row) => secondOf(row) === end).map(idOf)
  return { items, next: write({ kind: 'from', second: end, seen: ids }), total: reportedTotal }
}

const firstOf = (second: string) => ({ kind: 'within', second, page: 1, total: null, after: null }) as const

/** Not every platform has times before there was Unix. */
const theBeginning = '1970-01-02'

const firstPlace = (since: string | null): Place => ({
  kind: 'from',
  second: since === null || since < theBeginning ? null : new Date(since).toISOString().slice(0, 19),
  seen: [],
})

export const secondsFrom = (second: string, seconds: number): string =>
  new Date(Date.parse(`${second}Z`) + seconds * 1000).toISOString().slice(0, 19)

const write = (place: Place): string =>
  place.kind === 'within'
    ? ['w', place.second, place.page, place.total ?? '', place.after ?? ''].join('|')
    : ['f', place.second ?? '', place.seen.join(',')].join('|')

/** Cursors come back from callers, who may have written anything into them. */
function read(cursor: string): Place {
  const [kind, second = '', third = '', fourth = '', fifth = ''] = cursor.split('|')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(second)) return firstPlace(null)
  if (kind !== 'w') return { kind: 'from', second, seen: third === '' ? [] : third.split(',') }
  return {
    kind: 'within',
    second,
    page: Number.parseInt(third, 10) || 1,
    total: fourth === '' ? null : Number.parseInt(fourth, 10) || 0,
    after: fifth === '' ? null : fifth,
  }
}
