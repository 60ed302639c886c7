import { type Static, Type } from 'typebox'
import { type IntegrationLog, logLevels } from '../../../domain/logs/log.ts'
import { choice, nullable } from '../../../lib/validation/fields.ts'
import { idField, nullableId, timestamps } from './record.ts'

export const logSchema = Type.Object({
  id: idField,
  integration_id: Type.Integer(),
  run_id: nullableId,
  level: choice(logLevels),
  event: Type.String(),
  message: Type.String(),
  code: nullable(
    Type.String({
      description:
        'What the message follows from, together with `parameters`: for a log in another language than English. Null for entries from before there were codes',
    }),
  ),
  parameters: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description:
      'By name. An object with a `code` is a sentence inside the message, a list several of them; a text is shown as it is',
  }),
  context: Type.Unsafe<unknown>({ type: ['object', 'null'], description: 'Without anything secret' }),
  ...timestamps,
})

/** An entry never changes. */
export const logView = (log: IntegrationLog): Static<typeof logSchema> => ({
  id: log.id,
  integration_id: log.integration_id,
  run_id: log.run_id,
  level: log.level,
  event: log.event,
  message: log.message,
  code: log.code,
  parameters: log.parameters,
  context: log.context,
  created_at: log.at,
  updated_at: log.at,
})
