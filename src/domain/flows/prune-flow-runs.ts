import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteOldFlowRuns } from './flow-run-store.ts'

/** As long as the log, which has the rest of the story. */
const keptDays = 90

/** Removes what nobody looks at any longer. */
export const pruneFlowRuns = job({
  name: 'prune-flow-runs',
  input: Type.Object({}),
  run: async (context: Pick<Context, 'db'>, _input, { signal }) => {
    while (!signal.aborted && (await deleteOldFlowRuns(context.db, keptDays)));
  },
})
