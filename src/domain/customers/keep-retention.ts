import { Type } from 'typebox'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { expiredMessages, inboundTexts } from '../inbound/inbound-texts-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { expiredOperations, operationTexts } from '../operations/operation-texts-store.ts'
import { deleteExpiredOrders } from '../orders/privacy/expired-orders-store.ts'
import { markRetained, type Retained, retainedIntegrations } from '../retention/retention-store.ts'
import { forgetOrders } from '../stock/following/release-orders.ts'
import { lockShop } from '../stock/pool-store.ts'

const integrationsAtOnce = 200
const rowsAtOnce = 500

type Keeping = Pick<Context, 'db' | 'transaction' | 'enqueue'>

/**
 * Deletes what apps do not want kept any longer, in short transactions, until nothing of it is left. Buyers are `forgetBuyers`'
 * part. One integration that fails does not keep the others.
 */
export const keepRetention = job({
  name: 'keep-retention',
  input: Type.Object({}),
  maxRunSeconds: 3600,
  oneAtATime: () => 'keep-retention',
  run: async (context: Keeping, _input, { signal }) => {
    const failed = new Map<number, unknown>()
    for (let after = 0; ; ) {
      const some = await retainedIntegrations(context.db, { after, limit: integrationsAtOnce })
      for (const one of some) {
        signal.throwIfAborted()
        await keepIntegration(context, one, signal).catch((error: unknown) => failed.set(one.id, error))
      }
      after = some.at(-1)?.id ?? 0
      if (some.length < integrationsAtOnce) break
    }
    if (failed.size > 0) throw new AggregateError(failed.values(), `Not retained: integrations ${[...failed.keys()]}.`)
  },
})

async function keepIntegration(context: Keeping, retained: Retained, signal: AbortSignal): Promise<void> {
  const { id, orders_days: ordersDays, messages_days: messagesDays } = retained
  if (ordersDays !== null) await deleteOrders(context, { id, days: ordersDays }, signal)
  if (messagesDays !== null) {
    for (const { expired, texts } of [
      { expired: expiredMessages, texts: inboundTexts },
      { expired: expiredOperations, texts: operationTexts },
    ]) {
      for (let some = rowsAtOnce; some === rowsAtOnce; ) {
        signal.throwIfAborted()
        const places = await expired(context.db, id, { days: messagesDays, limit: rowsAtOnce })
        if (places.length > 0) await context.transaction((trx) => texts.forget(trx, id, places))
        some = places.length
      }
    }
  }
  await markRetained(context.db, id)
}

async function deleteOrders(
  context: Keeping,
  { id, days }: { id: number; days: number },
  signal: AbortSignal,
): Promise<void> {
  let deleted = 0
  for (let some = rowsAtOnce; some === rowsAtOnce; deleted += some) {
    signal.throwIfAborted()
    some = await context.transaction((trx) => deleteSome(context, trx, { id, days }))
  }
  if (deleted === 0) return
  await context.transaction((trx) =>
    appendLog(trx, id, {
      level: 'info',
      event: 'retention.orders_deleted',
      words: logWords('retention.orders_deleted', { orders: deleted, days }),
      context: { orders: deleted, days },
    }),
  )
}

/**
 * Whoever has a copy of them is told in the same transaction, by when they were placed: there is no row left that could say so. So is the stock
 * that the shop shares with others: nobody would ever release what they held back.
 */
async function deleteSome(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  { id, days }: { id: number; days: number },
): Promise<number> {
  // Before the orders: whoever follows the shop has its lock first as well.
  const shop = await lockShop(trx, id)
  const deleted = await deleteExpiredOrders(trx, id, { days, limit: rowsAtOnce })
  const orders = deleted.length
  if (orders === 0) return 0
  if (shop !== null) await forgetOrders(context, trx, shop, deleted)
  const placedBefore = toTimestamp(new Date(Date.parse(await databaseTime(trx)) - days * 86_400_000))
  const href = `/api/2.0/app/integrations/${id}`
  const data = { integration_id: id, orders, placed_before: placedBefore, href }
  const event = newEvent('privacy.orders_expired', { integrationId: id }, { subject: `integration:${id}`, data })
  await emitEvents(trx, [event])
  return orders
}
