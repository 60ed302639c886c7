import { Fault, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { connectedOfType, readIntegration } from '../integrations/integration-store.ts'
import { connectorOf } from '../shop/shop-remote.ts'
import { countLive } from './compare-live.ts'
import { countInto } from './compare-orders.ts'
import { type Counting, countDifferences, type Differences } from './differences.ts'

const integrationsAtOnce = 100

/**
 * What the connector of this version makes of the stored orders of every connected shop, beside what is stored; and of what the shops
 * send now, where that is asked for.
 */
export async function compareType(
  context: Pick<Context, 'db' | 'connectors'> & Parameters<typeof countLive>[1],
  type: string,
  { max, live = false }: { max: number; live?: boolean },
): Promise<Differences & { shops: number; live: Differences | null }> {
  if (!context.connectors.has(type)) throw invalidField('type', `There is no connector "${type}".`)
  const counting = countDifferences()
  const sent = countDifferences()
  let [shops, after] = [0, 0]
  for (;;) {
    const ids = await connectedOfType(context.db, type, { after, limit: integrationsAtOnce, node: 'all' })
    for (const id of ids) {
      const integration = await readIntegration(context.db, id)
      const next = connectorOf(context, integration)
      if (next.orders) {
        await countInto(counting, context, integration, { next, max })
        if (live) await countLive(sent, context, integration, { next }).catch((error) => countAway(sent, id, error))
      }
      shops += 1
      after = id
    }
    if (ids.length < integrationsAtOnce) return { shops, ...counting.result(), live: live ? sent.result() : null }
  }
}

/** A shop that does not answer is no reason to leave out the others. */
function countAway(counting: Counting, integrationId: number, error: unknown): void {
  if (!(error instanceof Fault)) throw error
  counting.fail(`integration ${integrationId}`, `The shop was asked in vain: ${error.message}`)
}
