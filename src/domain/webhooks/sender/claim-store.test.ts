import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { justBefore } from '../../../../test/support/just-before.ts'
import { orderInput } from '../../../../test/support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../../../../test/support/webhook-lab.ts'
import { createOrder } from '../../orders/create-order.ts'
import { holdDeliveries } from '../delivery-store.ts'
import {
  claimDeliveries,
  findTargets,
  giveBack,
  giveBackUnsent,
  type Settlement,
  settleDeliveries,
} from './claim-store.ts'

let lab: WebhookLab
let webhookId: number
beforeAll(async () => {
  lab = await openWebhookLab()
})
afterAll(() => lab.close())
beforeEach(async () => {
  await sql`update webhook_subscriptions set deleted_at = now()`.execute(lab.context.db)
  webhookId = (await lab.subscribe('http://127.0.0.1:9/hook', ['order.created'])).webhook.id
})

async function claim() {
  const { deliveries } = await claimDeliveries(lab.context.db, [{ webhookId, limit: 10, maxBytes: 100_000 }])
  return deliveries
}
async function claimOne() {
  const [delivery, ...more] = await claim()
  if (!delivery || more.length > 0) throw new Error('There is not just one.')
  return delivery
}
/** As if its sender had died. */
const endLeases = () =>
  sql`update webhook_deliveries set due_at = now() - interval '1 second', lease_until = now() - interval '1 second'
    where webhook_id = ${webhookId} and state = 'pending'`.execute(lab.context.db)
const rows = () =>
  lab.context.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'state', 'attempts', 'failures', 'error', 'lease_until', 'due_at'])
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute()
const settle = (delivery: { id: number; attempt: number }, more: Partial<Settlement>) =>
  settleDeliveries(lab.context.db, [
    {
      ...{ id: delivery.id, attempt: delivery.attempt, state: 'pending', delay: 300, trigger: 'schedule' },
      ...{
        integrationId: null,
        status: 500,
        body: null,
        error: 'No.',
        reason: null,
        ms: 1,
        at: new Date().toISOString(),
      },
      ...more,
    },
  ])
const happen = () => createOrder(lab.context, lab.integration, orderInput())

describe('an attempt that was overtaken', () => {
  const overtaken = async () => {
    await happen()
    const first = await claimOne()
    expect(await claim()).toEqual([])
    await endLeases()
    return { first, second: await claimOne() }
  }

  test('and failed changes nothing', async () => {
    const { first, second } = await overtaken()
    expect([first.attempt, second.attempt, second.id]).toEqual([1, 2, first.id])
    const before = await rows()
    for (const state of ['pending', 'failed'] as const) await settle(first, { state })
    expect(await rows()).toEqual(before)
    await settle(second, { state: 'pending' })
    expect(await rows()).toMatchObject([{ state: 'pending', failures: 1, error: 'No.', lease_until: null }])
    // Nor does one that is reported twice.
    await settle(second, { state: 'failed' })
    expect(await rows()).toMatchObject([{ state: 'pending', failures: 1 }])
  })

  test('and got through has got through', async () => {
    const { first, second } = await overtaken()
    await settle(first, { state: 'delivered', status: 200, error: null })
    expect(await rows()).toMatchObject([{ state: 'delivered', error: null }])
    await settle(second, { state: 'failed' })
    expect(await rows()).toMatchObject([{ state: 'delivered' }])
  })

  test('gives nothing back that another holds', async () => {
    const { first, second } = await overtaken()
    const before = await rows()
    await giveBack(lab.context.db, [first])
    expect(await rows()).toEqual(before)
    await giveBack(lab.context.db, [second])
    expect(await rows()).toMatchObject([{ state: 'pending', lease_until: null }])
    expect(await claimOne()).toMatchObject({ id: first.id, attempt: 3 })
  })
})

test('what has lost its event is called off, and holds up nothing', async () => {
  const { db } = lab.context
  for (let n = 0; n < 3; n++) await happen()
  const [first] = await rows()
  await sql`delete from webhook_events where id = (select event_id from webhook_deliveries where id = ${first?.id})`.execute(
    db,
  )
  const one = () => claimDeliveries(db, [{ webhookId, limit: 1, maxBytes: 100_000 }])
  // There may be more behind it.
  expect(await one()).toEqual({ deliveries: [], seen: new Map([[webhookId, 1]]) })
  expect((await one()).deliveries).toHaveLength(1)
  expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['cancelled', 0],
    ['pending', 1],
    ['pending', 0],
  ])
})

describe('what is claimed and never sent', () => {
  test('is due again at once, as if nobody had claimed it', async () => {
    await happen()
    const claimed = await claimOne()
    await giveBackUnsent(lab.context.db, [claimed])
    expect(await rows()).toMatchObject([{ state: 'pending', attempts: 0, failures: 0, lease_until: null }])
    expect(await claimOne()).toMatchObject({ id: claimed.id, attempt: 1 })
  })

  test('stays held or cancelled if it was meanwhile, and no attempt is counted', async () => {
    await happen()
    const claimed = await claimOne()
    await holdDeliveries(lab.context.db, webhookId)
    const [held] = await rows()
    await giveBackUnsent(lab.context.db, [claimed])
    expect(await rows()).toEqual([{ ...held, attempts: 0 }])
  })

  test('is left to whoever has claimed it since', async () => {
    await happen()
    const first = await claimOne()
    await endLeases()
    await claimOne()
    const before = await rows()
    await giveBackUnsent(lab.context.db, [first])
    expect(await rows()).toEqual(before)
  })
})

test('a claim takes no more bytes than it may, but always one delivery, and says that there is more', async () => {
  for (let n = 0; n < 5; n++) await happen()
  const take = (maxBytes: number) => claimDeliveries(lab.context.db, [{ webhookId, limit: 4, maxBytes }])
  const first = await take(0)
  expect([first.deliveries.length, first.seen.get(webhookId)]).toEqual([1, 4])
  const size = Buffer.byteLength(first.deliveries[0]?.data ?? '')
  const second = await take(size + 1)
  expect([second.deliveries.length, second.seen.get(webhookId)]).toEqual([2, 4])
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 0, 0])
})

test('what is claimed at the moment at which the one before it is over does not wait for the lease of that', async () => {
  const { context } = lab
  await happen()
  const first = await claimOne()
  await sql`
    insert into webhook_deliveries (webhook_id, event_id, type, subject, state)
    select webhook_id, event_id, type, subject, state from webhook_deliveries where id = ${first.id}`.execute(
    context.db,
  )
  await justBefore(
    context,
    (held) => held.transaction((trx) => claimDeliveries(trx, [{ webhookId, limit: 10, maxBytes: 100_000 }])),
    () => settle(first, { state: 'delivered', status: 200, error: null }),
  )
  expect((await claimOne()).attempt).toBe(1)
})

test('a webhook that is sent nothing goes nowhere', async () => {
  const find = async () => (await findTargets(lab.context.db, [webhookId])).map(({ url }) => url)
  expect(await find()).toEqual(['http://127.0.0.1:9/hook'])
  await sql`update apps set active = false where id = ${lab.appId}`.execute(lab.context.db)
  expect(await find()).toEqual([])
  await sql`update apps set active = true where id = ${lab.appId}`.execute(lab.context.db)
  await sql`update webhook_subscriptions set active = false where id = ${webhookId}`.execute(lab.context.db)
  expect(await find()).toEqual([])
})
