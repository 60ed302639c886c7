import { connectorFor } from '../../../commerce/connectors.ts'
import type { Context } from '../../context.ts'
import { integrationIfAny } from '../../integrations/integration-store.ts'
import { readWithin } from '../../integrations/messages-store.ts'
import { sharedMinutes } from '../../integrations/reading.ts'
import { lockShop, readPool } from '../pool-store.ts'
import { awaitsOrders, confirmRead } from './drift-store.ts'
import { followLevels, settleDrift } from './follow-levels.ts'
import { followOrders } from './follow-orders.ts'
import { clearMarks, marksOf } from './follow-store.ts'

type Needs = Pick<Context, 'db' | 'transaction' | 'connectors' | 'enqueue'>

const atOnce = 200

/**
 * Looks at what was marked in a shop, and brings the ledger and what other shops are to show up to it. Marks go after the commit: whoever dies in
 * between leaves them, and the next one finds nothing to book.
 */
export async function followShop(context: Needs, integrationId: number): Promise<'more' | 'done'> {
  const integration = await integrationIfAny(context.db, integrationId)
  let isSelling = false
  let isMore = false
  const marks = await context.transaction(async (trx) => {
    const shop = await lockShop(trx, integrationId)
    // Read under the lock: what is marked later is looked at later.
    const marked = await marksOf(trx, integrationId, atOnce)
    const orders = marked.filter(({ what }) => what.startsWith('order '))
    // Orders first and by themselves: what others wait for is not to wait for levels, and two rounds of locks do not cross.
    const found = orders.length > 0 ? orders : marked
    isMore = marked.length === atOnce || found.length < marked.length
    if (shop === null || integration === null || found.length === 0) return found
    const pool = await readPool(trx, shop.pool_id)
    const connector = connectorFor(context.connectors, integration)
    const { compares = false } = connector?.inventory ?? {}
    const about = { pool, shop, compares, isSandbox: connector?.type === 'sandbox' }
    isSelling = await followOrders(context, trx, about, idsIn(found, 'order ').map(Number))
    await followLevels(trx, pool, shop, idsIn(found, 'level '))
    return found
  })
  await clearMarks(context.db, integrationId, marks)
  if (isSelling) await readWithin(context.db, integrationId, sharedMinutes.selling)
  return isMore ? 'more' : 'done'
}

const idsIn = (marks: readonly { what: string }[], kind: 'order ' | 'level '): string[] =>
  marks.flatMap(({ what }) => (what.startsWith(kind) ? [what.slice(kind.length)] : []))

/** Looks whether what was noticed by hand still stands, now that orders have been read. */
export async function settleShop(context: Needs, integrationId: number): Promise<number> {
  let isAwaited = false
  const settled = await context.transaction(async (trx) => {
    const shop = await lockShop(trx, integrationId)
    if (shop === null) return 0
    const pool = await readPool(trx, shop.pool_id)
    if (pool.mode !== 'on') return 0
    await confirmRead(trx, shop)
    isAwaited = await awaitsOrders(trx, shop)
    return await settleDrift(context, trx, pool, shop)
  })
  // What the shop shows less was most likely sold, and nobody has told us: its orders are asked for.
  if (isAwaited) await readWithin(context.db, integrationId, 0)
  return settled
}
