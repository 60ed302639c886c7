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

/** What a sentence of ours follows from, for whoever shows it in another language. */
export const reasonSchema = Type.Unsafe<unknown>({
  type: ['object', 'null'],
  description:
    'What `error` follows from: a code and its parameters, for those who show it in another language than English. Null where the shop has said it',
  properties: {
    code: { type: 'string' },
    parameters: {
      type: 'object',
      description:
        'By name. An object with a `code` is a sentence inside the other, a list several of them; a text is shown as it is',
    },
  },
  required: ['code', 'parameters'],
})
