import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { withoutBidiControls } from '../clean-text.ts'
import type { Wording } from '../words/wording.ts'
import type { FormatName } from './formats.ts'

/**
 * The words request bodies are described in. They are JSON Schemas (so types, OpenAPI and forms can be read off them)
 * and at the same time the rules that `validate.ts` checks with the texts our clients know.
 */

export interface TextOptions {
  min?: number
  max?: number
  pattern?: string
  format?: FormatName
  /** What is said where the pattern does not fit: "be a host name". */
  must?: string | Wording
  /** Passwords keep their spaces. */
  trim?: false
  description?: string
  examples?: string[]
}

const defined = (options: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

export const text = ({ min, max = 255, trim, must, ...rest }: TextOptions = {}) =>
  Type.String(defined({ minLength: min, maxLength: max, 'x-trim': trim, 'x-must': must, ...rest }))

/** What people read to tell one record from another. */
export const nameText = (options: Pick<TextOptions, 'max'> = {}) =>
  text({ ...options, pattern: withoutBidiControls, must: 'not contain characters that turn the direction of writing' })

export const integer = (options: { minimum?: number; maximum?: number; description?: string } = {}) =>
  Type.Integer(options)

/** The id of another record. */
export const id = (description?: string) =>
  Type.Integer(defined({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }))

export const flag = (description?: string) => Type.Boolean(defined({ description }))

export const choice = <const T extends readonly string[]>(
  values: T,
  description?: string,
  /** What forms call each of them, in English. */
  labels?: Readonly<Record<T[number], string>>,
) => Type.Unsafe<T[number]>(defined({ type: 'string', enum: values, description, 'x-labels': labels }))

export const list = <T extends TSchema>(
  items: T,
  options: { min?: number; max?: number; unique?: boolean; description?: string } = {},
) =>
  Type.Array(
    items,
    defined({
      minItems: options.min,
      maxItems: options.max ?? 100,
      uniqueItems: options.unique,
      description: options.description,
    }),
  )

/** An object whose keys we do not know: settings, payloads. Its JSON may take 64 KiB. */
export const freeObject = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>(
    defined({ type: 'object', additionalProperties: true, 'x-max-kilobytes': 64, description }),
  )

/** Anything JSON can say, within 64 KiB. */
export const anything = (description?: string) => Type.Unsafe<unknown>(defined({ 'x-max-kilobytes': 64, description }))

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
/** May be given, but no form asks for it. */
export const unlisted = <T extends TSchema>(schema: T) => Type.Optional({ ...schema, 'x-unlisted': true })
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
/** May be left out if, and only if, the field `other` of the same object is there. */
export const requiredWithout = <T extends TSchema>(other: string, schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()], { 'x-required-without': other }))
export const object = Type.Object

/** A text that may be kept in the log of requests as it is: nobody's secret, and nothing of a buyer (`redact.ts`). */
// In place, as below.
export const logged = <T extends TSchema>(schema: T): T => Object.assign(schema, { 'x-logged': true })

/** What people read above the fields of a form, where the name of a field does not say it. */
export function labelled<T extends TObject>(labels: Readonly<Record<string, string>>, schema: T): T {
  // In place: a copy would no longer know which of its fields are optional.
  for (const [name, title] of Object.entries(labels)) Object.assign(schema.properties[name] ?? {}, { title })
  return schema
}

/** The same fields, none of them required: what PUT takes. */
export const partial = Type.Partial

export type Shape<T extends TSchema> = Static<T>
