import { type Static, Type } from 'typebox'
import { type IntegrationLog, logLevels } from '../../../domain/logs/log.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableId, timestamps } from './record.ts'

export const logSchema = Type.Object({
  id: idField,
  integration_id: Type.Integer(),
  run_id: nullableId,
  level: choice(logLevels),
  event: Type.String(),
  message: Type.String(),
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
  context: log.context,
  created_at: log.at,
  updated_at: log.at,
})
