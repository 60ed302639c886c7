import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteOldOperations } from './operation-store.ts'

/** Changes in shops that have been over for a month. */
export const pruneOperations = job({
  name: 'prune-operations',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'db'>, _input, { signal }) => {
    while (!signal.aborted && (await deleteOldOperations(context.db)));
  },
})
