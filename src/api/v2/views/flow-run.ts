import { type Static, Type } from 'typebox'
import type { FlowRun } from '../../../domain/flows/flow-run.ts'
import { runStatuses } from '../../../domain/runs/run.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp } from './record.ts'

export const flowRunSchema = Type.Object({
  id: idField,
  flow_id: Type.Integer(),
  integration_id: Type.Integer(),
  status: choice(runStatuses),
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }, { description: 'In steps' }),
  run_id: nullableId,
  error: nullableText,
  created_at: timestamp,
  started_at: nullableTimestamp,
  finished_at: nullableTimestamp,
})

export const flowRunView = (run: FlowRun): Static<typeof flowRunSchema> => ({
  id: run.id,
  flow_id: run.flow_id,
  integration_id: run.integration_id,
  status: run.status,
  progress: { done: run.status === 'completed' ? run.steps.length : run.step, total: run.steps.length },
  run_id: run.run_id,
  error: run.error,
  created_at: run.created_at,
  started_at: run.started_at,
  finished_at: run.finished_at,
})
