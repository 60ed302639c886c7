import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteExpiredCatchers } from './catcher-store.ts'
import { pruneSome } from './delivery-store.ts'
import { endListeners } from './listeners/listen.ts'
import { keepRanges, keptDays } from './ranges/keep-ranges.ts'

/** Events, deliveries and attempts of more than a month ago, what the catchers have caught, and listeners that are gone. */
export const pruneDeliveries = job({
  name: 'prune-deliveries',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'db' | 'transaction'>, _input, { signal }) => {
    await deleteExpiredCatchers(context.db)
    await endListeners(context)
    const from = await keepRanges(context)
    while (await pruneSome(context.db, keptDays, from)) signal.throwIfAborted()
  },
})
