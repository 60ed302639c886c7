import { Type } from 'typebox'
import { offers } from '../../../commerce/action.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { takeUncompared } from '../../integrations/integration-store.ts'
import { queueRun } from '../../runs/queue-run.ts'
import { wholeAt } from '../completeness.ts'
import { databaseTime } from '../sync-store.ts'

/** At once; those left over have their turn ten minutes later. */
const maxPerRun = 200
const dayMs = 86_400_000
const windowDays = 30
const wholeEveryDays = 7

/**
 * Messages from shops get lost, and nobody notices. So every copy is compared with its shop once a day over the
 * last month, and once a week from the beginning.
 */
export const queueComparisons = job({
  name: 'queue-comparisons',
  input: Type.Object({}),
  run: async (context: Context) => {
    const types = [...context.connectors].flatMap(([type, connector]) => (offers(connector, 'reconcile') ? [type] : []))
    await context.transaction(async (trx) => {
      const now = Date.parse(await databaseTime(trx))
      for (const { id, completeness } of await takeUncompared(trx, { types, limit: maxPerRun })) {
        const whole = wholeAt(completeness)
        const isDue = whole === null || Date.parse(whole) < now - wholeEveryDays * dayMs
        const since = isDue ? null : toTimestamp(new Date(now - windowDays * dayMs))
        await queueRun(context, trx, id, { resource: 'reconcile', input: { updated_since: since } })
      }
    })
  },
})
