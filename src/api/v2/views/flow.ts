import { type Static, Type } from 'typebox'
import type { Flow } from '../../../domain/flows/flow.ts'
import { idField, nullableId, nullableText, nullableTimestamp, objectField, timestamps } from './record.ts'

export const flowSchema = Type.Object({
  id: idField,
  app_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for those of the catalogue' }),
  service_id: nullableId,
  name: Type.String(),
  description: nullableText,
  type: Type.String({ description: 'What starts it: schedule, webhook or manual' }),
  trigger: objectField,
  steps: Type.Array(Type.Object({ action: Type.String(), parameters: objectField })),
  active: Type.Boolean(),
  next_run_at: nullableTimestamp,
  last_run_at: nullableTimestamp,
  last_run_status: nullableText,
  ...timestamps,
})

export const flowView = (flow: Flow): Static<typeof flowSchema> => ({
  id: flow.id,
  app_id: flow.app_id,
  service_id: flow.service_id,
  name: flow.name,
  description: flow.description,
  type: flow.type,
  trigger: flow.trigger,
  steps: flow.steps.map(({ action, parameters = {} }) => ({ action, parameters })),
  active: flow.active,
  next_run_at: flow.next_run_at,
  last_run_at: flow.last_run_at,
  last_run_status: flow.last_run_status,
  created_at: flow.created_at,
  updated_at: flow.updated_at,
})
