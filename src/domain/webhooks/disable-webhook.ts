import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import { newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { holdDeliveries } from './delivery-store.ts'
import type { DisabledReason, Subscription } from './subscription.ts'
import { markDisabled } from './subscription-store.ts'

/** Nothing more is sent to this endpoint until its owner says so; what happens meanwhile is kept for them. */
export async function disableWebhook(
  context: Pick<Context, 'transaction'>,
  endpoint: Pick<Subscription, 'id' | 'url'>,
  reason: DisabledReason,
): Promise<void> {
  await context.transaction(async (trx) => {
    const webhook = await markDisabled(trx, endpoint, reason)
    if (!webhook) return
    const { id } = webhook
    await holdDeliveries(trx, id)
    await announce(trx, 'webhook', id)
    if (webhook.integration_id !== null) {
      await appendLog(trx, webhook.integration_id, {
        level: 'error',
        event: 'webhook.disabled',
        words: logWords(`webhook.disabled_${reason}`),
        context: { webhook_id: id, url: webhook.url, reason },
      })
    }
    if (webhook.app_id !== null) await emitEvents(trx, [notice(webhook, webhook.app_id, reason)])
  })
}

const notice = (webhook: Subscription, appId: number, reason: DisabledReason) =>
  newEvent(
    'webhook.disabled',
    { appId },
    {
      subject: `webhook:${webhook.id}`,
      data: {
        id: webhook.id,
        url: webhook.url,
        reason,
        failing_since: webhook.failing_since,
        disabled_at: webhook.disabled_at ?? webhook.updated_at,
        href: `/api/2.0/user/apps/${appId}/webhooks/${webhook.id}`,
      },
    },
  )
