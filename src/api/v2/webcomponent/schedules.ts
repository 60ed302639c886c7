import { createSchedule } from '../../../domain/schedules/create-schedules.ts'
import { runSchedule } from '../../../domain/schedules/run-schedule.ts'
import { findScheduleBelow } from '../../../domain/schedules/schedule-store.ts'
import type { AccountCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { object } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationOfAccountInPath } from '../in-path.ts'
import { changedSchedule, deletedSchedule, scheduleFields } from '../includes/of-schedules.ts'
import { runSchema, runView } from '../views/run.ts'
import { scheduleSchema, scheduleView } from '../views/schedule.ts'

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
  right: 'create-schedule',
  summary: 'Create a schedule',
  find: integrationOfAccountInPath,
  body,
  example: { resource: 'sync_orders', cron: '*/15 * * * *', timezone: 'Europe/Berlin' },
  returns: record(scheduleSchema),
  handle: async ({ context, found, body }) => scheduleView(await createSchedule(context, found, body)),
})

const update = endpoint({
  group: groups.webcomponent,
  path: '/integrations/{integrationId}/schedule/{scheduleId}',
  scope: 'webcomponent:integration-schedule',
  find,
  ...changedSchedule,
})

const remove = endpoint({
  group: groups.webcomponent,
  path: '/integrations/{integrationId}/schedule/{scheduleId}',
  scope: 'webcomponent:integration-schedule',
  right: 'delete-schedule',
  find,
  ...deletedSchedule,
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
