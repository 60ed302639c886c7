import { momentOf, second, toSecond } from '../../clock.ts'
import type { Answer, Call } from '../../http/call.ts'
import { answer } from '../../world.ts'
import { zone } from './views.ts'

export const no = (status: number, code: string, message: string): Answer =>
  answer(status, { code, message, data: { status } })

export const notFound = (what: string) => no(404, `woocommerce_rest_${what}_invalid_id`, 'Invalid ID.')
export const invalid = (name: string, why = `Invalid parameter(s): ${name}`) => no(400, 'rest_invalid_param', why)

export interface PageAsked {
  page: number
  perPage: number
}

/** Null if it is out of bounds: this platform refuses then, it does not trim. */
export function pageIn({ query }: Call): PageAsked | null {
  const page = Number(query.get('page') ?? 1)
  const perPage = Number(query.get('per_page') ?? 10)
  const fine = Number.isInteger(page) && page >= 1 && Number.isInteger(perPage) && perPage >= 1 && perPage <= 100
  return fine ? { page, perPage } : null
}

/** A list with its totals in the headers, and only the fields asked for. */
export function pageOf(call: Call, { page, perPage }: PageAsked, total: number, rows: readonly object[]): Answer {
  const pages = Math.ceil(total / perPage)
  const link = (number: number, rel: string) => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(number))
    return `<http://${call.header('host')}${call.path}?${query}>; rel="${rel}"`
  }
  const links = [...(page > 1 ? [link(page - 1, 'prev')] : []), ...(page < pages ? [link(page + 1, 'next')] : [])]
  const wanted = call.query.get('_fields')?.split(',')
  const shown = wanted
    ? rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => wanted.includes(name))))
    : rows
  return answer(200, shown, {
    'x-wp-total': String(total),
    'x-wp-totalpages': String(pages),
    ...(links.length > 0 ? { link: links.join(', ') } : {}),
  })
}

/**
 * The span of `<name>_after` and `<name>_before`. Both are strict and compare whole seconds; a time without zone is the
 * site's own unless the call says that its times are Greenwich's. A word for a time that is none.
 */
export function spanIn(
  { query }: Call,
  afterName: string,
  beforeName: string,
): { from: number | null; before: number | null } | string {
  const shift = query.get('dates_are_gmt') === 'true' ? 0 : zone
  const read = (name: string) => {
    const text = query.get(name)
    if (text === null) return null
    const at = momentOf(text)
    return at === null ? name : /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? at : at - shift
  }
  const after = read(afterName)
  const before = read(beforeName)
  if (typeof after === 'string') return after
  if (typeof before === 'string') return before
  return { from: after === null ? null : toSecond(after) + second, before: before === null ? null : toSecond(before) }
}
