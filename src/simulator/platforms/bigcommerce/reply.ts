import { momentOf, type Span, second, toSecond } from '../../clock.ts'
import { type Answer, answer, type Call } from '../../http/route.ts'
import type { World } from '../../world.ts'

const windowMs = 30_000
const perWindow = 150

/** So many requests in a window of 30 seconds, for all who ask this store; every answer tells how it stands. */
export function createLimit({ clock, weather }: World) {
  let endsAt = 0
  let used = 0
  return async (run: () => Answer | Promise<Answer>): Promise<Answer> => {
    const now = clock.now()
    if (now >= endsAt) [endsAt, used] = [now + (windowMs / 1000) * second, 0]
    const quota = Math.ceil(perWindow * weather.now().limit_scale)
    const made = used < quota ? await run() : problem(429, 'Too many requests')
    used = Math.min(quota, used + 1)
    const standing = {
      'x-rate-limit-time-window-ms': String(windowMs),
      'x-rate-limit-time-reset-ms': String(Math.ceil((endsAt - now) / 1000)),
      'x-rate-limit-requests-quota': String(quota),
      'x-rate-limit-requests-left': String(quota - used),
    }
    return { ...made, headers: { ...made.headers, ...standing } }
  }
}

const type = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'

/** A refusal of v3; v2 has lists of them. */
export const problem = (status: number, title: string): Answer =>
  answer(status, { status, title, type, errors: {} }, { 'content-type': 'application/problem+json' })
export const complaint = (status: number, message: string): Answer => answer(status, [{ status, message }])

export const missing = () => complaint(404, 'The requested resource was not found.')
export const gone = (what: string) => problem(404, `The ${what} was not found`)

export function pageIn({ query }: Call, max = 250): { page: number; limit: number; first: number } {
  const number = (name: string, usual: number) => Math.max(1, Math.floor(Number(query.get(name) ?? usual)) || usual)
  const [page, limit] = [number('page', 1), Math.min(max, number('limit', 50))]
  return { page, limit, first: (page - 1) * limit }
}

/** A list of v2: the rows themselves, and no body at all where there are none. */
export const listed = (rows: readonly object[]): Answer => (rows.length === 0 ? answer(204) : answer(200, rows))

/** A page of v3. */
export function pageOf<T>(call: Call, all: readonly T[], view: (row: T) => object, max?: number): Answer {
  const { page, limit, first } = pageIn(call, max)
  const data = all.slice(first, first + limit).map(view)
  const pages = Math.ceil(all.length / limit)
  const link = (number: number) => `?page=${number}&limit=${limit}`
  const links = { current: link(page), ...(page < pages ? { next: link(page + 1) } : {}) }
  const counts = { total: all.length, count: data.length, per_page: limit, current_page: page, total_pages: pages }
  return answer(200, { data, meta: { pagination: { ...counts, links } } })
}

export const dataOf = (data: object): Answer => answer(200, { data, meta: {} })

/** Both ends belong to it, and whole seconds are compared. Null for times that are none. */
export function spanIn({ query }: Call, min: string, max: string): Span | null {
  const [from, until] = [query.get(min), query.get(max)].map((text) => (text === null ? undefined : momentOf(text)))
  if (from === null || until === null) return null
  return { from: from && toSecond(from), before: until && toSecond(until) + second }
}
