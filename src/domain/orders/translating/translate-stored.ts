import { Type } from 'typebox'
import type { Connector } from '../../../commerce/connector.ts'
import { connectorFor } from '../../../commerce/connectors.ts'
import type { ShopFacts } from '../../../commerce/shop.ts'
import { job } from '../../../runtime/jobs/job.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import { readIntegration } from '../../integrations/integration-store.ts'
import { factsOf } from '../../shop/shop-remote.ts'
import type { SyncedOrder } from '../order.ts'
import { upsertOrders } from '../order-upsert-store.ts'
import { syncedOrder } from '../synced-order.ts'
import {
  integrationsWithUntranslated,
  markUntranslatable,
  type UntranslatedOrder,
  untranslatedOrders,
} from './untranslated-store.ts'

const integrationsAtOnce = 50
const ordersAtOnce = 200

/**
 * Brings orders up to date that an earlier version stored without their details. The shop's own record is here, and
 * translators need nothing else: no shop is asked. What an order says of itself may change by that (an unpaid one was
 * `PENDING`), so it is stored as if the shop had just reported it.
 */
export const translateStored = job({
  name: 'translate-stored',
  input: Type.Object({}),
  oneAtATime: () => 'translate-stored',
  run: async (context: Context, _input, { signal }) => {
    for (const id of await integrationsWithUntranslated(context.db, integrationsAtOnce)) {
      const integration = await readIntegration(context.db, id)
      while (!signal.aborted && (await translateSome(context, integration)) === ordersAtOnce);
    }
  },
})

async function translateSome(context: Context, integration: Integration): Promise<number> {
  const stored = await untranslatedOrders(context.db, integration.id, ordersAtOnce)
  if (stored.length === 0) return 0
  const connector = connectorFor(context.connectors, integration)
  const facts = connector && factsOf(connector, integration)
  const orders = facts ? stored.flatMap((order) => translate(connector, facts, order)) : []
  await context.transaction(async (trx) => {
    await upsertOrders(trx, integration.id, { ids: [], orders, quietly: true })
    // Whatever is left: nobody comes back to it.
    await markUntranslatable(
      trx,
      integration.id,
      stored.map(({ id }) => id),
    )
  })
  return stored.length
}

function translate(connector: Connector, facts: ShopFacts, stored: UntranslatedOrder): SyncedOrder[] {
  try {
    const order = connector.orders && syncedOrder(connector, connector.orders.translate(stored.remote_payload, facts))
    return order?.remote_id === stored.remote_id ? [order] : []
  } catch {
    return []
  }
}
