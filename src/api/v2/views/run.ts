import { type Static, Type } from 'typebox'
import { type Run, runStatuses } from '../../../domain/runs/run.ts'
import { choice, nullable } from '../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, reasonSchema, timestamp } from './record.ts'

export const runSchema = Type.Object({
  id: idField,
  resource: Type.String({ description: 'The action' }),
  status: choice(runStatuses),
  progress: Type.Object({ done: Type.Integer(), total: Type.Union([Type.Integer(), Type.Null()]) }),
  estimated_seconds: nullable(
    Type.Integer({
      description: 'Estimated time left; null if unknown and when it has finished',
    }),
  ),
  waits: Type.Integer({
    description: 'How often in a row it has waited for the shop, which was unavailable or busy; 0 once it has gone on',
  }),
  result: Type.Unsafe<unknown>({ type: ['object', 'null'] }),
  error: nullableText,
  reason: reasonSchema,
  created_at: timestamp,
  started_at: nullableTimestamp,
  finished_at: nullableTimestamp,
})

export const runView = (run: Run): Static<typeof runSchema> => ({
  id: run.id,
  resource: run.resource,
  status: run.status,
  progress: { done: run.done, total: run.total },
  estimated_seconds: run.finished_at === null ? run.estimated_seconds : null,
  waits: run.waits,
  result: run.result,
  error: run.error,
  reason: run.reason,
  created_at: run.created_at,
  started_at: run.started_at,
  finished_at: run.finished_at,
})
