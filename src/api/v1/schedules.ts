import { createSchedules } from '../../domain/schedules/create-schedules.ts'
import { findScheduleOfUser, scheduleList, schedulesOfUser } from '../../domain/schedules/schedule-store.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { recordId } from '../../lib/record-id.ts'
import { id, object } from '../../lib/validation/fields.ts'
import { page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { listOf } from '../list.ts'
import { changedSchedule, deletedSchedule, scheduleFields } from '../v2/includes/of-schedules.ts'
import { scheduleSchema, scheduleView } from './views/schedule.ts'

export const scheduleBody = object({ integration_id: id('The integration it runs on'), ...scheduleFields })

const find = ({ context, caller, params }: Finding<UserCaller, 'schedule'>) =>
  findScheduleOfUser(context.db, caller, recordId(params.schedule))

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/schedules',
  permission: 'read-schedule',
  summary: 'List schedules',
  query: listQuery({
    filter: ['integration_id', 'resource', 'active'],
    sort: ['id', 'name', 'created_at', 'updated_at', 'next_run_at'],
  }),
  returns: page(scheduleSchema),
  handle: ({ context, caller, query }) => listOf(context, scheduleList, schedulesOfUser(caller), query, scheduleView),
})

const get = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/schedules/{schedule}',
  permission: 'read-schedule',
  summary: 'Get a schedule',
  find,
  returns: record(scheduleSchema),
  handle: async ({ found }) => scheduleView(found),
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/schedules',
  permission: 'create-schedule',
  summary: 'Create a schedule',
  body: scheduleBody,
  example: { integration_id: 1, resource: 'sync_orders', cron: '*/15 * * * *' },
  returns: record(scheduleSchema),
  async handle({ context, caller, body }) {
    const [schedule] = await createSchedules(context, caller, { inputs: [body], bulk: false })
    if (!schedule) throw new Error('The schedule could not be created.')
    return scheduleView(schedule)
  },
})

const update = endpoint({
  group: groups.v1,
  path: '/schedules/{schedule}',
  permission: 'update-schedule',
  find,
  ...changedSchedule,
})

const remove = endpoint({
  group: groups.v1,
  path: '/schedules/{schedule}',
  permission: 'delete-schedule',
  find,
  ...deletedSchedule,
})

export const v1Schedules = [list, get, create, update, remove]
