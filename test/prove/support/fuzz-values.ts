import fc, { type Arbitrary } from 'fast-check'

/** The JSON Schema words that endpoints are described in. */
export interface Schema {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
}

/** Values that the schema takes, most of them anyway: what counts is that they come far. */
export function fitting(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  const { type } = schema
  if (Array.isArray(type)) return fc.oneof(...type.map((each: string) => fitting({ ...schema, type: each })))
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.oneof(smallId(schema), fc.integer(range(schema)))
    case 'number':
      return fc.double({ ...range(schema), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = 4, items = {} } = schema
      return fc.array(fitting(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) })
    }
    case 'object':
      return record(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function record({ properties, required = [] }: Schema): Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fitting(field)]))
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
}

const range = ({ minimum = -1_000_000, maximum = 1_000_000_000 }: Schema) => ({
  min: Math.max(minimum, Number.MIN_SAFE_INTEGER),
  max: Math.min(maximum, Number.MAX_SAFE_INTEGER),
})

/** Ids are dealt out from 1 upwards, so a small number often names something that exists. */
const smallId = (schema: Schema) => {
  const { min, max } = range(schema)
  const least = Math.max(min, 1)
  return fc.integer({ min: least, max: Math.max(least, Math.min(max, 60)) })
}

function text(schema: Schema): Arbitrary<string> {
  const { minLength = 0, maxLength = 40, pattern, format } = schema
  const known = format === undefined ? undefined : formats[format]
  if (known) return known
  // Texts for a pattern that looks ahead cannot be made up; what is made up instead is refused.
  if (pattern !== undefined && !pattern.includes('(?')) return fc.stringMatching(new RegExp(pattern))
  const max = Math.max(minLength, Math.min(maxLength, 40))
  return fc.oneof(
    fc.string({ minLength, maxLength: max }),
    fc.string({ minLength, maxLength: max, unit: 'grapheme' }),
    fc.constant('x'.repeat(maxLength)),
  )
}

const host = fc.constantFrom('shop.example.com', '127.0.0.1', 'localhost:1', '[::1]', 'example.com:8443')
const formats: Readonly<Record<string, Arbitrary<string>>> = {
  email: fc.emailAddress(),
  url: fc.tuple(fc.constantFrom('http', 'https'), host).map(([scheme, name]) => `${scheme}://${name}/hook`),
  'https-url': host.map((name) => `https://${name}/hook`),
  uri: host.map((name) => `https://${name}/hook`),
  uuid: fc.uuid(),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  'date-time': fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
}

/** What nobody sends by accident. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '👩‍👩‍👧',
    '%00',
    '%',
    '\\',
    "' or 1=1 --",
    '$1',
    '{{7*7}}',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '-1',
    '0',
    '1e309',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999999999',
    '0x10',
    '١٢٣',
    '2024-02-30T25:61:61Z',
    'infinity',
    'x'.repeat(5000),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

export const hostile: Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1e308, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc.constantFrom<unknown>({ __proto__: { admin: true } }, { $ref: '#' }, { length: 1e9 }, Array(200).fill('x')),
)

export const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export const queryText = (pairs: readonly (readonly [string, string])[]): string =>
  pairs.length === 0
    ? ''
    : `?${pairs.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`
