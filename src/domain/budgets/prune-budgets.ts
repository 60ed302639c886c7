import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { deleteIdleBuckets } from './budget-store.ts'

/** Buckets of shops that nobody has asked anything for days: they would be full anyway. */
export const pruneBudgets = job({
  name: 'prune-budgets',
  input: Type.Object({}),
  run: (context: Pick<Context, 'db'>) => deleteIdleBuckets(context.db),
})
