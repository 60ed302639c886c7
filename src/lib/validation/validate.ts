import type { Static, TSchema } from 'typebox'
import type { FieldErrors } from '../fault.ts'
import type { Wording } from '../words/wording.ts'
import { complaint } from './complaints.ts'
import { type FormatName, formats } from './formats.ts'

/**
 * Checks a parsed JSON value against a schema made with `fields.ts`, and answers with the cleaned value (strings
 * trimmed, "" turned into null, "5" into 5, unknown keys dropped) or with the texts that go into a 422. The texts, the
 * order of the checks and what counts as blank are those of the framework family our clients were written against;
 * a general JSON Schema validator words and orders them differently, so this walks the schema itself.
 */
export type Checked<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors; wordings: Complaints }

/** By path. */
type Complaints = Record<string, Wording[]>

export function validate<T extends TSchema>(schema: T, input: unknown): Checked<Static<T>> {
  const wordings: Complaints = {}
  const value = check(toRules(schema), input ?? {}, { path: '', label: '', inList: false }, wordings)
  // The walk has just shown that the value has the shape of the schema.
  if (Object.keys(wordings).length === 0) return { ok: true, value: value as Static<T> }
  const texts = Object.entries(wordings).map(([path, said]) => [path, said.map(({ text }) => text)])
  return { ok: false, errors: Object.fromEntries(texts), wordings }
}

/** The JSON Schema keywords that our own fields use. */
interface Rules {
  type?: string
  properties?: Record<string, Rules>
  required?: string[]
  additionalProperties?: unknown
  items?: Rules
  anyOf?: Rules[]
  enum?: readonly string[]
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: FormatName
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  'x-trim'?: false
  'x-must'?: string | Wording
  'x-max-kilobytes'?: number
  'x-required-without'?: string
}

interface Place {
  path: string
  label: string
  /** Below a list the raw path is the label; elsewhere underscores and humps become spaces. */
  inList: boolean
}

const toRules = (schema: TSchema) => schema as Rules

const display = (name: string) =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('_', ' ')

function inside(place: Place, key: string): Place {
  const path = place.path === '' ? key : `${place.path}.${key}`
  const label = place.inList ? path : place.label === '' ? display(key) : `${place.label}.${display(key)}`
  return { path, label, inList: place.inList }
}

function complain(errors: Complaints, path: string, said: Wording): undefined {
  const all = errors[path] ?? []
  errors[path] = all
  all.push(said)
}

type Fail = (said: Wording) => undefined

function check(rules: Rules, input: unknown, place: Place, errors: Complaints): unknown {
  const fail: Fail = (said) => complain(errors, place.path, said)
  const field = place.label

  if (rules.anyOf) {
    if (input === null && allowsNull(rules)) return null
    const options = rules.anyOf.filter((option) => option.type !== 'null')
    return options.length === 1 && options[0]
      ? check(options[0], input, place, errors)
      : firstThatFits(options, input, place, errors)
  }
  switch (rules.type) {
    case 'string':
      return checkText(rules, input, field, fail)
    case 'integer':
    case 'number':
      return checkNumber(rules, input, field, fail)
    case 'boolean':
      if (input === true || input === 1 || input === '1') return true
      if (input === false || input === 0 || input === '0') return false
      return fail(complaint('field_boolean', { field }))
    case 'array':
      return checkList(rules, input, place, errors, fail)
    case 'object':
      return checkObject(rules, input, place, errors, fail)
    default:
      return withinSize(rules, input, field, fail)
  }
}

/**
 * Alternatives of one field (an id or an object, say): the first that fits, else the complaints of the one that was
 * meant, which is an object for an object and otherwise the first that takes something simple.
 */
function firstThatFits(options: Rules[], input: unknown, place: Place, errors: Complaints): unknown {
  for (const option of options) {
    const complaints: Complaints = {}
    const value = check(option, input, place, complaints)
    if (Object.keys(complaints).length === 0) return value
  }
  const nested = typeof input === 'object' && input !== null
  const meant = options.find((option) => (option.type === 'object' || option.type === 'array') === nested) ?? options[0]
  return meant ? check(meant, input, place, errors) : undefined
}

function checkText(rules: Rules, input: unknown, field: string, fail: Fail): unknown {
  if (rules.enum) {
    const value = typeof input === 'number' ? String(input) : input
    return typeof value === 'string' && rules.enum.includes(value)
      ? value
      : fail(complaint('field_selected', { field }))
  }
  if (typeof input !== 'string') return fail(complaint('field_string', { field }))
  const length = characters(input)
  if (rules.format && !formats[rules.format].test(input)) fail(complaint(formats[rules.format].complaint, { field }))
  if (rules.pattern && !pattern(rules.pattern).test(input)) {
    fail(misfit(field, rules['x-must']))
  }
  if (rules.minLength !== undefined && length < rules.minLength)
    fail(complaint('field_min_length', { field, min: rules.minLength }))
  if (rules.maxLength !== undefined && length > rules.maxLength)
    fail(complaint('field_max_length', { field, max: rules.maxLength }))
  return input
}

/** What a schema says in plain words has no code of its own: in other languages the format is wrong. */
function misfit(field: string, what: string | Wording | undefined): Wording {
  const format = complaint('field_format', { field })
  if (what === undefined) return format
  const said = complaint('field_must', { field, what })
  return typeof what === 'string' ? { ...format, text: said.text } : said
}

/** Characters, not code units: an emoji is one. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const patterns = new Map<string, RegExp>()

/** The patterns come from our own schemas, so there are few. */
function pattern(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source, 'u')
  patterns.set(source, known)
  return known
}

const wholeText = /^-?\d{1,16}$/
const numericText = /^-?\d{1,16}(\.\d{1,16})?$/

function checkNumber(rules: Rules, input: unknown, field: string, fail: Fail): unknown {
  const whole = rules.type === 'integer'
  const fits = typeof input === 'string' && (whole ? wholeText : numericText).test(input)
  const value = fits ? Number(input) : input
  if (typeof value !== 'number' || (whole ? !Number.isSafeInteger(value) : !Number.isFinite(value))) {
    return fail(complaint(whole ? 'field_integer' : 'field_number', { field }))
  }
  if (rules.minimum !== undefined && value < rules.minimum) fail(complaint('field_min', { field, min: rules.minimum }))
  if (rules.maximum !== undefined && value > rules.maximum) fail(complaint('field_max', { field, max: rules.maximum }))
  // Adding nothing turns -0, which no column distinguishes from 0, into 0.
  return value + 0
}

function checkList(rules: Rules, input: unknown, place: Place, errors: Complaints, fail: Fail): unknown {
  const field = place.label
  const { minItems: min, maxItems: max } = rules
  if (!Array.isArray(input)) return fail(complaint('field_array', { field }))
  if (min !== undefined && input.length < min) fail(complaint('field_min_items', { field, min }))
  if (max !== undefined && input.length > max) return fail(complaint('field_max_items', { field, max }))
  const items = rules.items ?? {}
  const at = (index: number): Place => ({
    path: `${place.path}.${index}`,
    label: `${place.path}.${index}`,
    inList: true,
  })
  const values = input.map((item: unknown, index) => check(items, clean(items, item), at(index), errors))
  if (rules.uniqueItems) {
    for (const index of duplicates(values)) {
      complain(errors, at(index).path, complaint('field_duplicate', { field: at(index).label }))
    }
  }
  return values
}

/** Every place of a value that stands in more than one; values that have failed are undefined and do not count. */
function duplicates(values: readonly unknown[]): number[] {
  const times = new Map<unknown, number>()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  return values.flatMap((value, index) => (value !== undefined && (times.get(value) ?? 0) > 1 ? [index] : []))
}

function checkObject(rules: Rules, input: unknown, place: Place, errors: Complaints, fail: Fail): unknown {
  // An empty list is how some clients write an empty object.
  const value = Array.isArray(input) && input.length === 0 ? {} : input
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(complaint('field_array', { field: place.label }))
  if (!rules.properties) return withinSize(rules, value, place.label, fail)
  const source = new Map(Object.entries(value))
  const result: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(rules.properties)) {
    const at = inside(place, key)
    const given = clean(property, source.get(key))
    const other = property['x-required-without']
    if (other && isMissing(given) && isMissing(clean({}, source.get(other)))) {
      const label = inside(place, other).label
      errors[at.path] = [complaint('field_required_without', { field: at.label, other: label })]
      continue
    }
    if (given === undefined || (isBlank(given) && isRequired(rules, key) && !allowsNull(property))) {
      if (isRequired(rules, key)) errors[at.path] = [complaint('field_required', { field: at.label })]
      continue
    }
    result[key] = check(property, given, at, errors)
  }
  return result
}

const isRequired = (rules: Rules, key: string) => rules.required?.includes(key) ?? false
const allowsNull = (rules: Rules) => rules.anyOf?.some((option) => option.type === 'null') ?? false
const isMissing = (value: unknown) => value === undefined || isBlank(value)
const isBlank = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

/** Strings are trimmed and "" is the same as null, before any rule looks at them; passwords keep their spaces. */
function clean(rules: Rules, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const trimmed = keepsSpaces(rules) ? value : value.trim()
  return trimmed === '' ? null : trimmed
}

const keepsSpaces = (rules: Rules): boolean => rules['x-trim'] === false || (rules.anyOf?.some(keepsSpaces) ?? false)

function withinSize(rules: Rules, input: unknown, field: string, fail: Fail): unknown {
  const max = rules['x-max-kilobytes']
  if (max !== undefined && Buffer.byteLength(JSON.stringify(input) ?? '') > max * 1024) {
    return fail(complaint('field_max_size', { field, max }))
  }
  return input
}
