import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { Run } from './run.ts'
import { insertRun } from './run-store.ts'

/** Long work, and the fact that starts it: both in the caller's transaction. */
export async function queueRun(
  context: Pick<Context, 'record'>,
  trx: Db,
  integrationId: number,
  input: Parameters<typeof insertRun>[2],
): Promise<Run> {
  const run = await insertRun(trx, integrationId, input)
  await context.record(trx, 'run.queued', { integrationId, runId: run.id })
  return run
}
