import { Type } from 'typebox'
import { offers } from '../../../commerce/action.ts'
import { connectorFor } from '../../../commerce/connectors.ts'
import { type Node, onEachNode } from '../../../runtime/db/citus/nodes.ts'
import { databaseTime } from '../../../runtime/db/database-time.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import { countConnected, takeUncompared } from '../../integrations/integration-store.ts'
import { queueRun } from '../../runs/queue-run.ts'
import { comparisonsDue } from './comparisons-due.ts'

const atOnce = 50
const passesADay = 144

/**
 * How many are begun every ten minutes: half as many again as it takes to have all compared within a day, so that what was
 * missed while nobody was there is made up for without a rush.
 */
export const comparisonsPerPass = (connected: number): number =>
  Math.max(200, Math.ceil((connected / passesADay) * 1.5))

/** Messages from shops get lost, and nobody notices. So every copy is compared with its shop once a day. */
export const queueComparisons = job({
  name: 'queue-comparisons',
  input: Type.Object({}),
  run: async (context: Context, _input, { signal }) => {
    let left = comparisonsPerPass(await countConnected(context.db))
    await onEachNode(context, async (node) => {
      while (left > 0 && !signal.aborted) {
        const limit = Math.min(atOnce, left)
        left -= limit
        if ((await queueBatch(context, limit, node)) < limit) return
      }
    })
  },
})

/** A few in a transaction, so that it is short, and nothing is lost if the next ones fail. */
const queueBatch = (context: Context, limit: number, node: Node): Promise<number> =>
  context.transaction(async (trx) => {
    const now = Date.parse(await databaseTime(trx))
    const due = await takeUncompared(trx, { types: typesCompared(context), limit, node })
    for (const { id, completeness, ...service } of due) {
      const connector = connectorFor(context.connectors, service)
      for (const input of connector ? comparisonsDue(connector, { completeness, now }) : []) {
        await queueRun(context, trx, id, { resource: 'reconcile', input })
      }
    }
    return due.length
  })

const typesCompared = ({ connectors }: Pick<Context, 'connectors'>): string[] =>
  [...connectors].flatMap(([type, connector]) => (offers(connector, 'reconcile') ? [type] : []))
