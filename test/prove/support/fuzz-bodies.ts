import fc, { type Arbitrary } from 'fast-check'
import type { Endpoint } from '../../../src/runtime/http/endpoint.ts'
import { bodyPointingAt } from '../../support/bodies.ts'
import { blackPng } from '../../support/hostile/png.ts'
import { password } from '../../support/identity.ts'
import type { World } from '../../support/world.ts'
import { fitting, hostile, hostileText, plain, queryText, type Schema } from './fuzz-values.ts'

export interface Body {
  content: string | Buffer
  type: string | undefined
}

export type Bodies = Arbitrary<(world: World) => Body | undefined>

const json = 'application/json'
const asJson = (value: unknown): Body => ({ content: JSON.stringify(value) ?? '', type: json })

/** Bodies for one endpoint: as in its example, as its schema says, spoiled, and no bodies at all. */
export function bodies(endpoint: Endpoint): Bodies {
  if (endpoint.bodyType === 'upload') return uploads
  const schema = (endpoint.bodyDocs?.schema ?? endpoint.body) as Schema | undefined
  if (!schema) return fc.oneof({ arbitrary: nothing, weight: 7 }, { arbitrary: broken, weight: 1 })
  const fields = Object.keys(schema.properties ?? {})
  const field = fc.oneof(fc.constantFrom(...(fields.length > 0 ? fields : ['x'])), hostileText)
  const valid = fitting(schema)
  const start = startingPoints(endpoint, fields)

  const mixed = fc.tuple(start, valid, fc.subarray(fields)).map(([begin, value, kept]) => (world: World) => {
    const all = Object(value)
    const some = Object.fromEntries(kept.filter((name) => name in all).map((name) => [name, all[name]]))
    return asJson({ ...begin(world), ...some })
  })
  const changes = fc.array(fc.tuple(field, hostile), { minLength: 1, maxLength: 2 })
  const spoiled = fc.tuple(start, changes).map(([begin, changed]) => (world: World) => {
    const body = { ...begin(world) }
    for (const [name, value] of changed) body[name] = value
    return asJson(body)
  })
  const inOddType = fc.tuple(start, oddTypes).map(([begin, type]) => (world: World) => {
    const body = begin(world)
    const content = type?.endsWith('urlencoded') ? formText(body) : JSON.stringify(body)
    return { content, type }
  })
  const mangledText = fc.tuple(start, field, manglings).map(([begin, name, mangle]) => (world: World) => ({
    content: mangle(JSON.stringify(begin(world)), name),
    type: json,
  }))
  return fc.oneof(
    { arbitrary: mangledText, weight: 3 },
    { arbitrary: start.map((begin) => (world: World) => asJson(begin(world))), weight: 3 },
    { arbitrary: valid.map((value) => () => asJson(value)), weight: 3 },
    { arbitrary: mixed, weight: 4 },
    { arbitrary: spoiled, weight: 4 },
    { arbitrary: inOddType, weight: 1 },
    { arbitrary: broken, weight: 1 },
    { arbitrary: nothing, weight: 1 },
  )
}

/** What no value can say: keys twice, prototypes, halves of letters, numbers that are none, depth, and ends that are missing. */
const manglings = fc.oneof(
  fc
    .constantFrom(
      ...[
        'null',
        '[]',
        '{}',
        '"\\u0000"',
        '"\\ud800"',
        '1e999',
        '-0',
        '123456789012345678901234567890',
        '1.0000000000000000001',
      ],
      ...[`${'['.repeat(40)}${']'.repeat(40)}`, `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
      ...['NaN', 'undefined', '01', "'x'", '/* */1', '"\u0001"'],
    )
    .map((value) => (text: string, name: string) => withFirst(text, `${JSON.stringify(name)}:${value}`)),
  fc
    .constantFrom(
      '"__proto__":{"id":1}',
      '"constructor":{"prototype":{"id":1}}',
      '"__proto__":null',
      '"\\u005f_proto__":[]',
    )
    .map((entry) => (text: string) => withFirst(text, entry)),
  // The same key once more, with another value behind it.
  fc.constant((text: string) => text.replace(/^\{("[^"]*":)/, '{$1[null],$1')),
  fc
    .double({ min: 0, max: 1, noNaN: true })
    .map((share) => (text: string) => text.slice(0, Math.floor(text.length * share))),
  fc.constant((text: string) => text.replace(/:("[^"]*"|\d+)/g, ':[$1]')),
  fc.constant((text: string) => text.replace(/:"([^"]*)"/g, ':{"$1":"$1"}')),
)

const withFirst = (text: string, entry: string) =>
  text.replace(/^\{(?=")/, `{${entry},`).replace(/^\{\}$/, `{${entry}}`)

type Start = (world: World) => Record<string, unknown>

/** A body that succeeds, or nearly so: the example with the records of the world in it, or its true credentials. */
function startingPoints(endpoint: Endpoint, fields: readonly string[]): Arbitrary<Start> {
  if (!fields.includes('client_secret')) return fc.constant((world) => bodyPointingAt(endpoint, world))
  return fc.constantFrom<Start>(
    ({ tenant }) => ({ grant_type: 'password', ...tenant.passwordClient, username: tenant.email, password }),
    ({ tenant }) => ({ grant_type: 'client_credentials', ...tenant.appClient }),
    ({ tenant }) => ({ grant_type: 'client_credentials', ...tenant.appClient, account: tenant.remoteId }),
    ({ tenant }) => ({ grant_type: 'refresh_token', ...tenant.passwordClient, refresh_token: 'unknown' }),
    ({ tenant }) => ({ ...tenant.appClient, token: tenant.userToken }),
    ({ tenant }) => ({ ...tenant.passwordClient, token: 'unknown' }),
  )
}

const nothing: Bodies = fc.constant(() => undefined)

const broken: Bodies = fc
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
  .map((content) => () => ({ content, type: json }))

const oddTypes = fc.constantFrom(
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'x',
  undefined,
)

const formText = (body: Record<string, unknown>) =>
  queryText(Object.entries(body).map(([name, value]) => [name, plain(value)])).slice(1)

const picture = await blackPng({ width: 8, height: 8 })

const uploads: Bodies = fc
  .record({
    file: fc.oneof(
      fc.constant(picture),
      fc.nat(picture.length).map((length) => picture.subarray(0, length)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('<svg onload="x()"/>', 'GIF89a', '%PDF-1.4').map((text) => Buffer.from(text)),
    ),
    name: fc.constantFrom('logo', 'logo', 'logo', 'file', ''),
    filename: fc.constantFrom('a.png', '../../a.png', 'a.svg', '', 'ä'.repeat(300)),
    end: fc.constantFrom('\r\n--x--\r\n', '\r\n--x--\r\n', '\r\n--y--\r\n', ''),
    type: fc.constantFrom(
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      json,
    ),
  })
  .map(({ file, name, filename, end, type }) => () => {
    const head = `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/png\r\n\r\n`
    return { content: Buffer.concat([Buffer.from(head), file, Buffer.from(end)]), type }
  })
