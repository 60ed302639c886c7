import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { dropOldMonths, makeMonth, monthsAhead } from './log-months-store.ts'

const ahead = 2
const keptMonths = 3

/** Makes the log's next months before they begin, and drops those that nobody reads any longer. */
export const keepLogMonths = job({
  name: 'keep-log-months',
  input: Type.Object({}),
  run: async (context: Pick<Context, 'db'>) => {
    for (const month of await monthsAhead(context.db, ahead)) await makeMonth(context.db, month)
    await dropOldMonths(context.db, keptMonths)
  },
})
