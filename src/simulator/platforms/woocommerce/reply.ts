import { momentOf, type Span, second, toSecond } from '../../clock.ts'
import { type Answer, answer, type Call, isAnswer } from '../../http/route.ts'
import { zone } from './site.ts'

export const no = (status: number, code: string, message: string, data: object = {}): Answer =>
  answer(status, { code, message, data: { status, ...data } })

export const noRoute = () => no(404, 'rest_no_route', 'No route was found matching the URL and request method.')
export const notFound = (what: string) => no(404, `woocommerce_rest_${what}_invalid_id`, 'Invalid ID.')
export const invalid = (name: string, why = `${name} is not allowed here.`) =>
  no(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, { params: { [name]: why } })
export const missing = (name: string) =>
  no(400, 'rest_missing_callback_param', `Missing parameter(s): ${name}`, { params: [name] })

export interface PageAsked {
  page: number
  perPage: number
  /** How many are skipped: told as such, or by the number of the page. */
  offset: number
}

/** What is out of bounds is refused, not trimmed. */
export function pageIn({ query }: Call): PageAsked | Answer {
  const page = Number(query.get('page') ?? 1)
  const perPage = Number(query.get('per_page') ?? 10)
  const offset = Number(query.get('offset') ?? (page - 1) * perPage)
  if (!Number.isInteger(page) || page < 1) return invalid('page')
  if (!Number.isInteger(perPage) || perPage < 1 || perPage > 100)
    return invalid('per_page', 'per_page must be between 1 (inclusive) and 100 (inclusive)')
  return Number.isInteger(offset) && offset >= 0 ? { page, perPage, offset } : invalid('offset')
}

export const listOf = <T>(rows: readonly T[], view: (row: T) => object): Answer => answer(200, rows.map(view))

/** A list with its totals in the headers, and only the fields asked for. */
export function pageOf(call: Call, { page, perPage }: PageAsked, total: number, rows: readonly object[]): Answer {
  const pages = Math.ceil(total / perPage)
  const link = (number: number, rel: string) => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(number))
    return `<${call.origin}${call.path}?${query}>; rel="${rel}"`
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

/** Rows that are all at hand. */
export function pageFrom<T>(call: Call, all: readonly T[], view: (row: T) => object): Answer {
  const page = pageIn(call)
  if (isAnswer(page)) return page
  return pageOf(call, page, all.length, all.slice(page.offset, page.offset + page.perPage).map(view))
}

/**
 * The span of `<name>_after` and `<name>_before`. Both are strict and compare whole seconds; a time without zone is the
 * site's own unless the call says that its times are Greenwich's.
 */
export function spanIn({ query }: Call, afterName: string, beforeName: string): Span | Answer {
  const shift = query.get('dates_are_gmt') === 'true' ? 0 : zone
  const read = (name: string) => {
    const text = query.get(name)
    if (text === null) return null
    const at = momentOf(text)
    return at === null ? Number.NaN : /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? at : at - shift
  }
  const after = read(afterName)
  const before = read(beforeName)
  if (Number.isNaN(after)) return invalid(afterName)
  if (Number.isNaN(before)) return invalid(beforeName)
  return { from: after === null ? null : toSecond(after) + second, before: before === null ? null : toSecond(before) }
}
