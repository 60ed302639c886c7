import fc, { type Arbitrary } from 'fast-check'
import { type Endpoint, fullPath, paramNames } from '../../../src/runtime/http/endpoint.ts'
import type { ListOptions } from '../../../src/runtime/http/list-query.ts'
import { bodyPointingAt } from '../../support/bodies.ts'
import { pathWith, type World } from '../../support/world.ts'
import { fitting, hostile, hostileText, type Schema } from './fuzz-values.ts'

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
  body: string | undefined
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
        path: path(worlds) + query,
        headers: { ...type, ...headers(worlds) },
        body: sent?.text,
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

const queryText = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.length === 0
    ? ''
    : `?${pairs.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`

function headersFor(endpoint: Endpoint): Arbitrary<(worlds: Worlds) => Record<string, string>> {
  const { group } = endpoint
  const token = rarely(
    fc.constant(({ own }: Worlds) => own.tokenFor(endpoint)),
    fc.constantFrom<(worlds: Worlds) => string | null>(
      () => null,
      ({ foreign }) => foreign.tokenFor(endpoint),
      ({ own }) => (group.caller === 'user' ? own.tenant.appToken : own.tenant.userToken),
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
      cookie: fc.constant('a=b'),
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

interface Body {
  text: string
  type: string | undefined
}

const json = 'application/json'

function bodies(endpoint: Endpoint): Arbitrary<(world: World) => Body | undefined> {
  const nothing: Arbitrary<(world: World) => Body | undefined> = fc.constant(() => undefined)
  const broken = fc
    .constantFrom(
      '{',
      '[1,',
      '{"a":',
      'null',
      '[]',
      '"x"',
      '1',
      '',
      '\ufeff{}',
      '{"a":1}{"a":2}',
      '['.repeat(10_000),
      `{"a":"${'x'.repeat(70_000)}"}`,
    )
    .map((text) => () => ({ text, type: json }))
  const schema = (endpoint.bodyDocs?.schema ?? endpoint.body) as Schema | undefined
  if (!schema) return rarely(nothing, broken)
  const fields = Object.keys(schema.properties ?? {})
  const field = fc.oneof(fc.constantFrom(...(fields.length > 0 ? fields : ['x'])), hostileText)
  const valid = fitting(schema).map((value) => () => asJson(value))
  const pointing = fc.constant((world: World) => asJson(bodyPointingAt(endpoint, world)))
  const mixed = fitting(schema).chain((value) =>
    fc.subarray(fields).map((kept) => (world: World) => {
      const all = value as Record<string, unknown>
      const some = Object.fromEntries(kept.filter((name) => name in Object(all)).map((name) => [name, all[name]]))
      return asJson({ ...bodyPointingAt(endpoint, world), ...some })
    }),
  )
  const spoiled = fc
    .tuple(fc.array(fc.tuple(field, hostile), { minLength: 1, maxLength: 2 }))
    .map(([changes]) => (world: World) => {
      const body = { ...bodyPointingAt(endpoint, world) }
      for (const [name, value] of changes) body[name] = value
      return asJson(body)
    })
  const inOddType = fc
    .tuple(
      fitting(schema),
      fc.constantFrom(
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'x',
        undefined,
      ),
    )
    .map(([value, type]) => () => ({ text: formOrJson(value, type), type }))
  return fc.oneof(
    { arbitrary: pointing, weight: 3 },
    { arbitrary: valid, weight: 3 },
    { arbitrary: mixed, weight: 4 },
    { arbitrary: spoiled, weight: 4 },
    { arbitrary: inOddType, weight: 1 },
    { arbitrary: broken, weight: 1 },
    { arbitrary: nothing, weight: 1 },
  )
}

const plain = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const asJson = (value: unknown): Body => ({ text: JSON.stringify(value) ?? '', type: json })

const formOrJson = (value: unknown, type: string | undefined) =>
  type?.endsWith('urlencoded')
    ? queryText(Object.entries(Object(value)).map(([name, each]) => [name, plain(each)])).slice(1)
    : JSON.stringify(value)
