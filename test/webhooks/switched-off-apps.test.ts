import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { changeOrder, insertOrder } from '../../src/domain/orders/order-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { findDelivery } from '../../src/domain/webhooks/delivery-store.ts'
import { replayDelivery, testWebhook } from '../../src/domain/webhooks/replay-deliveries.ts'
import { findWebhook } from '../../src/domain/webhooks/subscription-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { type HookReceiver, openHookReceiver } from '../support/hook-receiver.ts'
import { faultOf } from '../support/identity.ts'
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
const failsSince = (webhookId: number, failing_since: string) =>
  lab.context.db.updateTable('webhook_subscriptions').set({ failing_since }).where('id', '=', webhookId).execute()
const webhookNow = (id: number) => findWebhook(lab.context.db, { appId: lab.appId }, id)

describe('an app that is switched off', () => {
  const switchApp = (active: boolean) =>
    lab.context.db.updateTable('apps').set({ active }).where('id', '=', lab.appId).execute()
  const states = async () => (await lab.deliveries()).map(({ state }) => state)

  test('is sent nothing, and gets everything in order when it is switched on', async () => {
    const { context, integration } = lab
    await lab.subscribe(endpoint.url)
    const owner = { appId: lab.appId, integrationId: integration.id }
    await createSubscription(context, owner, { url: endpoint.url, event: 'order.created' })
    const first = await order()
    await switchApp(false)
    await lab.startSender()
    await until(async () => expect(await states()).toEqual(['held', 'held']))
    const change = (n: number) =>
      context.transaction((trx) => changeOrder(trx, integration.id, { id: first.id, changes: { number: `#${n}` } }))
    for (let n = 1; n <= 3; n++) await change(n)
    expect(await states()).toEqual(['held', 'held', 'held', 'held', 'held'])
    expect(endpoint.connections()).toBe(0)
    await switchApp(true)
    await change(4)
    await until(async () => expect(new Set(await states())).toEqual(new Set(['delivered'])))
    const numbers = endpoint.received
      .filter(({ event }) => event.type === 'order.updated')
      .map(({ event }) => event.data['number'])
    expect(numbers).toEqual(['#1', '#2', '#3', '#4'])
    expect(endpoint.received).toHaveLength(6)
  })

  test('loses nothing of what was written by a transaction that was open when it was switched on', async () => {
    const { context, integration } = lab
    await lab.subscribe(endpoint.url)
    await lab.startSender()
    await switchApp(false)
    const [id = 0] = await takeIds(context.db, 'orders', 1)
    await context.transaction(async (trx) => {
      await insertOrder(trx, integration.id, { ...orderInput(), id, remote_id: 'late', sandbox: false })
      await switchApp(true)
    })
    await until(() => expect(endpoint.received).toHaveLength(1))
  })

  test('does not wear out its endpoints meanwhile, and can neither test nor replay', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    await failsSince(webhook.id, new Date(Date.now() - 6 * 86_400_000).toISOString())
    await switchApp(false)
    await order()
    expect((await faultOf(testWebhook(lab.context, webhook))).errors).toEqual({ active: ['The app is switched off.'] })
    const [held] = await lab.deliveries()
    const delivery = await findDelivery(lab.context.db, webhook.id, held?.id ?? 0)
    expect((await faultOf(replayDelivery(lab.context, webhook, delivery))).kind).toBe('invalid')
    await switchApp(true)
    endpoint.answer(() => ({ status: 503 }))
    await lab.startSender()
    const failingFor = async () => Date.now() - Date.parse((await webhookNow(webhook.id)).failing_since ?? '')
    await until(async () => expect(await failingFor()).toBeLessThan(86_400_000))
    expect(await webhookNow(webhook.id)).toMatchObject({ disabled_at: null })
  })
})
