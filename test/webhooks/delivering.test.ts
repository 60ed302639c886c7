import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newEvent } from '../../src/domain/events/event.ts'
import { emitEvents } from '../../src/domain/events/event-store.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { changeOrder } from '../../src/domain/orders/order-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { deleteSubscription } from '../../src/domain/webhooks/delete-subscription.ts'
import { findDelivery, readDelivery } from '../../src/domain/webhooks/delivery-store.ts'
import { testWebhook } from '../../src/domain/webhooks/replay-deliveries.ts'
import { rotateSecret } from '../../src/domain/webhooks/rotate-secret.ts'
import { findWebhook } from '../../src/domain/webhooks/subscription-store.ts'
import { updateWebhook } from '../../src/domain/webhooks/update-webhook.ts'
import { type HookReceiver, openHookReceiver, type ReceivedHook } from '../support/hook-receiver.ts'
import { faultOf } from '../support/identity.ts'
import { listenHttp } from '../support/loopback.ts'
import { orderInput } from '../support/orders.ts'
import { clearTablesWith } from '../support/tables-with.ts'
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
const verified = (hook: ReceivedHook | undefined, secret: string) =>
  new Webhook(secret).verify(hook?.body ?? '', {
    'webhook-id': hook?.id ?? '',
    'webhook-timestamp': String(hook?.headers['webhook-timestamp']),
    'webhook-signature': String(hook?.headers['webhook-signature']),
  })
const order = () => createOrder(lab.context, lab.integration, orderInput())
const firstDelivery = async () => (await lab.deliveries())[0]
const failsSince = (webhookId: number, failing_since: string) =>
  lab.context.db.updateTable('webhook_subscriptions').set({ failing_since }).where('id', '=', webhookId).execute()
const webhookNow = (id: number) => findWebhook(lab.context.db, { appId: lab.appId }, id)

describe('a delivery', () => {
  test('is what Standard Webhooks say, and is written down', async () => {
    const { webhook, secret } = await lab.subscribe(endpoint.url)
    await lab.startSender()
    const { id } = await order()
    await until(() => expect(endpoint.received).toHaveLength(1))
    const [hook] = endpoint.received
    expect(verified(hook, secret)).toEqual(hook?.event)
    expect(hook?.event).toMatchObject({ type: 'order.created', data: { id } })
    expect(hook?.headers['content-type']).toBe('application/json')
    await until(async () => expect(await firstDelivery()).toMatchObject({ state: 'delivered', attempts: 1 }))
    const delivery = await findDelivery(lab.context.db, webhook.id, (await firstDelivery())?.id ?? 0)
    const { attempts } = await readDelivery(lab.context.db, delivery)
    expect(attempts).toMatchObject([{ number: 1, trigger: 'schedule', response_status: 200, error: null }])
  })

  test('of a thin webhook names what happened to, and says nothing of it', async () => {
    const { webhook, secret } = await lab.subscribe(endpoint.url)
    await updateWebhook(lab.context, webhook, { thin: true })
    await lab.startSender()
    const { id } = await order()
    await until(() => expect(endpoint.received).toHaveLength(1))
    const [hook] = endpoint.received
    expect(verified(hook, secret)).toEqual(hook?.event)
    const { data } = Object(hook?.event)
    expect(Object.keys(data).toSorted()).toEqual(['href', 'id', 'integration_id', 'remote_id'])
    const integration_id = lab.integration.id
    const href = `/api/2.0/app/orders/${id}?integration_id=${integration_id}`
    expect(data).toMatchObject({ id, integration_id, href })
  })

  test('that fails comes again under the same id, later and later', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    endpoint.answer(() => ({ status: 500, body: `out of order\u0000${'x'.repeat(5000)}` }))
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ failures: 1, lease_until: null }))
    const first = await firstDelivery()
    expect(first).toMatchObject({ state: 'pending', response_status: 500 })
    const waits = Date.parse(first?.due_at ?? '') - Date.parse(first?.updated_at ?? '')
    expect(waits).toBeGreaterThanOrEqual(4000)
    expect(waits).toBeLessThanOrEqual(6000)
    const failing = { failing_since: expect.any(String), disabled_at: null }
    await until(async () => expect(await webhookNow(webhook.id)).toMatchObject(failing))
    endpoint.answer(() => ({ status: 204 }))
    await lab.hurry()
    await until(async () => expect(await firstDelivery()).toMatchObject({ state: 'delivered', attempts: 2 }))
    expect(new Set(endpoint.received.map((hook) => hook.id)).size).toBe(1)
    expect(new Set(endpoint.received.map((hook) => hook.body)).size).toBe(1)
    await until(async () => expect(await webhookNow(webhook.id)).toMatchObject({ failing_since: null }))
    const { attempts } = await readDelivery(
      lab.context.db,
      await findDelivery(lab.context.db, webhook.id, first?.id ?? 0),
    )
    expect(attempts.map(({ response_status: status }) => status)).toEqual([500, 204])
    expect(attempts[0]?.response_body?.length).toBeLessThanOrEqual(1024)
    expect(attempts[0]?.response_body).toContain('out of orderxxx')
    expect(await clearTablesWith(lab.context.db, 'out of orderxxx')).toEqual([])
  })

  test('waits as long as the endpoint asks', async () => {
    await lab.subscribe(endpoint.url)
    endpoint.answer(() => ({ status: 429, headers: { 'retry-after': '120' } }))
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ failures: 1, lease_until: null }))
    const first = await firstDelivery()
    const waits = Date.parse(first?.due_at ?? '') - Date.parse(first?.updated_at ?? '')
    expect(waits).toBe(120_000)
  })

  test('is given up after three days', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    endpoint.answer(() => ({ status: 500 }))
    await order()
    await lab.context.db
      .updateTable('webhook_deliveries')
      .set({ failures: 12 })
      .where('webhook_id', '=', webhook.id)
      .execute()
    await lab.startSender()
    await until(async () => expect(await firstDelivery()).toMatchObject({ state: 'failed' }))
  })

  test('that was taken has been taken, whatever becomes of the rest of the answer', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    // More is announced than ever comes.
    endpoint.answer(() => ({ status: 200, headers: { 'content-length': '99' }, body: 'Thanks' }))
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ attempts: 1, lease_until: null }))
    const delivery = await findDelivery(lab.context.db, webhook.id, (await firstDelivery())?.id ?? 0)
    expect(delivery).toMatchObject({ state: 'delivered', error: null })
    const { attempts } = await readDelivery(lab.context.db, delivery)
    expect(attempts).toMatchObject([{ response_status: 200, response_body: 'Thanks' }])
  })

  test('follows no redirect', async () => {
    const elsewhere = await openHookReceiver()
    await lab.subscribe(endpoint.url)
    endpoint.answer(() => ({ status: 308, headers: { location: elsewhere.url } }))
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ failures: 1, response_status: 308 }))
    expect(elsewhere.connections()).toBe(0)
    await elsewhere.close()
  })

  test('goes to no address inside, whatever the webhook says', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    const inside = await listenHttp((_request, response) => void response.end())
    await lab.context.db
      .updateTable('webhook_subscriptions')
      .set({ url: `https://localhost:${inside.port}/` })
      .where('id', '=', webhook.id)
      .execute()
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ failures: 1, response_status: null }))
    expect((await firstDelivery())?.error).toBe('The address is not allowed.')
    expect(inside.connections()).toBe(0)
    await inside.close()
  })
})

describe('events of one order', () => {
  test('reach an endpoint one after the other, though others pass them', async () => {
    await lab.subscribe(endpoint.url)
    const { context, integration } = lab
    const first = await order()
    const change = (n: number) =>
      context.transaction((trx) => changeOrder(trx, integration.id, { id: first.id, changes: { number: `#${n}` } }))
    for (let n = 1; n <= 5; n++) await change(n)
    let failing = true
    endpoint.answer(({ event }) => ({ status: failing && event.data['id'] === first.id ? 500 : 200 }))
    await lab.startSender()
    const second = await order()
    const seen = (id: number) => endpoint.received.filter(({ event }) => event.data['id'] === id)
    await until(() => expect(seen(second.id)).toHaveLength(1))
    await until(() => expect(seen(first.id)).toHaveLength(1))
    await until(async () => expect(await firstDelivery()).toMatchObject({ failures: 1, lease_until: null }))
    expect(seen(first.id)).toHaveLength(1)
    failing = false
    await lab.hurry()
    await until(() => expect(seen(first.id)).toHaveLength(7))
    expect(seen(first.id).map(({ event }) => event.data['number'])).toEqual([null, null, '#1', '#2', '#3', '#4', '#5'])
  })
})

describe('an endpoint', () => {
  test('that is gone is disabled at once; the others are told, and what happens is kept for it', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    const other = await openHookReceiver()
    await lab.subscribe(other.url, ['webhook.disabled'])
    endpoint.answer(() => ({ status: 410 }))
    await lab.startSender()
    const { id } = await order()
    await until(() => expect(other.received).toHaveLength(1))
    expect(other.received[0]?.event).toMatchObject({
      type: 'webhook.disabled',
      data: { id: webhook.id, reason: 'gone' },
    })
    expect(await webhookNow(webhook.id)).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(String) })
    const told = (await lab.deliveries()).filter(({ type }) => type === 'webhook.disabled')
    expect(told.map(({ webhook_id: id }) => id === webhook.id)).toEqual([false])
    const later = await order()
    await until(async () =>
      expect((await lab.deliveries()).every(({ lease_until }) => lease_until === null)).toBe(true),
    )
    expect(endpoint.received).toHaveLength(1)
    endpoint.answer(() => ({ status: 200 }))
    await updateWebhook(lab.context, webhook, { active: true })
    const created = () => endpoint.received.filter(({ event }) => event.type === 'order.created')
    await until(() => expect(created().map(({ event }) => event.data['id'])).toEqual([id, id, later.id]))
    await other.close()
  })

  test('that has failed for five days is disabled, and its integration says so', async () => {
    const { context, integration, appId } = lab
    const owner = { appId, integrationId: integration.id }
    const { subscription } = await createSubscription(context, owner, { url: endpoint.url, event: 'order.created' })
    endpoint.answer(() => ({ status: 503 }))
    await failsSince(subscription.id, new Date(Date.now() - 5.1 * 86_400_000).toISOString())
    await lab.startSender()
    await order()
    const disabled = () =>
      context.db.selectFrom('webhook_subscriptions').selectAll().where('id', '=', subscription.id).executeTakeFirst()
    await until(async () => expect(await disabled()).toMatchObject({ disabled_reason: 'failing' }))
    expect(await firstDelivery()).toMatchObject({ state: 'held' })
    const log = await context.db
      .selectFrom('integration_logs')
      .selectAll()
      .where('event', '=', 'webhook.disabled')
      .execute()
    expect(log).toMatchObject([{ integration_id: integration.id, level: 'error' }])
  })

  test('that has worked in the meantime is not disabled', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    await lab.startSender()
    await order()
    await until(async () => expect(await firstDelivery()).toMatchObject({ state: 'delivered' }))
    endpoint.answer(() => ({ status: 503 }))
    await failsSince(webhook.id, new Date(Date.now() - 5.1 * 86_400_000).toISOString())
    await order()
    await until(async () => expect((await lab.deliveries())[1]).toMatchObject({ failures: 1 }))
    const failingFor = async () => Date.now() - Date.parse((await webhookNow(webhook.id)).failing_since ?? '')
    await until(async () => expect(await failingFor()).toBeLessThan(86_400_000))
    expect(await webhookNow(webhook.id)).toMatchObject({ disabled_at: null })
  })

  test('that is gone takes nothing from the one that has taken its place meanwhile', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: moved, resolve: move } = Promise.withResolvers<void>()
    const old = await listenHttp(async (_request, response) => {
      ask()
      await moved
      response.writeHead(410).end()
    })
    const { webhook } = await lab.subscribe(`http://127.0.0.1:${old.port}/hook`)
    await lab.startSender()
    await order()
    await asked
    await updateWebhook(lab.context, webhook, { url: endpoint.url })
    move()
    await until(async () => expect(await firstDelivery()).toMatchObject({ failures: 1, response_status: 410 }))
    await until(async () => {
      await lab.hurry()
      expect(await firstDelivery()).toMatchObject({ state: 'delivered' })
    })
    expect(endpoint.received).toHaveLength(1)
    expect(await webhookNow(webhook.id)).toMatchObject({ disabled_at: null, disabled_reason: null })
    await old.close()
  })

  test('is given five days of its own, however long the one before it has failed', async () => {
    const { webhook } = await lab.subscribe('http://127.0.0.1:9/before')
    const long = new Date(Date.now() - 5.1 * 86_400_000).toISOString()
    await failsSince(webhook.id, long)
    expect(await updateWebhook(lab.context, webhook, { url: webhook.url, thin: true })).toMatchObject({
      failing_since: expect.any(String),
    })
    expect(await updateWebhook(lab.context, webhook, { url: endpoint.url })).toMatchObject({ failing_since: null })
    endpoint.answer(() => ({ status: 503 }))
    await lab.startSender()
    await order()
    await until(async () => expect(await webhookNow(webhook.id)).toMatchObject({ failing_since: expect.any(String) }))
    await until(async () => {
      await lab.hurry()
      expect(await firstDelivery()).toMatchObject({ failures: 2, lease_until: null })
    })
    expect(await webhookNow(webhook.id)).toMatchObject({ disabled_at: null })
  })

  test('that says nothing does not keep another one waiting', async () => {
    const slow = await openHookReceiver()
    slow.answer(() => null)
    await lab.subscribe(slow.url)
    for (let n = 0; n < 50; n++) await order()
    await lab.startSender({ gate: { slots: 8, lingersAfterMs: 50 } })
    await until(() => expect(slow.received.length).toBeGreaterThan(3))
    await lab.subscribe(endpoint.url)
    for (let n = 0; n < 20; n++) await order()
    await until(() => expect(endpoint.received).toHaveLength(20))
    expect(slow.received.length).toBeLessThan(20)
    await slow.close()
  })

  test('that is switched off is sent nothing, and gets what waited when it is switched on', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    await order()
    await updateWebhook(lab.context, webhook, { active: false })
    await order()
    expect((await lab.deliveries()).map(({ state }) => state)).toEqual(['held'])
    await lab.startSender()
    await updateWebhook(lab.context, webhook, { active: true })
    await until(() => expect(endpoint.received).toHaveLength(1))
    expect((await faultOf(testWebhook(lab.context, { ...webhook, active: false }))).kind).toBe('invalid')
  })

  test('that is deleted is sent nothing more', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    await order()
    await deleteSubscription(lab.context, webhook.id)
    await order()
    expect((await lab.deliveries()).map(({ state }) => state)).toEqual(['cancelled'])
  })
})

describe('secrets', () => {
  test('both sign for a day after a rotation, and the old one no longer', async () => {
    const { webhook, secret: old } = await lab.subscribe(endpoint.url)
    const { secret } = await rotateSecret(lab.context, webhook)
    await lab.startSender()
    await order()
    await until(() => expect(endpoint.received).toHaveLength(1))
    for (const each of [old, secret]) expect(verified(endpoint.received[0], each)).toBeTruthy()
    await lab.context.db
      .updateTable('webhook_old_secrets')
      .set({ expires_at: '2026-01-01T00:00:00Z' })
      .where('webhook_id', '=', webhook.id)
      .execute()
    await order()
    await until(() => expect(endpoint.received).toHaveLength(2))
    expect(verified(endpoint.received[1], secret)).toBeTruthy()
    expect(() => verified(endpoint.received[1], old)).toThrow(/signature/i)
  })

  test('cannot be rotated so often that a message carries no end of signatures', async () => {
    const { webhook } = await lab.subscribe(endpoint.url)
    for (let n = 0; n < 9; n++) await rotateSecret(lab.context, webhook)
    expect((await faultOf(rotateSecret(lab.context, webhook))).kind).toBe('invalid')
  })
})

test('two senders beside each other send nothing twice, and one that stops gives back what it has', async () => {
  await lab.subscribe(endpoint.url)
  const senders = [await lab.startSender(), await lab.startSender()]
  const about = { integrationId: lab.integration.id }
  const events = Array.from({ length: 500 }, (_, n) =>
    newEvent('order.deleted', about, { subject: `order:${n}`, data: dataOf(n) }),
  )
  await lab.context.transaction((trx) => emitEvents(trx, events))
  await until(() => expect(endpoint.received.length).toBeGreaterThan(50))
  await senders[0]?.stop({ timeoutMs: 5000 })
  await until(async () => expect((await lab.deliveries()).filter(({ state }) => state !== 'delivered')).toEqual([]))
  expect(endpoint.received).toHaveLength(500)
  expect(new Set(endpoint.received.map(({ id }) => id)).size).toBe(500)
})

const dataOf = (id: number) => ({
  id,
  integration_id: 1,
  remote_id: 'r',
  number: null,
  status: 'PENDING',
  previous_status: null,
  payment_status: null,
  fulfillment_status: null,
  currency: 'EUR',
  total: '1',
  placed_at: null,
  updated_at: '2026-01-01T00:00:00.000000Z',
  href: '/',
})
