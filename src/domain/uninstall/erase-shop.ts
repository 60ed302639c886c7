import { Type } from 'typebox'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { purgeIntegration } from './purge-integrations.ts'
import { lockLeft, purgeAtOnce } from './purge-store.ts'

/** Platforms give thirty days. What was asked for by mistake, or by somebody else, is noticed before it is done. */
const eraseAfterSeconds = 7 * 86_400

/**
 * The platform wants all data of a shop deleted that has left us: that happens later, and the app is told now. False for one
 * that has not left, or of which nothing is left. Part of a transaction.
 */
export async function scheduleErasure(
  { enqueue }: Pick<Context, 'enqueue'>,
  trx: Db,
  integrationId: number,
  requestedAt: string,
): Promise<boolean> {
  const left = await lockLeft(trx, integrationId)
  if (left === null) return false
  const options = { startAfterSeconds: eraseAfterSeconds, key: `erase:${integrationId}:${left}` }
  await enqueue(trx, eraseShop, { integrationId, left }, options)
  const eraseAt = toTimestamp(new Date(Date.now() + eraseAfterSeconds * 1000))
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'privacy.erasure_scheduled',
    words: logWords('privacy.erasure_scheduled'),
    context: { erase_at: eraseAt },
  })
  const href = `/api/2.0/app/integrations/${integrationId}`
  const data = { integration_id: integrationId, requested_at: requestedAt, erase_at: eraseAt, href }
  const subject = `integration:${integrationId}`
  await emitEvents(trx, [newEvent('privacy.erasure_scheduled', { integrationId }, { subject, data })])
  return true
}

/** Who has come back since, even if only for a while, is not meant. */
export const eraseShop = job({
  name: 'erase-shop',
  input: Type.Object({ integrationId: Type.Integer(), left: Type.String() }),
  maxRunSeconds: 3600,
  run: async (context: Pick<Context, 'transaction' | 'record'>, { integrationId, left }, { signal }) => {
    const due = await context.transaction(async (trx) => {
      if ((await lockLeft(trx, integrationId)) !== left) return false
      await purgeAtOnce(trx, integrationId)
      await appendLog(trx, integrationId, {
        level: 'info',
        event: 'privacy.shop_redact',
        words: logWords('privacy.shop_redact'),
      })
      return true
    })
    // What is not done here, because the worker dies, is overdue for the next purge.
    if (due) await purgeIntegration(context, integrationId, signal)
  },
})
