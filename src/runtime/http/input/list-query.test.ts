import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedFor } from '../../../../test/support/chance.ts'
import { Fault } from '../../../lib/fault.ts'
import { pageEnvelope } from '../envelope.ts'
import { listQuery, parseListQuery, type RawQuery } from './list-query.ts'

const options = listQuery({
  filter: ['status', 'service_id'],
  sort: ['id', 'name', 'created_at'],
  include: ['service', 'schedules'],
})

/** A query string as the server hands it on: text, or a list of texts for a name that comes several times. */
function parse(search: string): RawQuery {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [key, value] of new URLSearchParams(search)) {
    const known = query[key]
    query[key] = known === undefined ? value : [known, value].flat()
  }
  return query
}

const read = (search: string) => parseListQuery(options, parse(search))

function refusal(search: string): string {
  try {
    read(search)
  } catch (error) {
    if (error instanceof Fault && error.kind === 'malformed') return error.message
    throw error
  }
  return 'accepted'
}

describe('page and per_page', () => {
  test.each([
    ['', 1, 15],
    ['page=3&per_page=50', 3, 50],
    ['page=0&per_page=0', 1, 15],
    ['page=-1&per_page=-1', 1, 15],
    ['page=abc&per_page=abc', 1, 15],
    ['page=1.5&per_page=1.5', 1, 15],
    ['page=1e3&per_page=1e1', 1, 15],
    ['page=&per_page=', 1, 15],
    ['page=%202&per_page=+2', 1, 15],
    ['page=0x10&per_page=0x10', 1, 15],
    ['page=1000000000000&per_page=100', 1_000_000_000_000, 100],
    ['page=9999999999999999999', 1, 15],
    ['per_page=101', 1, 100],
    ['per_page=1000000', 1, 100],
    ['page=2&page=3', 3, 15],
    ['page[]=2', 1, 15],
  ])('%j is page %i of %i', (search, page, perPage) => {
    expect(read(search)).toMatchObject({ page, perPage })
  })
})

describe('filter, sort and include', () => {
  test('plain and bracketed filters; commas mean one of', () => {
    expect(read('status=ACTIVE,PENDING&filter[service_id]=7').filter).toEqual({
      status: ['ACTIVE', 'PENDING'],
      service_id: ['7'],
    })
  })
  test('an empty filter is none', () => {
    expect(read('status=&filter[service_id]=,,').filter).toEqual({})
  })
  test('an unknown plain parameter is ignored', () => {
    expect(read('colour=red&__proto__=1&constructor=2&filter=x').filter).toEqual({})
  })
  test('sort, both ways; a field counts where it stands first', () => {
    expect(read('sort=-created_at,name,,created_at,-name').sort).toEqual([
      { field: 'created_at', descending: true },
      { field: 'name', descending: false },
    ])
  })
  test('include', () => {
    expect([...read('include=service,,schedules,service').include]).toEqual(['service', 'schedules'])
    expect([...read('include=').include]).toEqual([])
  })

  test.each([
    ['filter[foo]=1', 'Requested filter(s) `foo` are not allowed. Allowed filter(s) are `status, service_id`.'],
    [
      'filter[__proto__]=1',
      'Requested filter(s) `__proto__` are not allowed. Allowed filter(s) are `status, service_id`.',
    ],
    ['sort=foo', 'Requested sort(s) `foo` is not allowed. Allowed sort(s) are `id, name, created_at`.'],
    ['sort=id,-foo,bar', 'Requested sort(s) `foo, bar` is not allowed. Allowed sort(s) are `id, name, created_at`.'],
    ['sort=id,-name,created_at', 'A list can be sorted by at most 2 fields.'],
    ['sort=--id', 'Requested sort(s) `-id` is not allowed. Allowed sort(s) are `id, name, created_at`.'],
    ['include=foo', 'Requested include(s) `foo` are not allowed. Allowed include(s) are `service, schedules`.'],
    [
      'include=service.app',
      'Requested include(s) `service.app` are not allowed. Allowed include(s) are `service, schedules`.',
    ],
  ])('%j is refused', (search, message) => {
    expect(refusal(search)).toBe(message)
  })

  test('where nothing may be included, the refusal says so', () => {
    expect(() => parseListQuery(listQuery(), { include: 'a' })).toThrow(
      'Requested include(s) `a` are not allowed. There are no allowed includes.',
    )
  })
})

const names = fc.constantFrom(
  'page',
  'per_page',
  'sort',
  'include',
  'status',
  'service_id',
  'filter[status]',
  'filter[foo]',
  'filter[',
  'foo',
  '__proto__',
)
const values = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '7',
    '101',
    '99999999999999',
    'id',
    '-name',
    'id,-id',
    'service',
    'service,schedules',
  ),
  fc.constantFrom('', ',', '-', 'ACTIVE', 'a&b=c', '%', '%00', 'ü', '😀', '"><script>'),
  fc.string(),
)
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())
const oddParts = fc.constantFrom('', 'page', 'page=', 'p%61ge=5', 'page=5', '=', '%zz=1', 'page=5&page=6', 'a=b=c')
const searches = fc
  .array(
    fc.oneof(
      fc.tuple(names, values).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
      oddParts,
    ),
  )
  .map((parts) => parts.join('&'))

describe('any query string', () => {
  test('gives a query within bounds, or a refusal in the known words', () => {
    fc.assert(
      fc.property(searches, (search) => {
        try {
          const query = read(search)
          expect(Number.isSafeInteger(query.page) && query.page >= 1).toBe(true)
          expect(Number.isSafeInteger(query.perPage) && query.perPage >= 1 && query.perPage <= 100).toBe(true)
          for (const [field, wanted] of Object.entries(query.filter)) {
            expect(options.filter).toContain(field)
            expect(wanted.length).toBeGreaterThan(0)
          }
          for (const { field } of query.sort) expect(options.sort).toContain(field)
          expect(query.sort.length).toBeLessThanOrEqual(options.sort.length)
          for (const name of query.include) expect(options.include).toContain(name)
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          expect(error.kind).toBe('malformed')
          expect(error.message).toMatch(
            /^Requested (filter|sort|include)\(s\) `[\s\S]*` (are|is) not allowed\. Allowed \1\(s\) are `.*`\.$/,
          )
        }
      }),
      { numRuns: 1000, seed: seedFor('list-query') },
    )
  })

  test('has links that can be followed, and that change nothing but the page', () => {
    fc.assert(
      fc.property(searches, fc.nat({ max: 5000 }), (search, total) => {
        fc.pre(refusal(search) === 'accepted')
        const query = read(search)
        const base = 'https://entrepot.test/api/2.0/app/integrations'
        const left = Math.max(0, total - (query.page - 1) * query.perPage)
        const rows = Array.from({ length: Math.min(left, query.perPage) }, () => ({}))
        const { links, meta } = pageEnvelope({ rows, total }, query, { base, search })
        const follow = (link: string) => {
          expect(link.startsWith(`${base}?`)).toBe(true)
          return read(new URL(link).search)
        }
        expect(follow(links.first)).toEqual({ ...query, page: 1 })
        expect(follow(links.last)).toEqual({ ...query, page: meta.last_page })
        if (links.next === null) expect(query.page).toBeGreaterThanOrEqual(meta.last_page)
        else expect(follow(links.next)).toEqual({ ...query, page: query.page + 1 })
        if (links.prev === null) expect(query.page).toBe(1)
        else expect(follow(links.prev)).toEqual({ ...query, page: query.page - 1 })
        expect(meta.last_page).toBe(Math.max(1, Math.ceil(total / query.perPage)))
        if (rows.length === 0) expect([meta.from, meta.to]).toEqual([null, null])
        else expect(meta.to).toBe((meta.from ?? 0) + rows.length - 1)
        const more = pageEnvelope({ rows, total: { atLeast: total } }, query, { base, search })
        expect(more).toEqual({ data: rows, links, meta: { ...meta, total_exact: false } })
      }),
      { numRuns: 1000, seed: seedFor('list-query 2') },
    )
  })
})
