import type { Endpoint } from '../../../src/runtime/http/endpoint.ts'

/** Values that no legitimate row holds, and the ways in which they are slipped into a body. */

export type Values = Readonly<Record<string, unknown>>

const text = 'massassigned'
const number = 8_675_309_311
const time = '2001-02-03T04:05:06.000000Z'
const uuid = '0badf00d-0bad-4bad-8bad-0badf00d0bad'

export const mark = {
  /** In the text of a row; what went into bytes shows as hexadecimal digits. */
  pattern: [text, Buffer.from(text).toString('hex'), String(number), '2001-02-03', uuid].join('|'),
}

/** Words that a column with a list of allowed ones would take, and that no call of ours brings about. */
export const words: Readonly<Record<string, string>> = {
  status: 'ERROR',
  auth_type: 'basic',
  kind: 'account',
  level: 'error',
  type: 'webhook',
}

/**
 * Twice: once with marks and all flags up, once with all flags down, allowed words where they are known, and the ids of
 * somebody else's records in all columns that refer to one.
 */
export function valuesFor(columns: ReadonlyMap<string, string>, foreign: Readonly<Record<string, number>>): Values[] {
  const all = [...columns]
  const marked = Object.fromEntries(all.map(([name, type]) => [name, markedValue(type, true)]))
  const plausible = Object.fromEntries(
    all.map(([name, type]) => [name, words[name] ?? reference(name, foreign) ?? markedValue(type, false)]),
  )
  return [marked, plausible]
}

const reference = (name: string, foreign: Readonly<Record<string, number>>): number | undefined =>
  name.endsWith('_id') ? foreign[name.slice(0, -3)] : undefined

function markedValue(type: string, flag: boolean): unknown {
  if (type === 'bool') return flag
  if (/^(int|numeric|float)/.test(type)) return number
  if (type.startsWith('timestamp')) return time
  if (type === 'uuid') return uuid
  if (type === 'jsonb') return { [text]: text }
  return type.startsWith('_') ? [text] : text
}

export interface Form {
  name: string
  /** No object at all, so that nothing but a refusal will do. */
  malformed?: true
  write(body: Values, extras: Values, endpoint: Endpoint): { text: string; search?: string }
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const renamed = (extras: Values, rename: (name: string) => string): Values =>
  Object.fromEntries(Object.entries(extras).map(([name, value]) => [rename(name), value]))
/** The same fields go into many bodies: what is made of nothing but them is made once. */
function onceFor<T>(make: (extras: Values) => T): (extras: Values) => T {
  const made = new WeakMap<Values, { of: T }>()
  return (extras) => {
    const known = made.get(extras) ?? { of: make(extras) }
    made.set(extras, known)
    return known.of
  }
}
const dotted = onceFor((extras) => ({
  ...renamed(extras, (name) => `data.${name}`),
  ...renamed(extras, (name) => `record[${name}]`),
  ...renamed(extras, (name) => `settings.${name}`),
  ...renamed(extras, (name) => `${name}[]`),
}))
const spelledOtherwise = onceFor((extras) =>
  Object.entries({ ...renamed(extras, camel), ...renamed(extras, (name) => name.toUpperCase()) }),
)
const asQuery = onceFor((extras) => {
  const query = Object.entries(extras).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? text : String(value),
  ])
  return `?${new URLSearchParams(query)}`
})
/** One after the other in one object, as no object could hold them: names may come twice. */
const strung = (...parts: readonly Values[]) => ({
  text: `{${parts
    .map((part) => JSON.stringify(part).slice(1, -1))
    .filter((members) => members !== '')
    .join(',')}}`,
})

export const forms: readonly Form[] = [
  { name: 'beside the fields', write: (body, extras, endpoint) => json(inject(endpoint, body, extras)) },
  {
    name: 'in objects of their own',
    write: (body, extras) => json({ ...body, data: extras, attributes: extras, row: [extras] }),
  },
  {
    name: 'in objects of others',
    write: (body, extras) => json({ ...body, pivot: extras, $set: extras, '0': extras }),
  },
  {
    name: 'with dots and brackets',
    write: (body, extras) => json({ ...body, ...dotted(extras) }),
  },
  {
    name: 'spelled otherwise',
    write: (body, extras) => {
      const known = new Set(Object.keys(body))
      const other = spelledOtherwise(extras).filter(([name]) => !known.has(name))
      return json({ ...Object.fromEntries(other), ...body })
    },
  },
  {
    name: 'in prototypes',
    write: (body, extras) => strung({ ['__proto__']: extras }, { constructor: { prototype: extras } }, body),
  },
  { name: 'twice', write: (body, extras) => strung(extras, body, extras) },
  {
    name: 'in the query',
    write: (body, extras) => ({ ...json(body), search: asQuery(extras) }),
  },
  { name: 'in a list', malformed: true, write: (body, extras) => json([{ ...body, ...extras }]) },
]

const json = (value: unknown) => ({ text: JSON.stringify(value) })

/** Beside the fields of the body, and of every object in it whose fields the endpoint names. */
export function inject(endpoint: Endpoint, body: Values, extras: Values): Values {
  return injectInto(endpoint.bodyDocs?.schema ?? endpoint.body ?? {}, body, extras) as Values
}

interface Shape {
  properties?: Record<string, object>
  items?: object
  anyOf?: object[]
}

function injectInto(schema: object, value: unknown, extras: Values): unknown {
  const { properties, items, anyOf } = schema as Shape
  if (anyOf) {
    const closed = anyOf.find((option) => (option as Shape).properties ?? (option as Shape).items)
    return closed ? injectInto(closed, value, extras) : value
  }
  if (Array.isArray(value)) return items ? value.map((item) => injectInto(items, item, extras)) : value
  if (typeof value !== 'object' || value === null || !properties) return value
  const known = Object.entries(value).map(([name, inner]) => [name, injectInto(properties[name] ?? {}, inner, extras)])
  return { ...extras, ...Object.fromEntries(known) }
}
