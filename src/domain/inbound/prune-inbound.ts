import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { keepEras } from './eras/keep-eras.ts'
import { deleteOldDeliveries, emptyOldDeliveries } from './inbound-list-store.ts'

/** What was processed keeps its content for a week, in case somebody asks; that it came is known for a month. What waits to be processed is kept. */
const contentDays = 7
const keptDays = 30

export const pruneInbound = job({
  name: 'prune-inbound',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'db' | 'transaction'>, _input, { signal }) => {
    const from = await keepEras(context, keptDays)
    while (!signal.aborted && (await deleteOldDeliveries(context.db, keptDays, from)));
    let after: string | null = null
    do after = await emptyOldDeliveries(context.db, contentDays, after)
    while (after !== null && !signal.aborted)
  },
})
