import { say } from '../../commerce/words/say.ts'
import { invalidField, notFound } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import type { Run } from '../runs/run.ts'
import { fieldsOf, isBusy } from './dispatch-due.ts'
import { markRun } from './due-store.ts'
import { lockSchedules } from './schedule-store.ts'
import { startStep } from './start-step.ts'
import { unfinishedRuns } from './step-store.ts'

/** Out of turn, also while it is paused. Its next scheduled run stays. */
export const runSchedule = (
  context: Pick<Context, 'transaction' | 'connectors' | 'record' | 'enqueue'>,
  id: number,
): Promise<Run> =>
  context.transaction(async (trx) => {
    const schedule = (await lockSchedules(trx, [id])).get(id)
    if (!schedule) throw notFound()
    const integration = await readIntegration(trx, schedule.integration_id)
    if (!isRunning(integration)) throw invalidField('status', say('must_be_active'))
    if (isBusy(schedule, await unfinishedRuns(trx, [integration.id]))) {
      throw invalidField('schedule', say('schedule_running'))
    }
    const { resource: action, payload } = schedule
    const run = await startStep(context, trx, integration, { action, fields: fieldsOf(payload), scheduleId: id })
    await markRun(trx, id)
    return run
  })
