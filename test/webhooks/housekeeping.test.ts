import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { pruneSome } from '../../src/domain/webhooks/delivery-store.ts'
import { orderInput } from '../support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
})
afterAll(() => lab.close())

test('events, deliveries and attempts are kept for a month', async () => {
  const { context, integration } = lab
  const { db } = context
  await lab.subscribe('http://127.0.0.1:9/hook', ['order.created'])
  for (let n = 0; n < 4; n++) await createOrder(context, integration, orderInput())
  const deliveries = await lab.deliveries()
  const attempt = { number: 1, trigger: 'schedule', duration_ms: 1, at: '2026-01-01T00:00:00Z' }
  await db
    .insertInto('webhook_attempts')
    .values(deliveries.map(({ id }) => ({ ...attempt, delivery_id: id })))
    .execute()
  const old = new Date(Date.now() - 31 * 86_400_000).toISOString()
  const oldest = deliveries.slice(0, 3)
  const ids = oldest.map(({ id }) => id)
  const events = oldest.map(({ event_id }) => event_id)
  await db.updateTable('webhook_deliveries').set({ created_at: old }).where('id', 'in', ids).execute()
  await db.updateTable('webhook_events').set({ created_at: old }).where('id', 'in', events).execute()
  const whole = { webhook_events: 0, webhook_deliveries: 0 }
  expect(await pruneSome(db, 30, whole)).toBe(true)
  expect(await pruneSome(db, 30, whole)).toBe(false)
  const kept = deliveries.slice(3)
  expect(kept).toHaveLength(1)
  const all = deliveries.map(({ id }) => id)
  expect(await db.selectFrom('webhook_events').select('id').where('app_id', '=', lab.appId).execute()).toEqual(
    kept.map(({ event_id: id }) => ({ id })),
  )
  expect(await lab.deliveries()).toEqual(kept)
  expect(
    await db.selectFrom('webhook_attempts').select('delivery_id').where('delivery_id', 'in', all).execute(),
  ).toEqual(kept.map(({ id }) => ({ delivery_id: id })))
})
