import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { leavePool } from './manage-pool.ts'
import { poolOfShop } from './pool-store.ts'

/**
 * Of a shop whose orders are being removed nobody would ever release what they hold back, and if it came back it would have other orders: it shares no stock
 * any longer, until somebody puts it into the pool again.
 */
export const leaveStock = job({
  name: 'leave-stock',
  input: Type.Object({ integrationId: Type.Integer() }),
  run: async (context: Pick<Context, 'db' | 'transaction' | 'enqueue'>, { integrationId }) => {
    const pool = await poolOfShop(context.db, integrationId)
    if (pool !== null) await leavePool(context, pool, integrationId)
  },
})
