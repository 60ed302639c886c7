import { connectorFor } from '../../commerce/connectors.ts'
import { type FieldWordings, invalid } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { integrationsReachedByUser } from '../integrations/integration-store.ts'
import { assertRoomForSchedules } from '../quota-store.ts'
import type { UserTenant } from '../tenant.ts'
import { fieldIn, nextRunAt, problemsOf, type Schedule, type ScheduleInput } from './schedule.ts'
import { insertSchedules, type NewSchedule, readClock } from './schedule-store.ts'

type CreateContext = Pick<Context, 'transaction' | 'connectors' | 'quotas'>

/** A schedule of an integration that the caller has been let into. */
export async function createSchedule(
  context: CreateContext,
  integration: Integration,
  input: ScheduleInput,
): Promise<Schedule> {
  return await context.transaction(async (trx) => {
    const { row, errors } = planned(context, integration, input, { now: await readClock(trx), index: null })
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const wanted = { integrationId: integration.id, field: 'resource', more: 1 }
    await assertRoomForSchedules(trx, context.quotas, wanted)
    const [schedule] = await insertSchedules(trx, [row])
    if (!schedule) throw new Error('The schedule could not be created.')
    return schedule
  })
}

/**
 * Several at once, of any integrations that the user reaches: all of them or, if one cannot be, none. `bulk` says how
 * the fields are named in a 422.
 */
export async function createSchedules(
  context: CreateContext,
  tenant: UserTenant,
  { inputs, bulk }: { inputs: readonly (ScheduleInput & { integration_id: number })[]; bulk: boolean },
): Promise<Schedule[]> {
  return await context.transaction(async (trx) => {
    const ids = [...new Set(inputs.map((input) => input.integration_id))]
    const integrations = await integrationsReachedByUser(trx, tenant, ids)
    const now = await readClock(trx)
    const errors: FieldWordings = {}
    const rows = inputs.flatMap((input, position) => {
      const index = bulk ? position : null
      const integration = integrations.get(input.integration_id)
      if (!integration) {
        const field = fieldIn(index, 'integration_id')
        errors[field] = [`The selected ${bulk ? field : 'integration id'} is invalid.`]
        return []
      }
      const plan = planned(context, integration, input, { now, index })
      Object.assign(errors, plan.errors)
      return [plan.row]
    })
    if (Object.keys(errors).length > 0) throw invalid(errors)
    for (const id of ids) {
      const first = inputs.findIndex((input) => input.integration_id === id)
      const more = rows.filter((row) => row.integration_id === id).length
      const wanted = { integrationId: id, field: fieldIn(bulk ? first : null, 'integration_id'), more }
      await assertRoomForSchedules(trx, context.quotas, wanted)
    }
    return await insertSchedules(trx, rows)
  })
}

function planned(
  { connectors }: Pick<Context, 'connectors'>,
  integration: Integration,
  input: ScheduleInput,
  place: { now: Date; index: number | null },
): { row: NewSchedule; errors: FieldWordings } {
  const timing = { cron: input.cron, timezone: input.timezone ?? 'UTC', active: input.active ?? true }
  const row = {
    integration_id: integration.id,
    name: input.name ?? null,
    resource: input.resource,
    payload: input.payload ?? {},
    ...timing,
    next_run_at: nextRunAt(timing, place.now),
  }
  return { row, errors: problemsOf(connectorFor(connectors, integration), row, place) }
}
