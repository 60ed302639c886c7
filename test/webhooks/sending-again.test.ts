import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { findDelivery, readDelivery } from '../../src/domain/webhooks/delivery-store.ts'
import { replayDelivery, replayRange } from '../../src/domain/webhooks/replay-deliveries.ts'
import { type HookReceiver, openHookReceiver } from '../support/hook-receiver.ts'
import { orderInput } from '../support/orders.ts'
import { untilHolds } from '../support/until.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab
let endpoint: HookReceiver

beforeEach(async () => {
  lab = await openWebhookLab()
  endpoint = await openHookReceiver()
})
afterEach(async () => {
  await endpoint.close()
  await lab.close()
})

const until = (check: () => unknown) => untilHolds(check)
const order = () => createOrder(lab.context, lab.integration, orderInput())
const firstDelivery = async () => (await lab.deliveries())[0]

describe('again', () => {
  test('one delivery is sent under the same id', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ state: 'delivered' }))
    const delivery = await findDelivery(lab.context.db, webhook.id, (await firstDelivery())?.id ?? 0)
    await replayDelivery(lab.context, webhook, delivery)
    await until(() => expect(endpoint.received).toHaveLength(2))
    expect(endpoint.received[1]?.id).toBe(endpoint.received[0]?.id)
    await until(async () => expect(await firstDelivery()).toMatchObject({ state: 'delivered', attempts: 2 }))
    const { attempts } = await readDelivery(lab.context.db, delivery)
    expect(attempts.map(({ trigger }) => trigger)).toEqual(['schedule', 'replay'])
  })

  test('what failed in a time is sent, and nothing else', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    const made = [await order(), await order(), await order(), await order()]
    const [tooOld, failed, done, tooNew] = await lab.deliveries()
    const set = (id: number | undefined, state: string, created_at: string) =>
      lab.context.db
        .updateTable('webhook_deliveries')
        .set({ state, created_at })
        .where('id', '=', id ?? 0)
        .execute()
    await set(tooOld?.id, 'failed', '2026-01-01T09:59:59Z')
    await set(failed?.id, 'failed', '2026-01-01T10:00:00Z')
    await set(done?.id, 'delivered', '2026-01-01T10:30:00Z')
    await set(tooNew?.id, 'failed', '2026-01-01T11:00:00Z')
    const range = { since: '2026-01-01T10:00:00Z', until: '2026-01-01T11:00:00Z' }
    expect(await replayRange(lab.context, webhook, range)).toBe(1)
    await lab.startSender()
    await until(() => expect(endpoint.received).toHaveLength(1))
    expect(endpoint.received[0]?.event.data['id']).toBe(made[1]?.id)
  })
})
