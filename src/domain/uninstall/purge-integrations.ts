import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { beginPurge, endPurge, lockOverdue, purgeSome, toPurge } from './purge-store.ts'

const atOnce = 100

/** Removes what the shops had given us that we have left, until nothing is overdue. One that cannot be does not keep the others. */
export const purgeIntegrations = job({
  name: 'purge-integrations',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  oneAtATime: () => 'purge-integrations',
  run: async (context: Pick<Context, 'db' | 'transaction' | 'record'>, _input, { signal }) => {
    const failed = new Map<number, unknown>()
    for (;;) {
      const ids = await toPurge(context.db, { limit: atOnce, except: [...failed.keys()] })
      if (ids.length === 0) break
      for (const id of ids) {
        signal.throwIfAborted()
        await purgeIntegration(context, id, signal).catch((error: unknown) => failed.set(id, error))
      }
    }
    if (failed.size > 0) throw new AggregateError(failed.values(), `Not purged: integrations ${[...failed.keys()]}.`)
  },
})

/** In many short transactions, whatever the size of the shop; stops where somebody connects it again. */
export async function purgeIntegration(
  context: Pick<Context, 'transaction' | 'record'>,
  id: number,
  signal?: AbortSignal,
): Promise<void> {
  let goOn = await context.transaction(async (trx) => {
    if (!(await beginPurge(trx, id))) return false
    await context.record(trx, 'integration.purged', { integrationId: id })
    return true
  })
  while (goOn) {
    signal?.throwIfAborted()
    goOn = await context.transaction(async (trx) => {
      if (!(await lockOverdue(trx, id))) return false
      if (await purgeSome(trx, id)) return true
      await endPurge(trx, id)
      return false
    })
  }
}
