import fc, { type Arbitrary } from 'fast-check'
import { type Endpoint, fullPath, paramNames } from '../../../src/runtime/http/endpoint.ts'
import type { ListOptions } from '../../../src/runtime/http/input/list-query.ts'
import { pathWith, type World, withNeeded } from '../../support/world.ts'
import { bodies } from './fuzz-bodies.ts'
import { fitting, hostileText, plain, queryText, type Schema } from './fuzz-values.ts'

/** A request before anybody knows whose records it will name. */
export type Draft = (worlds: Worlds) => FuzzRequest

export interface Worlds {
  own: World
  foreign: World
}

export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}

/** Requests to one endpoint, from well-formed to hostile, in every part. */
export function requestsTo(endpoint: Endpoint): Arbitrary<Draft> {
  return fc
    .record({ path: paths(endpoint), query: queries(endpoint), headers: headersFor(endpoint), body: bodies(endpoint) })
    .map(({ path, query, headers, body }) => (worlds) => {
      const sent = body(worlds.own)
      const type: Record<string, string> = sent?.type === undefined ? {} : { 'content-type': sent.type }
      return {
        method: endpoint.method,
        path: path(worlds) + withNeeded(query, worlds.own.needed(endpoint)),
        headers: { ...type, ...headers(worlds) },
        body: sent?.content,
      }
    })
}

const rarely = <T>(usual: Arbitrary<T>, odd: Arbitrary<T>, of = 8): Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: of - 1 }, { arbitrary: odd, weight: 1 })

function paths(endpoint: Endpoint): Arbitrary<(worlds: Worlds) => string> {
  const names = paramNames(fullPath(endpoint))
  const own = fc.constant(({ own }: Worlds) => pathWith(endpoint, own.params(endpoint)))
  if (names.length === 0) return own
  const foreign = fc.constant(({ foreign }: Worlds) => pathWith(endpoint, foreign.params(endpoint)))
  const number = fc.integer({ min: 0, max: 200 }).map(String)
  const odd = fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(number, hostileText)])))
  const withOdd = fc.tuple(odd, fc.constantFrom(...names)).map(([values, name]) => ({ own }: Worlds) => {
    const params = { ...own.params(endpoint), [name]: (values[name] || '0').toWellFormed() }
    return pathWith(endpoint, params)
  })
  const rawOdd = fc
    .constantFrom('%ff', '%c0%ae', '%', '%zz', '..', '%2e%2e%2f', ';a=b', '%0d%0aX:%201', 'a%00b', '💥')
    .map((piece) => (_worlds: Worlds) => fullPath(endpoint).replace(/\{\w+\}/g, encodeAll(piece)))
  return fc.oneof(
    { arbitrary: own, weight: 8 },
    { arbitrary: foreign, weight: 1 },
    { arbitrary: withOdd, weight: 2 },
    { arbitrary: rawOdd, weight: 1 },
  )
}

/** A client refuses to send what is not ASCII; percent signs go out as they are. */
const encodeAll = (text: string) => text.replace(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter))

function queries(endpoint: Endpoint): Arbitrary<string> {
  const { query } = endpoint
  const value = fc.oneof(hostileText, fc.integer({ min: -5, max: 200 }).map(String))
  const junk = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom('page', 'per_page', 'filter[x]', 'a[]', 'a[b][c]'), hostileText), value),
    {
      maxLength: 4,
    },
  )
  if (!query) return rarely(fc.constant(''), junk.map(queryText))
  if ('list' in query) {
    const { filter, sort, include } = query as ListOptions
    const names = ['page', 'per_page', 'sort', 'include', ...filter, ...filter.map((name) => `filter[${name}]`)]
    const words = [...sort, ...sort.map((name) => `-${name}`), ...include, '1', '2', '15', 'true', 'PENDING']
    const good = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...words)), { maxLength: 3 })
    const page = fc.constantFrom('', '?page=2', '?per_page=100', '?page=999999999', `?sort=${sort[0] ?? 'id'}`)
    return fc.oneof(page, good.map(queryText), junk.map(queryText))
  }
  const fields = fitting(query as Schema).map((values) =>
    queryText(Object.entries(values as object).map(([name, each]) => [name, plain(each)])),
  )
  return rarely(fields, junk.map(queryText), 4)
}

function headersFor(endpoint: Endpoint): Arbitrary<(worlds: Worlds) => Record<string, string>> {
  const { group } = endpoint
  const token = rarely(
    fc.constant(({ own }: Worlds) => own.tokenFor(endpoint)),
    fc.constantFrom<(worlds: Worlds) => string | null>(
      () => null,
      ({ foreign }) => foreign.tokenFor(endpoint),
      ({ own }) => own.tenant.userToken,
      ({ own }) => own.tenant.appToken,
      ({ own }) => own.tenant.accountToken,
      () => 'garbage',
      () => 'a.b.c',
      ({ own }) => `${own.tokenFor(endpoint)}x`,
    ),
  )
  const key = rarely(
    fc.constant(({ own }: Worlds) => own.gatewayKey),
    fc.constantFrom<(worlds: Worlds) => string>(
      () => 'wrong',
      ({ foreign }) => foreign.gatewayKey,
      () => '',
    ),
  )
  const odd = fc.record(
    {
      accept: fc.constantFrom('text/html', 'application/xml', '*/*;q=0', ''),
      'x-forwarded-for': fc.constantFrom('203.0.113.1', 'unknown', '::1, 1.2.3.4', 'x'.repeat(500)),
      'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
      'if-none-match': fc.constantFrom('*', '"x"'),
      origin: fc.constantFrom('null', 'https://evil.example'),
      cookie: fc.constantFrom('a=b', 'entrepot_session=x; entrepot_session=y', '='.repeat(200)),
      'idempotency-key': fc.constantFrom('a', '', ' ', 'x'.repeat(5000), 'a, b', '\u00ff'),
      'content-encoding': fc.constantFrom('gzip', 'identity', 'x'),
      'content-language': fc.constantFrom('../..', '*'),
      range: fc.constantFrom('bytes=0-', 'bytes=99999999999999999999-', 'x'),
      'if-match': fc.constantFrom('*', '"'),
      'x-entrepot-console': fc.constantFrom('1', ''),
      'x-entrepot-app': fc.constantFrom('1', '-1', '9223372036854775808', '__proto__'),
      'x-entrepot-account': fc.constantFrom('1', '1e3', '\u00e9'),
    },
    { requiredKeys: [] },
  )
  return fc.tuple(token, key, rarely(fc.constant({}), odd, 4)).map(([chooseToken, chooseKey, more]) => (worlds) => {
    const bearer = chooseToken(worlds)
    return {
      accept: 'application/json',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      ...(group.admitHeader ? { [group.admitHeader.name.toLowerCase()]: chooseKey(worlds) } : {}),
      ...more,
    }
  })
}
