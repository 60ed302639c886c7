import { describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { actions } from '../src/commerce/action.ts'
import { connectors } from '../src/connectors/index.ts'
import { formats } from '../src/lib/validation/formats.ts'
import { fullPath } from '../src/runtime/http/endpoint.ts'

/** A rule that the validator does not know would be a rule that nobody checks. */

const words = {
  // The last two are for forms, and for the log of requests: the service takes the field all the same.
  always: ['type', 'description', 'examples', 'default', 'title', 'x-unlisted', 'x-logged'],
  // How choices are called is for forms as well.
  string: ['enum', 'minLength', 'maxLength', 'pattern', 'format', 'x-trim', 'x-must', 'x-labels'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'x-max-kilobytes'],
  null: [],
  union: ['anyOf', 'x-required-without'],
  anything: ['x-max-kilobytes'],
} as const

type Schema = Record<string, unknown>

function unknownWords(schema: Schema, at: string): string[] {
  const kind = 'anyOf' in schema ? 'union' : ((schema['type'] ?? 'anything') as keyof typeof words)
  const known: readonly string[] = [...words.always, ...(words[kind] ?? [])]
  // TypeBox marks optional fields with a key that never goes out.
  const unknown = Object.keys(schema).filter((word) => !word.startsWith('~') && !known.includes(word))
  const problems = unknown.map((word) => `${at}: ${word}`)
  if (!(kind in words)) problems.push(`${at}: type ${kind}`)
  if (kind === 'string' && 'format' in schema && !Object.hasOwn(formats, String(schema['format']))) {
    problems.push(`${at}: format ${schema['format']}`)
  }
  // Keys that we do not name are dropped, unless the object is free as a whole.
  if (kind === 'object' && 'properties' in schema && 'additionalProperties' in schema) problems.push(`${at}: both`)
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    problems.push(...unknownWords(property, `${at}.${name}`))
  }
  for (const option of (schema['anyOf'] ?? []) as Schema[]) problems.push(...unknownWords(option, at))
  if (schema['items']) problems.push(...unknownWords(schema['items'] as Schema, `${at}[]`))
  return problems
}

const asSchema = (value: unknown) => value as Schema

describe('the validator knows every word of', () => {
  test('the bodies and queries of the endpoints', () => {
    const problems = endpoints.flatMap((endpoint) => {
      const name = `${endpoint.method} ${fullPath(endpoint)}`
      const query = endpoint.query && !('list' in endpoint.query) ? unknownWords(asSchema(endpoint.query), name) : []
      return [...query, ...(endpoint.body ? unknownWords(asSchema(endpoint.body), name) : [])]
    })
    expect(problems).toEqual([])
  })

  test('the actions', () => {
    expect(Object.entries(actions).flatMap(([name, { input }]) => unknownWords(asSchema(input), name))).toEqual([])
  })

  test('the connectors', () => {
    const problems = [...connectors].flatMap(([type, connector]) => {
      const { credentials, client } = connector.auth as { credentials?: unknown; client?: unknown }
      return [connector.settings, credentials, client].flatMap((schema) =>
        schema ? unknownWords(asSchema(schema), type) : [],
      )
    })
    expect(problems).toEqual([])
  })
})
