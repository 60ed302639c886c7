import { type FieldErrors, invalid } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { softDeleteSchedules } from './schedule-store.ts'
import { reachedSchedules } from './update-schedules.ts'

/** A schedule that the caller has been let into. */
export const deleteSchedule = (context: Pick<Context, 'transaction'>, id: number): Promise<void> =>
  context.transaction((trx) => softDeleteSchedules(trx, [id]))

/** Several at once: all of them or, if one is not the user's to delete, none. */
export async function deleteSchedules(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  ids: readonly number[],
): Promise<void> {
  await context.transaction(async (trx) => {
    const reached = await reachedSchedules(trx, tenant, ids)
    const errors: FieldErrors = {}
    for (const [index, id] of ids.entries()) {
      if (!reached.has(id)) errors[`ids.${index}`] = [`The selected ids.${index} is invalid.`]
    }
    if (Object.keys(errors).length > 0) throw invalid(errors)
    await softDeleteSchedules(trx, ids)
  })
}
