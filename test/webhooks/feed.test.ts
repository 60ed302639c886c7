import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { insertOrder } from '../../src/domain/orders/order-store.ts'
import { rebaseFeed } from '../../src/domain/webhooks/feed-store.ts'
import { readEvents } from '../../src/domain/webhooks/read-events.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeIntegration } from '../support/gateway.ts'
import { faultOf } from '../support/identity.ts'
import { orderInput } from '../support/orders.ts'
import { until } from '../support/until.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
})
afterAll(() => lab.close())

const url = 'http://127.0.0.1:9/hook'

async function readAll(webhookId: number, from: string | null = null) {
  const ids: unknown[] = []
  for (let cursor = from; ; ) {
    const page = await readEvents(lab.context, webhookId, { cursor, limit: 3 })
    ids.push(...page.events.map(({ data }) => JSON.parse(data).id))
    cursor = page.cursor
    if (!page.more) return { ids, cursor }
  }
}

/** What others on the same server have not finished holds the feed back: so it is read until so many are there. */
async function readSome(webhookId: number, count: number, from: string | null = null) {
  return await until(async () => {
    const read = await readAll(webhookId, from)
    return read.ids.length >= count && read
  })
}

describe('the feed of a webhook', () => {
  test('shows each event once, page by page, and goes on where it was', async () => {
    const { context, integration } = lab
    const { webhook } = await lab.subscribe(url, ['order.created'])
    const made: number[] = []
    for (let n = 0; n < 10; n++) made.push((await createOrder(context, integration, orderInput())).id)
    const { ids, cursor } = await readSome(webhook.id, 10)
    expect(ids).toEqual(made)
    expect((await readAll(webhook.id, cursor)).ids).toEqual([])
    const next = await createOrder(context, integration, orderInput())
    expect((await readSome(webhook.id, 1, cursor)).ids).toEqual([next.id])
  })

  test('passes no event over that is committed late', async () => {
    const { context } = lab
    // Of two shops, because those who write to one take turns.
    const early = (await makeIntegration(context, { appId: lab.appId })).integration
    const late = (await makeIntegration(context, { appId: lab.appId })).integration
    const { webhook } = await lab.subscribe(url, ['order.created'])
    const [lateId = 0] = await takeIds(context.db, 'orders', 1)
    const written = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = context.transaction(async (trx) => {
      await insertOrder(trx, late.id, { ...orderInput(), id: lateId, remote_id: 'late', sandbox: false })
      written.resolve()
      await mayCommit.promise
    })
    await written.promise
    const quick = await createOrder(context, early, orderInput())
    const before = await readAll(webhook.id)
    expect(before.ids).toEqual([])
    mayCommit.resolve()
    await slow
    const after = await readSome(webhook.id, 2, before.cursor)
    expect(after.ids).toEqual([lateId, quick.id])
  })

  test('does not take what it has not given out', async () => {
    const { webhook } = await lab.subscribe(url)
    const asked = readEvents(lab.context, webhook.id, { cursor: 'bm90IG91cnM', limit: 1 })
    expect((await faultOf(asked)).kind).toBe('malformed')
  })

  test('begins anew with a cursor, and shows events, that come from another cluster', async () => {
    const { context, integration } = lab
    const { webhook } = await lab.subscribe(url, ['order.created'])
    const { id } = await createOrder(context, integration, orderInput())
    const cursor = Buffer.from('900000000000.1').toString('base64url')
    expect((await readSome(webhook.id, 1, cursor)).ids).toEqual([id])
    await context.db.updateTable('webhook_deliveries').set({ xid: '900000000000' }).execute()
    expect((await readAll(webhook.id)).ids).toEqual([])
    await rebaseFeed(context.db)
    expect((await readSome(webhook.id, 1)).ids).toEqual([id])
  })
})
