import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { type EventType, testEvent } from '../events/event.ts'
import { emitTo } from '../events/event-store.ts'
import { sampleOf } from '../events/samples.ts'
import type { Delivery, DeliveryState } from './delivery.ts'
import { findDelivery, restartDeliveries, restartDelivery } from './delivery-store.ts'
import { isAppOff } from './hold-store.ts'
import type { Subscription } from './subscription.ts'

/** Sent once more, under the same id, and tried again as if it were new. */
export async function replayDelivery(
  context: Pick<Context, 'transaction'>,
  webhook: Subscription,
  delivery: Delivery,
): Promise<Delivery> {
  return await context.transaction(async (trx) => {
    await assertEnabled(trx, webhook)
    return await restartDelivery(trx, webhook.id, delivery.id)
  })
}

/** What was missed in a time: by default all that failed or was held. How many. */
export async function replayRange(
  context: Pick<Context, 'transaction'>,
  webhook: Subscription,
  range: { since: string; until?: string | null | undefined; states?: readonly DeliveryState[] | undefined },
): Promise<number> {
  const { since, until = null, states = ['failed', 'held'] } = range
  return await context.transaction(async (trx) => {
    await assertEnabled(trx, webhook)
    return await restartDeliveries(trx, webhook.id, { since, until, states })
  })
}

/**
 * A message that shows whether the endpoint works: one of its own, or a sample of an event, whether the webhook listens to
 * that or not. It takes the way of all others.
 */
export async function testWebhook(
  context: Pick<Context, 'transaction'>,
  webhook: Subscription,
  type?: EventType,
): Promise<Delivery> {
  const message = type
    ? { type, data: sampleOf(type) }
    : { type: testEvent, data: { webhook_id: webhook.id, message: 'This is a test.' } }
  return await context.transaction(async (trx) => {
    await assertEnabled(trx, webhook)
    return await findDelivery(trx, webhook.id, await emitTo(trx, webhook, message))
  })
}

async function assertEnabled(trx: Db, { active, disabled_at, app_id: appId }: Subscription): Promise<void> {
  if (!active || disabled_at !== null) throw invalidField('active', 'The webhook is switched off.')
  if (appId !== null && (await isAppOff(trx, appId))) throw invalidField('active', 'The app is switched off.')
}
