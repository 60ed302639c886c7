import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteOldRuns, deleteQuietRuns } from './run-age-store.ts'

/** As long as the log, which has the rest of the story. */
const keptDays = 90

/** Removes runs that nobody looks at any longer. The latest of a kind stays, however old: it says when we last looked. */
export const pruneRuns = job({
  name: 'prune-runs',
  input: Type.Object({}),
  run: async (context: Pick<Context, 'db'>, _input, { signal }) => {
    while (!signal.aborted && (await deleteOldRuns(context.db, keptDays)) > 0);
    while (!signal.aborted && (await deleteQuietRuns(context.db)) > 0);
  },
})
