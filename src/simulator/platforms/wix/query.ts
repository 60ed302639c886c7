import { type Moment, momentOf } from '../../clock.ts'
import type { Answer } from '../../http/route.ts'
import { type Fields, fieldsOf, isFields, listOf, parseJson, rowsOf, textOf, wholeOf } from '../../json.ts'
import { invalid } from './reply.ts'

/** What a list is asked for. A cursor says all of it, and nothing else may be said beside it. */
export interface Question {
  from: Moment | null
  /** Values of fields that have to be one of these. */
  among: Readonly<Record<string, readonly string[]>>
  sorted: boolean
  limit: number
  /** Where the page before has ended, in whatever form its list has. */
  after: Fields | null
}

export interface Rules {
  /** The most that a page may hold. */
  most: number
  /** Fields by which `$in` may ask. */
  among: readonly string[]
}

/** As `query` or `search` of a call has it; or what is wrong with that. */
export function questionIn(value: unknown, { most, among: known }: Rules): Question | Answer {
  const { filter, sort, cursorPaging } = fieldsOf(value)
  const { limit: wanted, cursor } = fieldsOf(cursorPaging)
  const limit = wanted === undefined ? most : (wholeOf(wanted) ?? 0)
  if (limit < 1 || limit > most) return invalid(`limit must be between 1 and ${most}`)
  if (textOf(cursor) !== null) {
    if (filter !== undefined || sort !== undefined) return invalid('cursor can not be used with filter or sort')
    const place = parseJson(Buffer.from(String(cursor), 'base64url').toString())
    return isFields(place) ? { ...(place as unknown as Question), limit } : invalid('Invalid cursor')
  }
  let from: Moment | null = null
  const among: Record<string, readonly string[]> = {}
  for (const [name, condition] of Object.entries(fieldsOf(filter))) {
    const { $gte, $in } = fieldsOf(condition)
    if (name === 'updatedDate') from = momentOf(String($gte))
    else if (known.includes(name) && Array.isArray($in)) among[name] = listOf($in).map(String)
    else return invalid(`filter by ${name} is not supported`)
    if (name === 'updatedDate' && from === null) return invalid('updatedDate is no date')
  }
  const [order] = rowsOf(sort)
  if (order && (order['fieldName'] !== 'updatedDate' || order['order'] !== 'ASC'))
    return invalid('sort is not supported')
  return { from, among, sorted: order !== undefined, limit, after: null }
}

export const cursorOf = (question: Question, after: Fields): string =>
  Buffer.from(JSON.stringify({ ...question, after })).toString('base64url')

/** How a page ends: with where the next one begins, if there is one. */
export const endOf = (count: number, next: string | null) => ({
  ...{ count, hasNext: next !== null },
  cursors: next === null ? {} : { next },
})

/** Rows of a list that is short enough to be looked through, by a text that sorts them. */
export function pageOf<T>(rows: readonly (readonly [key: string, row: T])[], question: Question) {
  const after = textOf(question.after?.['key'])
  const left = rows.filter(([key]) => after === null || key > after)
  const some = left.slice(0, question.limit)
  const last = some.at(-1)
  const next = left.length > some.length && last ? cursorOf(question, { key: last[0] }) : null
  return { rows: some.map(([, row]) => row), end: endOf(some.length, next) }
}
