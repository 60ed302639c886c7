import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { connectedOfType, readIntegration } from '../integrations/integration-store.ts'
import { connectorOf } from '../shop/shop-remote.ts'
import { countInto } from './compare-orders.ts'
import { countDifferences, type Differences } from './differences.ts'

const integrationsAtOnce = 100

/** What the connector of this version makes of the stored orders of every connected shop, beside what is stored. */
export async function compareType(
  context: Pick<Context, 'db' | 'connectors'>,
  type: string,
  max: number,
): Promise<Differences & { shops: number }> {
  if (!context.connectors.has(type)) throw invalidField('type', `There is no connector "${type}".`)
  const counting = countDifferences()
  let [shops, after] = [0, 0]
  for (;;) {
    const ids = await connectedOfType(context.db, type, { after, limit: integrationsAtOnce, node: 'all' })
    for (const id of ids) {
      const integration = await readIntegration(context.db, id)
      const next = connectorOf(context, integration)
      if (next.orders) await countInto(counting, context, integration, { next, max })
      shops += 1
      after = id
    }
    if (ids.length < integrationsAtOnce) return { shops, ...counting.result() }
  }
}
