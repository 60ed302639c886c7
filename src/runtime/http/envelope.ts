import type { Changes, Page } from './endpoint.ts'
import type { ListQuery } from './input/list-query.ts'

/** `data`, `links` and `meta` of a list. Links keep the rest of the query, so that following `next` keeps the filter. */
export function pageEnvelope(rows: Page<unknown>, query: ListQuery, address: { base: string; search: string }) {
  const { page, perPage } = query
  const isExact = typeof rows.total === 'number'
  const total = typeof rows.total === 'number' ? rows.total : rows.total.atLeast
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const start = address.base + withoutPage(address.search)
  const link = (number: number) => start + number
  const count = rows.rows.length
  const from = count === 0 ? null : (page - 1) * perPage + 1
  return {
    data: rows.rows,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(page - 1) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      last_page: lastPage,
      per_page: perPage,
      to: from === null ? null : from + count - 1,
      total,
      // What the specification names stays as it is; this is there only where there are more than were counted.
      ...(!isExact && { total_exact: false }),
    },
  }
}

/** `next` is the address of the page that follows, whether or not there is anything on it yet. */
export function changesEnvelope(
  changes: Changes<unknown>,
  query: ListQuery,
  address: { base: string; search: string },
) {
  const parts = address.search.split('&').filter((part) => part !== '' && !isPosition(part))
  return {
    data: changes.rows,
    links: { next: `${address.base}?${[...parts, `updated_since=${changes.cursor}`].join('&')}` },
    meta: {
      per_page: query.perPage,
      next_cursor: changes.cursor,
      has_more: changes.more,
      as_of: changes.asOf,
    },
  }
}

const isPosition = (part: string) => /^(page|updated_since|filter(\[|%5b)updated_since(\]|%5d))=/i.test(part)

function withoutPage(search: string): string {
  if (search === '') return '?page='
  const kept = search.split('&').filter((part) => part !== '' && !part.startsWith('page='))
  return kept.length === 0 ? '?page=' : `?${kept.join('&')}&page=`
}
