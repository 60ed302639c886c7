import type { Connector } from '../../commerce/connector.ts'
import type { Shop } from '../../commerce/shop.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import type { Integration } from '../integrations/integration.ts'
import { storedOrders } from '../orders/privacy/raw-order-store.ts'
import { openShop } from '../shop/open-remote.ts'
import { failureOf, likeStored, type Reading, read } from './compare-orders.ts'
import { type Counting, countDifferences, type Differences } from './differences.ts'

/** As many orders as the shop gives on its first page, and no more than this. */
const window = 50

interface Comparing {
  next: Connector
  /** Left out, what is stored stands for it: the work of an earlier version. */
  present?: Connector
}

/**
 * The first page of orders, asked of the shop: what changes in how it is asked shows only there. Only questions are asked, and
 * nothing is stored.
 */
export async function countLive(
  counting: Counting,
  context: Parameters<typeof openShop>[0],
  integration: Integration,
  { next, present }: Comparing,
): Promise<void> {
  const { shop } = await openShop(context, integration)
  if (!present) return await besideStored(counting, context, integration, await firstOrders(shop, next))
  const before = await firstOrders(shop, present)
  const after = await firstOrders(shop, next)
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id) ?? notThere, after.get(id) ?? notThere]
    if ('row' in was && 'row' in is) counting.add(id, was.row, is.row)
    else counting.fail(id, failureOf(was, is))
  }
}

export async function compareLive(
  context: Parameters<typeof openShop>[0],
  integration: Integration,
  comparing: Comparing,
): Promise<Differences> {
  const counting = countDifferences()
  await countLive(counting, context, integration, comparing)
  return counting.result()
}

const notThere: Reading = { reason: 'It is not on the first page.' }

/** What is new, or has changed in the shop since it was stored, says nothing of the connector and is left out. */
async function besideStored(
  counting: Counting,
  { db }: Parameters<typeof openShop>[0],
  integration: Integration,
  found: ReadonlyMap<string, Reading>,
): Promise<void> {
  const stored = new Map(
    (await storedOrders(db, integration.id, [...found.keys()])).map((order) => [order.remote_id, order]),
  )
  for (const [id, is] of found) {
    const was = stored.get(id)
    if ('reason' in is) counting.fail(id, failureOf({ row: {} }, is))
    else if (was && was.remote_version === Object(is.row)['remote_version'])
      counting.add(id, was.row, likeStored(is.row))
  }
}

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
