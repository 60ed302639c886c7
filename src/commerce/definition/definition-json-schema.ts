import { definitionSchema } from './definition.ts'

/** The language of descriptions as JSON Schema (draft 2020-12), for editors: the same value that descriptions are checked with. */
export const definitionJsonSchema = (): Record<string, unknown> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Description of a service',
  ...plain(definitionSchema),
})

/** Without what only our own checks know of; names that nobody reads are marked. */
function plain(schema: unknown): Record<string, unknown> {
  const known = Object.entries(Object(schema)).filter(([name]) => !name.startsWith('x-') && !name.startsWith('~'))
  const cleaned = Object.fromEntries(known.map(([name, value]) => [name, inner(name, value)]))
  return 'properties' in cleaned ? { ...cleaned, additionalProperties: false } : cleaned
}

function inner(name: string, value: unknown): unknown {
  if (name === 'properties') {
    return Object.fromEntries(Object.entries(Object(value)).map(([key, schema]) => [key, plain(schema)]))
  }
  if (name === 'items') return plain(value)
  return name === 'anyOf' && Array.isArray(value) ? value.map(plain) : value
}
