import { momentOf } from '../../clock.ts'
import type { Answer, Call } from '../../http/call.ts'
import { parseJson } from '../../json.ts'
import { answer } from '../../world.ts'

export const no = (status: number, code: string, message: string): Answer =>
  answer(status, { errors: [{ code, message }] })

export const notFound = () => no(404, 'NOT_FOUND', 'There is no such record.')
export const invalid = (message: string) => no(400, 'INVALID_REQUEST', message)

/** Where a list goes on. It carries the whole question, so that nothing else need be sent with it. */
export interface Continuation {
  from: number | null
  before: number | null
  statuses: readonly string[]
  limit: number
  after: { at: number; key: number | string } | null
}

export const tokenFor = (continuation: Continuation): string =>
  Buffer.from(JSON.stringify(continuation)).toString('base64url')

/** The question a list call asks, or a sentence about what is wrong with it. */
export function questionIn({ query }: Call, most: number): Continuation | string {
  const token = query.get('nextToken')
  if (token !== null) {
    const read = parseJson(Buffer.from(token, 'base64url').toString())
    return isContinuation(read) ? read : 'nextToken is not valid.'
  }
  const limit = Number(query.get('limit') ?? most)
  if (!Number.isInteger(limit) || limit < 1 || limit > most) return `limit is a whole number from 1 to ${most}.`
  const after = query.get('lastUpdatedAfter')
  const until = query.get('lastUpdatedBefore')
  const from = after === null ? null : momentOf(after)
  const before = until === null ? null : momentOf(until)
  if (after === null) return 'lastUpdatedAfter or nextToken is required.'
  if (from === null || (until !== null && before === null)) return 'Times are ISO 8601.'
  const statuses =
    query
      .get('statuses')
      ?.split(',')
      .map((word) => word.trim().toUpperCase()) ?? []
  return { from, before, statuses, limit, after: null }
}

function isContinuation(value: unknown): value is Continuation {
  return typeof value === 'object' && value !== null && 'limit' in value && 'after' in value && 'statuses' in value
}
