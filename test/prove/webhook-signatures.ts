import { Webhook } from 'standardwebhooks'
import type { Context } from '../../src/domain/context.ts'
import { emitEvents } from '../../src/domain/events/event-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { rotateSecret } from '../../src/domain/webhooks/rotate-secret.ts'
import { openHookReceiver, type ReceivedHook } from '../support/hook-receiver.ts'
import { makeApp } from '../support/identity.ts'
import { openProgram } from '../support/program.ts'
import { isGenuine } from './support/hook-endpoint.ts'
import { proof } from './support/proof.ts'
import { settingsFor } from './support/settings.ts'
import { someEvents } from './support/some-events.ts'
import { until } from './support/until.ts'

/** The library that receivers use takes everything we send, before, during and after a rotation. */
export const webhookSignatures = proof({
  name: 'webhook-signatures',
  asked:
    '1,000 of 1,000 deliveries verify with the library `standardwebhooks` over a rotation: with both secrets for 24 hours, with the old one no longer after that',
  full: { deliveries: 1000 },
  quick: { deliveries: 60 },
  async run({ deliveries }, lab) {
    const receiver = await openHookReceiver()
    const settings = settingsFor(await lab.database('migrated'), { WEBHOOK_ALLOW: '127.0.0.1' })
    const program = await openProgram(settings, { works: true })
    const { context } = program
    try {
      const appId = await makeApp(context)
      const owner = { appId, integrationId: null }
      const made = await createSubscription(context, owner, { url: receiver.url, events: ['order.created'] })
      const part = Math.floor(deliveries / 3)
      const before = await send(context, appId, receiver.received, part)
      const { secret: fresh } = await rotateSecret(context, made.subscription)
      const during = await send(context, appId, receiver.received, part)
      // 24 hours later.
      await context.db.updateTable('webhook_old_secrets').set({ expires_at: new Date().toISOString() }).execute()
      const after = await send(context, appId, receiver.received, deliveries - 2 * part)
      const old = new Webhook(made.secret)
      const current = new Webhook(fresh)
      const taken = count(old, before) + Math.min(count(old, during), count(current, during)) + count(current, after)
      const oldLater = count(old, after)
      const wrong = count(current, before)
      return {
        measured: `${taken} of ${deliveries} verify; of ${during.length} during the rotation ${count(old, during)} with the old secret and ${count(current, during)} with the new one; of ${after.length} after it ${oldLater} with the old one`,
        pass: taken === deliveries && oldLater === 0 && wrong === 0,
      }
    } finally {
      await program.close()
      await receiver.close()
    }
  },
})

const count = (webhook: Webhook, hooks: readonly ReceivedHook[]): number =>
  hooks.filter(({ body, headers }) => isGenuine(webhook, body, headers)).length

async function send(
  context: Context,
  appId: number,
  received: readonly ReceivedHook[],
  events: number,
): Promise<readonly ReceivedHook[]> {
  const first = received.length
  await context.transaction((trx) => emitEvents(trx, someEvents(appId, first, events)))
  await until('all have arrived', async () => received.length >= first + events, { seconds: 60 })
  return received.slice(first)
}
