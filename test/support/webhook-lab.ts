import type { Selectable } from 'kysely'
import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { type Sender, type SenderOptions, startSender } from '../../src/domain/webhooks/sender/start-sender.ts'
import type { Subscription } from '../../src/domain/webhooks/subscription.ts'
import { openListener } from '../../src/runtime/db/listener.ts'
import type { WebhookDeliveriesTable } from '../../src/runtime/db/tables.gen.ts'
import { createEgress } from '../../src/runtime/egress/egress.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { createTestContext } from './context.ts'
import type { Neighbours } from './database.ts'
import { makeIntegration } from './gateway.ts'
import { makeApp } from './identity.ts'

/** An app with an integration, and whatever sends its events. */
export interface WebhookLab {
  context: Context
  appId: number
  integration: Integration
  subscribe(url: string, events?: readonly string[]): Promise<{ webhook: Subscription; secret: string }>
  /** Of all webhooks of the app and of its integrations, in their order. */
  deliveries(): Promise<Selectable<WebhookDeliveriesTable>[]>
  startSender(options?: Partial<SenderOptions>): Promise<Sender>
  /** What senders have been told of changes, and have acted upon. */
  heard: readonly string[]
  /** Everything of the app that waits is due now. */
  hurry(): Promise<void>
  close(): Promise<void>
}

export async function openWebhookLab(neighbours?: Neighbours): Promise<WebhookLab> {
  const lab = await createTestContext(neighbours)
  const context = { ...lab.context, webhookAllow: ['127.0.0.1'] }
  const egress = createEgress({ allow: context.webhookAllow, log: context.log })
  const heard: string[] = []
  const closing: (() => Promise<unknown>)[] = [() => lab.close(), () => egress.close()]
  const appId = await makeApp(context, {})
  const { integration } = await makeIntegration(context, { appId })
  const webhooks = context.db.selectFrom('webhook_subscriptions').select('id').where('app_id', '=', appId)
  return {
    context,
    appId,
    integration,
    heard,
    async subscribe(url, events = ['*']) {
      const owner = { appId, integrationId: null }
      const { subscription, secret } = await createSubscription(context, owner, { url, events })
      return { webhook: subscription, secret }
    },
    deliveries: () =>
      context.db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('webhook_id', 'in', webhooks)
        .orderBy('id')
        .execute(),
    async startSender(options = {}) {
      const listener = openListener({ url: lab.url, log: context.log })
      const sender = startSender({
        context,
        send: egress.fetch,
        listener: {
          ...listener,
          on: (channel, handler) =>
            listener.on(channel, (payload) => {
              handler(payload)
              heard.push(payload)
            }),
        },
        metrics: createMetrics(),
        lookEveryMs: 50,
        ...options,
      })
      closing.push(
        () => listener.close(),
        () => sender.stop({ timeoutMs: 100 }),
      )
      return sender
    },
    async hurry() {
      await context.db
        .updateTable('webhook_deliveries')
        .set({ due_at: '2026-01-01T00:00:00Z' })
        .where('webhook_id', 'in', webhooks)
        .where('state', '=', 'pending')
        .where('lease_until', 'is', null)
        .execute()
    },
    async close() {
      for (const step of closing.reverse()) await step()
    },
  }
}
