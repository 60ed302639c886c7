import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import { checkShops, checkUrl } from './create-subscription.ts'
import { holdDeliveries, releaseDeliveries } from './delivery-store.ts'
import type { Subscription, SubscriptionChanges } from './subscription.ts'
import { changeWebhook, lockWebhook } from './subscription-store.ts'

/**
 * Switched off, a webhook is sent nothing and collects nothing; what was under way waits. Switched on (also after it was
 * disabled), it gets what waits for it.
 */
export async function updateWebhook(
  context: Pick<Context, 'db' | 'transaction' | 'webhookAllow' | 'publicUrl'>,
  { id, app_id: appId }: Pick<Subscription, 'id' | 'app_id'>,
  changes: SubscriptionChanges,
): Promise<Subscription> {
  if (changes.url !== undefined) await checkUrl(context, { appId }, changes.url)
  await checkShops(context, { appId }, changes.integration_ids)
  return await context.transaction(async (trx) => {
    const before = await lockWebhook(trx, id)
    const after = await changeWebhook(trx, id, { ...changes, enable: changes.active === true })
    if (before.active && !after.active) await holdDeliveries(trx, id)
    await announce(trx, 'webhook', id)
    const wasMuted = !before.active || before.disabled_at !== null
    if (wasMuted && after.active && after.disabled_at === null) await releaseDeliveries(trx, id)
    return after
  })
}
