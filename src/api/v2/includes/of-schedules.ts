import type { Static } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { deleteSchedule } from '../../../domain/schedules/delete-schedules.ts'
import { updateSchedule } from '../../../domain/schedules/update-schedules.ts'
import { flag, freeObject, maybe, nameText, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { nothing, record } from '../../../runtime/http/endpoint.ts'
import { scheduleSchema, scheduleView } from '../views/schedule.ts'

export const scheduleFields = {
  name: maybe(nameText()),
  resource: text({ max: 64, description: 'The action to run', examples: ['sync_orders'] }),
  cron: text({ description: 'Five fields: minute, hour, day, month, weekday', examples: ['*/15 * * * *'] }),
  timezone: optional(text({ max: 64, format: 'timezone', examples: ['Europe/Berlin'] })),
  payload: optional(freeObject('The fields of the action')),
  active: optional(flag()),
}

const changes = partial(object(scheduleFields))

interface Found {
  context: Context
  found: { id: number }
}

/** What users and accounts are answered alike. */
export const changedSchedule = {
  method: 'PUT',
  summary: 'Update a schedule',
  body: changes,
  example: { cron: '0 6 * * *' },
  returns: record(scheduleSchema),
  handle: async ({ context, found, body }: Found & { body: Static<typeof changes> }) =>
    scheduleView(await updateSchedule(context, { id: found.id, changes: body })),
} as const

export const deletedSchedule = {
  method: 'DELETE',
  summary: 'Delete a schedule',
  returns: nothing,
  handle: ({ context, found }: Found) => deleteSchedule(context, found.id),
} as const
