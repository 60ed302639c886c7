import type { TSchema } from 'typebox'
import type { Json } from './openapi-answers.ts'

/**
 * What stands in many places of the document stands in its components once, and is referred to: records by their name, and
 * answers that many operations share. What has all fields of a record and some more is that record, and the rest.
 */
export function sharingParts(document: Json, names: ReadonlyMap<TSchema, string>): Json {
  const records = [...names]
    .map(([schema, name]): NamedRecord => ({ name, text: JSON.stringify(schema), schema: plain(schema) }))
    // Those with most fields first: what is an order and more is not something smaller and much more.
    .sort((a, b) => b.text.length - a.text.length)
  const { paths, responses } = sharingAnswers(plain(document['paths']))
  const written = replaced({ ...document, paths }, records, null)
  const components = plain(written['components'])
  const schemas = Object.fromEntries(
    records.map((record) => [record.name, replaced(record.schema, records, record.name)]).toSorted(byName),
  )
  return {
    ...written,
    components: { ...components, schemas: { ...plain(components['schemas']), ...schemas }, responses },
  }
}

const answerNames: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

/** Answers other than success are nearly always the same. */
function sharingAnswers(paths: Json): { paths: Json; responses: Json } {
  const known = new Map<string, { name: string; answer: unknown }>()
  const shared = (status: string, answer: unknown): unknown => {
    const word = answerNames[status]
    if (word === undefined) return answer
    const text = `${status} ${JSON.stringify(answer)}`
    const before = [...known.keys()].filter((key) => key.startsWith(`${status} `)).length
    const found = known.get(text) ?? { name: before === 0 ? word : `${word}${before + 1}`, answer }
    known.set(text, found)
    return { $ref: `#/components/responses/${found.name}` }
  }
  const written = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(plain(methods)).map(([method, operation]) => {
      const answers = Object.entries(plain(plain(operation)['responses']))
      const responses = Object.fromEntries(answers.map(([status, answer]) => [status, shared(status, answer)]))
      return [method, { ...plain(operation), responses }]
    })
    return [path, Object.fromEntries(operations)]
  })
  const responses = Object.fromEntries([...known.values()].map(({ name, answer }) => [name, answer]).toSorted(byName))
  return { paths: Object.fromEntries(written), responses }
}

interface NamedRecord {
  name: string
  text: string
  schema: Json
}

const byName = ([a]: unknown[], [b]: unknown[]): number => (String(a) < String(b) ? -1 : 1)
const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const plain = (value: unknown): Json => (isObject(value) ? value : {})

/** The same with references in the place of records; `within` is the record whose own schema it is. */
function replaced(value: Json, records: readonly NamedRecord[], within: string | null): Json {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inPlace(part, records, within)]))
}

function inPlace(value: unknown, records: readonly NamedRecord[], within: string | null): unknown {
  if (Array.isArray(value)) return value.map((part) => inPlace(part, records, within))
  if (!isObject(value)) return value
  if (value['type'] === 'object' && isObject(value['properties'])) {
    const text = JSON.stringify(value)
    const same = records.find((record) => record.text === text)
    if (same && same.name !== within) return refTo(same.name)
    const base = records.find((record) => record.name !== within && extendsRecord(value, record))
    if (base) return { allOf: [refTo(base.name), replaced(beyond(value, base), records, within)] }
  }
  return replaced(value, records, within)
}

/** Whether it has every field of the record, just so, and others beside them. */
function extendsRecord(value: Json, { schema }: NamedRecord): boolean {
  const [own, fields] = [plain(value['properties']), plain(schema['properties'])]
  const required = new Set(listOf(value['required']))
  if (value['description'] !== undefined || Object.keys(own).length <= Object.keys(fields).length) return false
  return (
    listOf(schema['required']).every((name) => required.has(name)) &&
    Object.entries(fields).every(([name, field]) => JSON.stringify(own[name]) === JSON.stringify(field))
  )
}

function beyond(value: Json, { schema }: NamedRecord): Json {
  const known = plain(schema['properties'])
  const rest = Object.entries(plain(value['properties'])).filter(([name]) => !(name in known))
  const required = listOf(value['required']).filter((name) => !(name in known))
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(rest),
  }
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
