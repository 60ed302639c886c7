import type { Connector } from '../../commerce/connector.ts'
import type { Shop } from '../../commerce/shop.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import type { Integration } from '../integrations/integration.ts'
import { openShop } from '../shop/open-remote.ts'
import { failureOf, type Reading, read } from './compare-orders.ts'
import { countDifferences, type Differences } from './differences.ts'

/** As many orders as the shop gives on its first page, and no more than this. */
const window = 50

/**
 * The first page of orders, asked of the shop by both descriptions: what changes in how it is asked shows only there. Only
 * questions are asked, and nothing is stored.
 */
export async function compareLive(
  context: Parameters<typeof openShop>[0],
  integration: Integration,
  { next, present }: { next: Connector; present: Connector },
): Promise<Differences> {
  const { shop } = await openShop(context, integration)
  const before = await firstOrders(shop, present)
  const after = await firstOrders(shop, next)
  const counting = countDifferences()
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id) ?? notThere, after.get(id) ?? notThere]
    if ('row' in was && 'row' in is) counting.add(id, was.row, is.row)
    else counting.fail(id, failureOf(was, is))
  }
  return counting.result()
}

const notThere: Reading = { reason: 'It is not on the first page.' }

async function firstOrders(shop: Shop, connector: Connector): Promise<Map<string, Reading>> {
  const question = { updatedSince: null, statuses: [], cursor: null, limit: window }
  const page = await connector.orders?.list(shop, question)
  const found = new Map<string, Reading>()
  await inTurns((page?.items ?? []).slice(0, window), (raw) => {
    const reading = read(connector, shop, raw)
    // What has no id that we understand is known by where it stands.
    found.set('row' in reading ? String(Object(reading.row)['remote_id']) : `record ${found.size + 1}`, reading)
  })
  return found
}
