import { type Moment, minute, momentOf } from '../../clock.ts'
import { type Answer, answer } from '../../http/route.ts'
import { type Fields, fieldsOf, parseJson } from '../../json.ts'
import type { World } from '../../world.ts'

export const currency = 'EUR'
export const pageSize = 50

const types: Readonly<Record<number, string | undefined>> = {
  ...{ 401: 'AUTHORIZATION_ERROR', 402: 'WEBSITE_EXPIRED', 403: 'AUTHORIZATION_ERROR', 405: 'METHOD_NOT_ALLOWED' },
  ...{
    409: 'CONFLICT',
    429: 'TOO_MANY_REQUESTS',
    500: 'SERVER_ERROR',
    502: 'SERVER_ERROR',
    503: 'SERVICE_UNAVAILABLE',
  },
}

/** Every refusal has all of these fields, whatever they are worth. */
export const problem = (status: number, message: string, subtype: string | null = null) => ({
  ...{ type: types[status] ?? 'INVALID_REQUEST_ERROR', subtype, message, details: null, contextId: 'SIMULATOR' },
})

export const no = (status: number, message: string, subtype: string | null = null): Answer =>
  answer(status, problem(status, message, subtype))

export const notFound = () => no(404, 'The requested resource was not found.')

const perMinute = 300

/** So many in a minute; who asks for more is told to wait, and not for how long. */
export function createLimit({ clock, weather }: World) {
  let endsAt = 0
  let used = 0
  return async (run: () => Answer | Promise<Answer>): Promise<Answer> => {
    const now = clock.now()
    if (now >= endsAt) [endsAt, used] = [now + minute, 0]
    if (used >= perMinute * weather.now().limit_scale) return no(429, 'Too many requests. Wait a minute.')
    used++
    return await run()
  }
}

/** 2016-12-23T15:58:07.187Z */
export const inMilliseconds = (moment: Moment): string => new Date(Math.floor(moment / 1000)).toISOString()

const millisecond = 1000

interface Asked {
  filters: Fields
  after: { at: Moment; index: number } | null
}

/** What a list is asked for: a cursor holds everything that was said on the first page, and nothing may stand beside it. */
export function askedIn(query: URLSearchParams, names: readonly string[]): Asked | string {
  const cursor = query.get('cursor')
  const told = names.filter((name) => query.has(name))
  if (cursor === null) return { filters: Object.fromEntries(told.map((name) => [name, query.get(name)])), after: null }
  if (told.length > 0) return 'A cursor cannot be used with other parameters.'
  const held = fieldsOf(parseJson(Buffer.from(cursor, 'base64url').toString()))
  const { at, index } = fieldsOf(held['after'])
  if (typeof at !== 'number' || typeof index !== 'number') return 'The cursor is invalid.'
  return { filters: fieldsOf(held['filters']), after: { at, index } }
}

/** Modified after the one time and before the other: both, or none of them. */
export function spanIn({ modifiedAfter, modifiedBefore }: Fields): { from?: Moment; before?: Moment } | string {
  if (modifiedAfter == null && modifiedBefore == null) return {}
  if (modifiedAfter == null || modifiedBefore == null) return 'modifiedAfter and modifiedBefore are required together.'
  const [after, before] = [modifiedAfter, modifiedBefore].map((text) => momentOf(String(text)))
  if (after == null || before == null) return 'A time is not ISO 8601.'
  if (before <= after) return 'modifiedBefore must be later than modifiedAfter.'
  return { from: after - (after % millisecond) + millisecond, before }
}

/** Where the next page begins, if there is one. */
export function pagination(path: string, filters: Fields, last: { at: Moment; index: number } | null) {
  if (last === null) return { hasNextPage: false, nextPageCursor: null, nextPageUrl: null }
  const cursor = Buffer.from(JSON.stringify({ filters, after: last })).toString('base64url')
  return { hasNextPage: true, nextPageCursor: cursor, nextPageUrl: `${path}?cursor=${cursor}` }
}
