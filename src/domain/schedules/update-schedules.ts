import { connectorFor } from '../../commerce/connectors.ts'
import { type FieldWordings, invalid, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { integrationsReachedByUser, readIntegration } from '../integrations/integration-store.ts'
import type { UserTenant } from '../tenant.ts'
import { nextRunAt, problemsOf, type Schedule, type ScheduleInput } from './schedule.ts'
import { changeSchedule, lockSchedules, readClock } from './schedule-store.ts'

type UpdateContext = Pick<Context, 'transaction' | 'connectors'>
type Changes = Partial<ScheduleInput>

/** A schedule that the caller has been let into. */
export async function updateSchedule(
  context: UpdateContext,
  { id, changes }: { id: number; changes: Changes },
): Promise<Schedule> {
  return await context.transaction(async (trx) => {
    const schedule = (await lockSchedules(trx, [id])).get(id)
    if (!schedule) throw notFound()
    const integration = await readIntegration(trx, schedule.integration_id)
    const changed = merged(context, { schedule, integration, changes }, { now: await readClock(trx), index: null })
    if (Object.keys(changed.errors).length > 0) throw invalid(changed.errors)
    return await changeSchedule(trx, id, changed.row)
  })
}

/** Several at once: all of them or, if one cannot be, none. */
export async function updateSchedules(
  context: UpdateContext,
  tenant: UserTenant,
  updates: readonly ({ id: number } & Changes)[],
): Promise<Schedule[]> {
  return await context.transaction(async (trx) => {
    const reached = await reachedSchedules(
      trx,
      tenant,
      updates.map(({ id }) => id),
    )
    const now = await readClock(trx)
    const seen = new Map<number, number>()
    for (const { id } of updates) seen.set(id, (seen.get(id) ?? 0) + 1)
    const errors: FieldWordings = {}
    const rows = updates.flatMap(({ id, ...changes }, index) => {
      const found = reached.get(id)
      const field = `schedules.${index}.id`
      if (!found) errors[field] = [`The selected ${field} is invalid.`]
      else if ((seen.get(id) ?? 0) > 1) errors[field] = [`The ${field} field has a duplicate value.`]
      if (!found) return []
      const changed = merged(context, { ...found, changes }, { now, index })
      Object.assign(errors, changed.errors)
      return [{ id, row: changed.row }]
    })
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const schedules: Schedule[] = []
    for (const { id, row } of rows) schedules.push(await changeSchedule(trx, id, row))
    return schedules
  })
}

interface Reached {
  schedule: Schedule
  integration: Integration
}

/** Of these, the ones the user may change, held until the transaction ends. */
export async function reachedSchedules(
  trx: Db,
  tenant: UserTenant,
  ids: readonly number[],
): Promise<Map<number, Reached>> {
  const schedules = await lockSchedules(trx, ids)
  const integrationIds = [...new Set([...schedules.values()].map((schedule) => schedule.integration_id))]
  const integrations = await integrationsReachedByUser(trx, tenant, integrationIds)
  const reached = new Map<number, Reached>()
  for (const [id, schedule] of schedules) {
    const integration = integrations.get(schedule.integration_id)
    if (integration) reached.set(id, { schedule, integration })
  }
  return reached
}

function merged(
  { connectors }: Pick<Context, 'connectors'>,
  { schedule, integration, changes }: Reached & { changes: Changes },
  place: { now: Date; index: number | null },
) {
  const timing = {
    cron: changes.cron ?? schedule.cron,
    timezone: changes.timezone ?? schedule.timezone,
    active: changes.active ?? schedule.active,
  }
  const resource = changes.resource ?? schedule.resource
  const row = {
    ...timing,
    resource,
    ...(changes.name === undefined ? {} : { name: changes.name }),
    ...(changes.payload === undefined ? {} : { payload: changes.payload }),
    // A schedule that is merely renamed keeps its appointment.
    ...(sameTiming(timing, schedule) ? {} : { next_run_at: nextRunAt(timing, place.now) }),
  }
  return { row, errors: problemsOf(connectorFor(connectors, integration), { ...timing, resource }, place) }
}

const sameTiming = (a: Pick<Schedule, 'cron' | 'timezone' | 'active'>, b: Schedule) =>
  a.cron === b.cron && a.timezone === b.timezone && a.active === b.active
