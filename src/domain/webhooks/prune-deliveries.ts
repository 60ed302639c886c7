import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteExpiredCatchers } from './catcher-store.ts'
import { pruneSome } from './delivery-store.ts'

/** Events, deliveries and attempts of more than a month ago, and what the catchers have caught. */
export const pruneDeliveries = job({
  name: 'prune-deliveries',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'db'>, _input, { signal }) => {
    await deleteExpiredCatchers(context.db)
    while (await pruneSome(context.db)) signal.throwIfAborted()
  },
})
