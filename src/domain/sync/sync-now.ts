import { setTimeout as sleep } from 'node:timers/promises'
import { checkAction, type LongAction } from '../actions/perform-action.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import type { Run } from '../runs/run.ts'
import { cancelRun, findRun, insertRun } from '../runs/run-store.ts'
import { workRun } from './work-run.ts'

/**
 * The same as the action, without queue and worker: returns when it is done. For another run that has the integration,
 * and for a shop that is away, it waits no longer than `patienceSeconds`; then the run is cancelled.
 */
export async function syncNow(
  context: Context,
  { id: integrationId }: Pick<Integration, 'id'>,
  resource: LongAction,
  fields: Record<string, unknown> = {},
  patienceSeconds = 0,
): Promise<Run> {
  const { id: runId } = await insertRun(context.db, integrationId, { resource, input: checkAction(resource, fields) })
  const { signal } = new AbortController()
  const deadline = performance.now() + patienceSeconds * 1000
  for (;;) {
    const seconds = await workRun(context, { integrationId, runId }, signal)
    if (seconds === null) break
    if (seconds > 0 && performance.now() + seconds * 1000 > deadline) {
      await cancelRun(context.db, integrationId, runId)
      break
    }
    await sleep(seconds * 1000)
  }
  return await findRun(context.db, integrationId, runId)
}
