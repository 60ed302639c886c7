import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteSpent, spentRows } from './prune-store.ts'
import { deleteSpentKeys } from './signing-keys/signing-key-store.ts'

const batchSize = 5000

/** Takes away what has expired, in batches that each commit for themselves: no long lock, and no harm in stopping. */
export const pruneTokens = job({
  name: 'prune-tokens',
  input: Type.Object({}),
  oneAtATime: () => 'prune-tokens',
  run: async (context: Context, _input, { signal }) => {
    for (const rows of spentRows) {
      while (!signal.aborted && (await deleteSpent(context.db, rows, batchSize)) === batchSize);
    }
    await deleteSpentKeys(context.db)
  },
})
