import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { checkAction, type LongAction } from '../integrations/perform-action.ts'
import type { Run } from '../integrations/run.ts'
import { cancelRun, findRun, insertRun } from '../integrations/run-store.ts'
import { workRun } from './work-run.ts'

/**
 * The same as the action, without queue and worker: returns when it is done. It does not wait for a shop that is away;
 * then the run is cancelled.
 */
export async function syncNow(
  context: Context,
  { id: integrationId }: Pick<Integration, 'id'>,
  resource: LongAction,
  fields: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Run> {
  const { id: runId } = await insertRun(context.db, integrationId, { resource, input: checkAction(resource, fields) })
  let seconds: number | null
  do seconds = await workRun(context, { integrationId, runId }, signal)
  while (seconds === 0)
  if (seconds !== null) await cancelRun(context.db, integrationId, runId)
  return await findRun(context.db, integrationId, runId)
}
