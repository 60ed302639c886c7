import { Type } from 'typebox'
import { offers } from '../../../commerce/action.ts'
import { connectorFor } from '../../../commerce/connectors.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { LongAction } from '../../actions/perform-action.ts'
import type { Context } from '../../context.ts'
import { readIntegration } from '../../integrations/integration-store.ts'
import { queueRun } from '../../runs/queue-run.ts'
import { queuedResources } from '../../runs/run-store.ts'

const first: readonly LongAction[] = ['sync_orders', 'sync_products', 'sync_inventory']

/** A shop that has let us in is read without anybody asking. What waits already is not queued twice. */
export const startFirstSync = job({
  name: 'start-first-sync',
  input: Type.Object({ integrationId: Type.Integer() }),
  run: async (context: Context, { integrationId }) => {
    const connector = connectorFor(context.connectors, await readIntegration(context.db, integrationId))
    if (!connector) return
    await context.transaction(async (trx) => {
      const queued = await queuedResources(trx, integrationId)
      for (const resource of first) {
        if (!offers(connector, resource) || queued.has(resource)) continue
        await queueRun(context, trx, integrationId, { resource, input: {} })
      }
    })
  },
})
