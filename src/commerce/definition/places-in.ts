import type { TSchema } from 'typebox'
import type { Place, TextKind } from './place.ts'

/** A schema as far as it is walked through beside a value. */
export type Rules = TSchema & {
  type?: string
  properties?: Record<string, Rules>
  items?: Rules
  anyOf?: Rules[]
  enum?: string[]
  'x-kind'?: TextKind
}

export interface FoundText {
  /** Where it stands in the definition. */
  at: string
  kind: TextKind
  text: string
}

export interface Found {
  texts: FoundText[]
  /** Places in their long form. */
  spelled: { at: string; place: Exclude<Place, string> }[]
}

/** Of the alternatives, the one that was meant: an object for an object, else the one that takes something simple. */
export function meant(schema: Rules, value: unknown): Rules {
  if (!schema.anyOf) return schema
  const nested = typeof value === 'object' && value !== null
  const fits = (option: Rules) => (option.type === 'object' || option.type === 'array') === nested
  return schema.anyOf.find(fits) ?? schema
}

/** Every place, expression and template of a definition, found by the schema and not by the names of fields. */
export function placesIn(schema: Rules, value: unknown, at: string, found: Found = { texts: [], spelled: [] }): Found {
  const rules = meant(schema, value)
  const kind = rules['x-kind']
  if (kind && typeof value === 'string') found.texts.push({ at, kind, text: value })
  if (Array.isArray(value)) {
    const { items } = rules
    if (items) for (const [n, item] of value.entries()) placesIn(items, item, `${at}.${n}`, found)
    return found
  }
  const { properties } = rules
  if (!properties || typeof value !== 'object' || value === null) return found
  if (isSpelled(rules)) found.spelled.push({ at, place: value })
  for (const [key, inner] of Object.entries(value)) {
    const known = properties[key]
    if (known) placesIn(known, inner, `${at}.${key}`, found)
  }
  return found
}

const isSpelled = ({ properties = {} }: Rules) => 'select' in properties && 'default' in properties
