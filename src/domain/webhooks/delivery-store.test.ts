import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApp } from '../../../test/support/identity.ts'
import { orderInput } from '../../../test/support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../../../test/support/webhook-lab.ts'
import { createOrder } from '../orders/create-order.ts'
import { cancelDeliveries, holdDeliveries, releaseDeliveries, restartDeliveries } from './delivery-store.ts'
import { replayRange } from './replay-deliveries.ts'
import { findWebhook } from './subscription-store.ts'

/** Two webhooks of an app that receive the same: what is done to one is not done to the other. */
let lab: WebhookLab
let mine: number
let theirs: number
beforeAll(async () => {
  lab = await openWebhookLab()
})
afterAll(() => lab.close())
beforeEach(async () => {
  await sql`update webhook_subscriptions set deleted_at = now()`.execute(lab.context.db)
  mine = (await lab.subscribe('http://127.0.0.1:9/mine', ['order.created'])).webhook.id
  theirs = (await lab.subscribe('http://127.0.0.1:9/theirs', ['order.created'])).webhook.id
  for (let n = 0; n < 2; n++) await createOrder(lab.context, lab.integration, orderInput())
})

const put = (state: string) =>
  sql`update webhook_deliveries set state = ${state} where webhook_id in (${mine}, ${theirs})`.execute(lab.context.db)
const statesOf = async (webhookId: number) =>
  (
    await lab.context.db
      .selectFrom('webhook_deliveries')
      .select('state')
      .where('webhook_id', '=', webhookId)
      .orderBy('id')
      .execute()
  ).map(({ state }) => state)
const both = async () => [await statesOf(mine), await statesOf(theirs)]
const range = { since: '2026-01-01T00:00:00Z', until: null, states: ['failed', 'held'] as const }

describe('deliveries of one webhook', () => {
  test('are sent again, and those of no other', async () => {
    await put('failed')
    expect(await restartDeliveries(lab.context.db, mine, range)).toBe(2)
    expect(await both()).toEqual([
      ['pending', 'pending'],
      ['failed', 'failed'],
    ])
  })

  test('are sent again within their time', async () => {
    await put('held')
    const later = '2999-01-01T00:00:00Z'
    expect(await restartDeliveries(lab.context.db, mine, { ...range, since: later })).toBe(0)
    expect(await restartDeliveries(lab.context.db, mine, { ...range, until: range.since })).toBe(0)
    expect(await restartDeliveries(lab.context.db, mine, { ...range, until: later })).toBe(2)
  })

  test('are held, and those of no other', async () => {
    await holdDeliveries(lab.context.db, mine)
    expect(await both()).toEqual([
      ['held', 'held'],
      ['pending', 'pending'],
    ])
  })

  test('are let go, and those of no other', async () => {
    await put('held')
    await releaseDeliveries(lab.context.db, mine)
    expect(await both()).toEqual([
      ['pending', 'pending'],
      ['held', 'held'],
    ])
  })

  test('are called off, and those of no other', async () => {
    await cancelDeliveries(lab.context.db, mine)
    expect(await both()).toEqual([
      ['cancelled', 'cancelled'],
      ['pending', 'pending'],
    ])
  })
})

describe('a webhook that is sent nothing', () => {
  const replay = async () =>
    replayRange(lab.context, await findWebhook(lab.context.db, { appId: lab.appId }, mine), { since: range.since })

  test.each([
    ['switched off', 'active = false'],
    ['disabled', 'disabled_at = now()'],
  ])('because it is %s is sent nothing again', async (_, change) => {
    await put('failed')
    await sql`update webhook_subscriptions set ${sql.raw(change)} where id = ${mine}`.execute(lab.context.db)
    await expect(replay()).rejects.toMatchObject({ errors: { active: ['The webhook is switched off.'] } })
    expect(await statesOf(mine)).toEqual(['failed', 'failed'])
  })

  test('because its app is switched off is sent nothing again', async () => {
    await put('failed')
    await sql`update apps set active = false where id = ${lab.appId}`.execute(lab.context.db)
    await expect(replay()).rejects.toMatchObject({ errors: { active: ['The app is switched off.'] } })
    await sql`update apps set active = true where id = ${lab.appId}`.execute(lab.context.db)
    await makeApp(lab.context)
    expect(await replay()).toBe(2)
  })
})
