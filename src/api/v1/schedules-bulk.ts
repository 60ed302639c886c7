import { createSchedules } from '../../domain/schedules/create-schedules.ts'
import { deleteSchedules } from '../../domain/schedules/delete-schedules.ts'
import { updateSchedules } from '../../domain/schedules/update-schedules.ts'
import { invalid } from '../../lib/fault.ts'
import { id, list, object, optional, partial } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
import { bulkLimit, listOf, nothing } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { scheduleFields } from '../v2/includes/of-schedules.ts'
import { scheduleBody } from './schedules.ts'
import { scheduleSchema, scheduleView } from './views/schedule.ts'

const allOrNothing = 'At most 100. If one of them fails, none is applied.'
const bounds = { min: 1, max: 100 }

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/schedules-bulk',
  permission: 'create-schedule',
  summary: 'Create several schedules',
  description: allOrNothing,
  bodyLimit: bulkLimit,
  body: object({ schedules: list(scheduleBody, bounds) }),
  example: { schedules: [{ integration_id: 1, resource: 'sync_orders', cron: '*/15 * * * *' }] },
  returns: listOf(scheduleSchema),
  handle: async ({ context, caller, body }) =>
    (await createSchedules(context, caller, { inputs: body.schedules, bulk: true })).map(scheduleView),
})

const update = endpoint({
  group: groups.v1,
  method: 'PUT',
  path: '/schedules-bulk',
  permission: 'update-schedule',
  summary: 'Update several schedules',
  description: allOrNothing,
  bodyLimit: bulkLimit,
  body: object({ schedules: list(object({ id: id(), ...partial(object(scheduleFields)).properties }), bounds) }),
  example: { schedules: [{ id: 1, active: false }] },
  returns: listOf(scheduleSchema),
  handle: async ({ context, caller, body }) =>
    (await updateSchedules(context, caller, body.schedules)).map(scheduleView),
})

const ids = list(id(), { ...bounds, unique: true })

const remove = endpoint({
  group: groups.v1,
  method: 'DELETE',
  path: '/schedules-bulk',
  permission: 'delete-schedule',
  summary: 'Delete several schedules',
  description: `${allOrNothing} The ids come in the body, or in the query as \`ids[]=1&ids[]=2\` or \`ids=1,2\`.`,
  body: object({ ids: optional(ids) }),
  example: { ids: [1, 2] },
  returns: nothing,
  async handle({ context, caller, body, request }) {
    const checked = validate(object({ ids }), { ids: body.ids ?? idsInQuery(request.url) })
    if (!checked.ok) throw invalid(checked.errors)
    await deleteSchedules(context, caller, checked.value.ids)
  },
})

function idsInQuery(url: string): string[] {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  return [...query]
    .filter(([name]) => /^ids(\[\d*\])?$/.test(name))
    .flatMap(([, value]) => value.split(','))
    .filter((value) => value !== '')
}

export const v1SchedulesBulk = [create, update, remove]
