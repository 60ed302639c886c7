import { type Json, listOf, plain, resolve } from '../../src/api/collection/json.ts'

/** A JSON Schema of the OpenAPI document, with everything that it and its alternatives say laid side by side. */

export interface Shape {
  /** JSON types; `any` where nothing is said. */
  types: ReadonlySet<string>
  /** Null where any value will do. */
  words: ReadonlySet<string> | null
  fields: ReadonlyMap<string, { schema: Json; required: boolean }>
  items: Json | null
  limits: Readonly<Record<string, number | string>>
}

/** The name of the component that a schema refers to. */
export function refOf(schema: Json): string | null {
  const ref = schema['$ref']
  return typeof ref === 'string' ? ref.replace(/^#\/components\/\w+\//, '') : null
}

const limitNames = ['maxLength', 'minLength', 'maximum', 'minimum', 'maxItems', 'minItems', 'pattern', 'format']

export function shapeOf(document: Json, value: unknown): Shape {
  const schema = resolve(document, value)
  const all = listOf(schema['allOf']).map((one) => shapeOf(document, one))
  const either = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map((one) => shapeOf(document, one))
  const own = ownShape(schema)
  const together = all.reduce(both, own)
  return either.length === 0 ? together : both(together, either.reduce(eitherOf))
}

function ownShape(schema: Json): Shape {
  const type = schema['type']
  const required = new Set(listOf(schema['required']))
  const words = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']])
  return {
    types: new Set(type === undefined ? ['any'] : (Array.isArray(type) ? type : [type]).map(String)),
    words: words === undefined ? null : new Set(listOf(words).map(String)),
    fields: new Map(
      Object.entries(plain(schema['properties'])).map(([name, one]) => [
        name,
        { schema: plain(one), required: required.has(name) },
      ]),
    ),
    items: schema['items'] === undefined ? null : plain(schema['items']),
    limits: Object.fromEntries(
      limitNames.flatMap((name) => {
        const limit = schema[name]
        return typeof limit === 'number' || typeof limit === 'string' ? [[name, limit]] : []
      }),
    ),
  }
}

const isAny = ({ types }: Shape): boolean => types.has('any')

/** What is the one and the other. */
const both = (a: Shape, b: Shape): Shape => ({
  types: isAny(a) ? b.types : a.types,
  words: a.words ?? b.words,
  fields: new Map([...a.fields, ...b.fields]),
  items: a.items ?? b.items,
  limits: { ...a.limits, ...b.limits },
})

/** What is the one or the other: fields that only one of them has may be missing. */
function eitherOf(a: Shape, b: Shape): Shape {
  const isNull = ({ types }: Shape) => types.size === 1 && types.has('null')
  const types = new Set([...a.types, ...b.types])
  if (isNull(a)) return { ...b, types }
  if (isNull(b)) return { ...a, types }
  const names = new Set([...a.fields.keys(), ...b.fields.keys()])
  const fields = [...names].flatMap((name) => {
    const [one, other] = [a.fields.get(name), b.fields.get(name)]
    const known = one ?? other
    return known ? [[name, { ...known, required: Boolean(one?.required && other?.required) }] as const] : []
  })
  return {
    types,
    words: a.words && b.words ? new Set([...a.words, ...b.words]) : null,
    fields: new Map(fields),
    items: a.items ?? b.items,
    limits: {},
  }
}
