import { Type } from 'typebox'
import { logged } from '../../../lib/validation/fields.ts'

/** What every record shows. */
export const idField = Type.Integer({ description: 'Record identifier' })
export const timestamp = logged(
  Type.String({
    description: 'UTC with microseconds',
    examples: ['2026-11-15T10:00:00.000000Z'],
  }),
)
export const timestamps = { created_at: timestamp, updated_at: timestamp }
export const nullableText = Type.Union([Type.String(), Type.Null()])
export const nullableId = Type.Union([Type.Integer(), Type.Null()])
export const nullableTimestamp = Type.Union([timestamp, Type.Null()])

/** An object whose keys we do not know. */
export const objectField = Type.Unsafe<unknown>({ type: 'object', additionalProperties: true })
