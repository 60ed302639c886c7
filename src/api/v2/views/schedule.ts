import { type Static, Type } from 'typebox'
import type { Schedule } from '../../../domain/schedules/schedule.ts'
import { idField, nullableText, nullableTimestamp, objectField, timestamps } from './record.ts'

export const scheduleSchema = Type.Object({
  id: idField,
  integration_id: Type.Integer(),
  name: nullableText,
  resource: Type.String({ description: 'The action that is run' }),
  cron: Type.String({ description: 'Five fields', examples: ['*/15 * * * *'] }),
  timezone: Type.String({ examples: ['Europe/Berlin'] }),
  payload: objectField,
  active: Type.Boolean(),
  last_run_at: nullableTimestamp,
  next_run_at: nullableTimestamp,
  ...timestamps,
})

export const scheduleView = (schedule: Schedule): Static<typeof scheduleSchema> => ({
  id: schedule.id,
  integration_id: schedule.integration_id,
  name: schedule.name,
  resource: schedule.resource,
  cron: schedule.cron,
  timezone: schedule.timezone,
  payload: schedule.payload,
  active: schedule.active,
  last_run_at: schedule.last_run_at,
  next_run_at: schedule.next_run_at,
  created_at: schedule.created_at,
  updated_at: schedule.updated_at,
})
