import { type ActionName, offers } from '../../commerce/action.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { Context } from '../context.ts'
import { builtInServiceIds } from '../services/catalogue-store.ts'
import type { FlowDefinition } from './flow.ts'
import { catalogueFlowNames, insertFlow } from './flow-store.ts'

/** What the catalogue brings for every service that can do it. Manual, so that nothing starts unasked. */
const recipes: readonly { name: string; description: string; actions: readonly ActionName[] }[] = [
  {
    name: 'Import everything',
    description: 'Brings products, stock and orders up to date, in this order.',
    actions: ['sync_products', 'sync_inventory', 'sync_orders'],
  },
  { name: 'Import orders', description: 'Brings the orders up to date.', actions: ['sync_orders'] },
  { name: 'Check the connection', description: 'Asks the shop something small.', actions: ['test_connection'] },
]

/** Run at each start, after the services themselves are there. */
export async function syncCatalogueFlows(context: Pick<Context, 'transaction' | 'connectors'>): Promise<void> {
  await context.transaction(async (trx) => {
    const services = await builtInServiceIds(trx)
    const known = new Set((await catalogueFlowNames(trx)).map((flow) => `${flow.service_id}:${flow.name}`))
    for (const [type, serviceId] of services) {
      const connector = context.connectors.get(type)
      const flows = connector ? flowsFor(connector, serviceId) : []
      for (const flow of flows) if (!known.has(`${serviceId}:${flow.name}`)) await insertFlow(trx, null, flow)
    }
  })
}

const flowsFor = (connector: Connector, serviceId: number): FlowDefinition[] =>
  recipes.flatMap(({ name, description, actions }) => {
    const steps = actions.filter((action) => offers(connector, action)).map((action) => ({ action }))
    if (steps.length === 0) return []
    return [{ name, description, type: 'manual', service_id: serviceId, trigger: {}, steps, active: true }]
  })
