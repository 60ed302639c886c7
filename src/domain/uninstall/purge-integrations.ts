import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { beginPurge, endPurge, purgeSome, toPurge } from './purge-store.ts'

/** A merchant may come back to what there was; after this long it is removed. */
const keptDays = 30
const atOnce = 20

/** Removes what the shops had given us that we have left. */
export const purgeIntegrations = job({
  name: 'purge-integrations',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'db' | 'transaction'>, _input, { signal }) => {
    for (const id of await toPurge(context.db, { days: keptDays, limit: atOnce })) {
      await context.transaction(async (trx) => {
        if (!(await beginPurge(trx, id))) return
        while (await purgeSome(trx, id)) signal.throwIfAborted()
        await endPurge(trx, id)
      })
    }
  },
})
