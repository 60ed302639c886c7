import { Type } from 'typebox'
import { offers } from '../../../commerce/action.ts'
import { connectorFor } from '../../../commerce/connectors.ts'
import { databaseTime } from '../../../runtime/db/database-time.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { takeUncompared } from '../../integrations/integration-store.ts'
import { queueRun } from '../../runs/queue-run.ts'
import { comparisonsDue } from './comparisons-due.ts'

/** At once; those left over have their turn ten minutes later. */
const maxPerRun = 200

/** Messages from shops get lost, and nobody notices. So every copy is compared with its shop once a day. */
export const queueComparisons = job({
  name: 'queue-comparisons',
  input: Type.Object({}),
  run: async (context: Context) => {
    const types = [...context.connectors].flatMap(([type, connector]) => (offers(connector, 'reconcile') ? [type] : []))
    await context.transaction(async (trx) => {
      const now = Date.parse(await databaseTime(trx))
      for (const { id, completeness, ...service } of await takeUncompared(trx, { types, limit: maxPerRun })) {
        const connector = connectorFor(context.connectors, service)
        for (const input of connector ? comparisonsDue(connector, { completeness, now }) : []) {
          await queueRun(context, trx, id, { resource: 'reconcile', input })
        }
      }
    })
  },
})
