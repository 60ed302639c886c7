import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orderInput } from '../../../../test/support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../../../../test/support/webhook-lab.ts'
import { createOrder } from '../../orders/create-order.ts'
import { claimDeliveries, giveBack, type Settlement, settleDeliveries } from './claim-store.ts'

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
  const { deliveries } = await claimDeliveries(lab.context.db, [{ webhookId, limit: 10 }])
  return deliveries.map(({ delivery }) => delivery)
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
      ...{ integrationId: null, status: 500, body: null, error: 'No.', ms: 1, at: new Date().toISOString() },
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
