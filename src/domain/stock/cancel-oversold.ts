import { Type } from 'typebox'
import { because, Fault } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { cancelOrder } from '../orders/cancel-order.ts'
import { findOrder } from '../orders/order-store.ts'
import { isStillShort, type Oversold } from './oversold.ts'
import { rulesOf, shopOf } from './pool-store.ts'
import type { Pool } from './stock.ts'

/**
 * Cancels an order for which nothing is left, where the rule of its shop says so. Looked at again before it is done: what was
 * short may have come in since.
 */
export const cancelOversold = job({
  name: 'cancel-oversold',
  input: Type.Object({ integrationId: Type.Integer(), orderId: Type.Integer(), articleId: Type.Integer() }),
  oneAtATime: ({ articleId }) => `article:${articleId}`,
  run: async (context: Context, { integrationId, orderId, articleId }) => {
    const shop = await shopOf(context.db, integrationId)
    if (!shop?.cancel_oversold || !(await isStillShort(context.db, { integrationId, orderId, articleId }))) return
    const integration = await readIntegration(context.db, integrationId)
    const order = await findOrder(context.db, integrationId, orderId)
    try {
      await cancelOrder(context, integration, { order, reason: 'Out of stock' })
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== 'invalid') throw error
      // It has left, or the shop does not take cancellations: somebody was told by `stock.oversold`.
      await appendLog(context.db, integrationId, {
        level: 'warning',
        event: 'stock.not_cancelled',
        words: logWords('stock.not_cancelled', { reason: because(error) }),
        context: { order_id: orderId },
      })
    }
  },
})

/** In the transaction that found them, where the pool is on. */
export async function cancelShort(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  pool: Pool,
  found: readonly Oversold[],
): Promise<void> {
  if (pool.mode !== 'on') return
  const short = found.flatMap(({ article_id: articleId, orders }) =>
    orders
      .filter((one) => one.is_short)
      .map(({ integration_id: integrationId, order_id: orderId }) => ({ integrationId, orderId, articleId })),
  )
  if (short.length === 0) return
  const rules = await rulesOf(trx, [...new Set(short.map(({ integrationId }) => integrationId))])
  for (const { integrationId, orderId, articleId } of short) {
    if (!rules.get(integrationId)?.cancel_oversold) continue
    const key = `${integrationId}:${orderId}:${articleId}`
    await context.enqueue(trx, cancelOversold, { integrationId, orderId, articleId }, { key })
  }
}
