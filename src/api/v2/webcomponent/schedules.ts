import { createSchedule } from '../../../domain/schedules/create-schedules.ts'
import { deleteSchedule } from '../../../domain/schedules/delete-schedules.ts'
import { runSchedule } from '../../../domain/schedules/run-schedule.ts'
import { findScheduleBelow } from '../../../domain/schedules/schedule-store.ts'
import { updateSchedule } from '../../../domain/schedules/update-schedules.ts'
import type { AccountCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { flag, freeObject, maybe, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { nothing, record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationOfAccountInPath } from '../in-path.ts'
import { runSchema, runView } from '../views/run.ts'
import { scheduleSchema, scheduleView } from '../views/schedule.ts'

export const scheduleFields = {
  name: maybe(text()),
  resource: text({ max: 64, description: 'The action to run', examples: ['sync_orders'] }),
  cron: text({ description: 'Five fields: minute, hour, day, month, weekday', examples: ['*/15 * * * *'] }),
  timezone: optional(text({ max: 64, format: 'timezone', examples: ['Europe/Berlin'] })),
  payload: optional(freeObject('The fields of the action')),
  active: optional(flag()),
}

const body = object(scheduleFields)

async function find(input: Finding<AccountCaller, 'integrationId' | 'scheduleId'>) {
  const integration = await integrationOfAccountInPath(input)
  return await findScheduleBelow(input.context.db, integration.id, recordId(input.params.scheduleId))
}

const create = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/schedule',
  scope: 'webcomponent:integration-schedule',
  summary: 'Create a schedule',
  find: integrationOfAccountInPath,
  body,
  example: { resource: 'sync_orders', cron: '*/15 * * * *', timezone: 'Europe/Berlin' },
  returns: record(scheduleSchema),
  handle: async ({ context, found, body }) => scheduleView(await createSchedule(context, found, body)),
})

const update = endpoint({
  group: groups.webcomponent,
  method: 'PUT',
  path: '/integrations/{integrationId}/schedule/{scheduleId}',
  scope: 'webcomponent:integration-schedule',
  summary: 'Update a schedule',
  find,
  body: partial(body),
  example: { cron: '0 6 * * *' },
  returns: record(scheduleSchema),
  handle: async ({ context, found, body }) =>
    scheduleView(await updateSchedule(context, { id: found.id, changes: body })),
})

const remove = endpoint({
  group: groups.webcomponent,
  method: 'DELETE',
  path: '/integrations/{integrationId}/schedule/{scheduleId}',
  scope: 'webcomponent:integration-schedule',
  summary: 'Delete a schedule',
  find,
  returns: nothing,
  handle: ({ context, found }) => deleteSchedule(context, found.id),
})

const runNow = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/schedule/{scheduleId}/run',
  scope: 'webcomponent:integration-schedule',
  summary: 'Run a schedule now',
  description: 'Out of turn, also while it is paused (`active: false`). Its next scheduled run stays.',
  extension: true,
  find,
  returns: record(runSchema),
  handle: async ({ context, found }) => runView(await runSchedule(context, found.id)),
})

export const webcomponentSchedules = [create, update, remove, runNow]
