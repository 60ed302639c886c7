import { Type } from 'typebox'
import { toTimestamp } from '../../lib/timestamp.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import type { ErasureShop } from '../erasures/erasure.ts'
import { completeErasure, completeShop, openErasures, restartShop, shopsOfErasure } from '../erasures/erasure-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { eraseFromOrders } from './erase-from-orders.ts'
import { eraseFromTexts } from './erase-from-texts.ts'

/** In small steps, each of which says where the next one goes on: whoever takes it up after a kill repeats nothing. */
export const performErasure = job({
  name: 'perform-erasure',
  input: Type.Object({ erasureId: Type.Integer() }),
  maxRunSeconds: 3600,
  oneAtATime: ({ erasureId }) => `erasure:${erasureId}`,
  run: async (context: Pick<Context, 'db' | 'transaction'>, { erasureId }, { signal }) => {
    for (const shop of await shopsOfErasure(context.db, erasureId)) {
      if (shop.completed_at === null) await eraseFromShop(context, shop, signal)
    }
    await completeErasure(context.db, erasureId)
  },
})

/** What had to wait, and what a worker has left behind. */
export const resumeErasures = job({
  name: 'resume-erasures',
  input: Type.Object({}),
  run: async ({ db, transaction, enqueue }: Pick<Context, 'db' | 'transaction' | 'enqueue'>) => {
    const atOnce = 500
    for (let after = 0; ; ) {
      const ids = await openErasures(db, { after, limit: atOnce })
      await transaction(async (trx) => {
        for (const erasureId of ids) await enqueue(trx, performErasure, { erasureId }, { key: `erasure:${erasureId}` })
      })
      after = ids.at(-1) ?? 0
      if (ids.length < atOnce) return
    }
  },
})

async function eraseFromShop(
  context: Pick<Context, 'db' | 'transaction'>,
  shop: ErasureShop,
  signal: AbortSignal,
): Promise<void> {
  const at = toTimestamp(new Date())
  if (shop.at_table === null) while (await eraseFromOrders(context, shop, at)) signal.throwIfAborted()
  const { waiting, touched } = await eraseFromTexts(context, shop, signal)
  if (waiting > 0) return await restartShop(context.db, shop)
  await context.transaction(async (trx) => {
    await completeShop(trx, shop)
    await appendLog(trx, shop.integration_id, {
      level: 'info',
      event: 'privacy.customer_erased',
      words: logWords('privacy.customer_erased', { orders: touched['orders'] ?? 0 }),
      context: touched,
    })
  })
}
