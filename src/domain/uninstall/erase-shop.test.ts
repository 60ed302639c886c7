import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { shopOrder, type TellingShop, tellingShop } from '../../../test/support/telling-shop.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { uninstallIntegration } from '../integrations/uninstall-integration.ts'
import { newestLogs } from '../logs/log-store.ts'
import { confirmUninstall } from './confirm-uninstall.ts'
import { eraseShop } from './erase-shop.ts'

let tested: TestContext
let shop: TellingShop
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())
beforeEach(async () => {
  shop = await tellingShop(tested.context)
  await shop.tell(shopOrder('1', 1))
  await shop.work()
})

const whole = { customer: null, orderRemoteIds: [] }
async function say(topic: 'app.uninstalled' | 'privacy.shop_redact'): Promise<void> {
  await shop.tellPrivacy(topic, whole)
  await shop.work()
}
/** What waits in the queue is done, by a worker that does not try again. */
async function perform(): Promise<void> {
  const running = { attempt: 6, signal: new AbortController().signal }
  for (const { name, input } of shop.queued.splice(0)) {
    for (const job of [confirmUninstall, eraseShop]) {
      if (job.name === name) await job.perform(shop.context, input, running)
    }
  }
}
const statusNow = async () => (await readIntegration(tested.context.db, shop.integration.id)).status
const ordersLeft = async () => {
  const held = tested.context.db.selectFrom('orders').select('id').where('integration_id', '=', shop.integration.id)
  return (await held.execute()).length
}
const logged = async () =>
  (await newestLogs(tested.context.db, [shop.integration.id], 10)).map(({ event }) => event).reverse()
const reconnect = () =>
  sql`update integrations set status = 'ACTIVE', uninstalled_at = null where id = ${shop.integration.id}`.execute(
    tested.context.db,
  )
const week = 7 * 86_400

test.each(['app.uninstalled', 'privacy.shop_redact'] as const)(
  '%s changes nothing at a shop that still takes our key, and the log says so',
  async (topic) => {
    await say(topic)
    expect([await statusNow(), await ordersLeft()]).toEqual(['ACTIVE', 1])
    await perform()
    expect([await statusNow(), await ordersLeft(), shop.queued]).toEqual(['ACTIVE', 1, []])
    expect(await logged()).toContain('webhooks.uninstall_unproved')
  },
)

test('a shop that refuses our key has removed us', async () => {
  shop.closed = true
  await say('app.uninstalled')
  expect(await statusNow()).toBe('ACTIVE')
  await perform()
  expect([await statusNow(), await ordersLeft(), shop.queued]).toEqual(['UNINSTALLED', 1, []])
  expect(await logged()).toContain('webhooks.uninstalled')
})

test('a shop that has left is erased a week after the platform asked for it, and the app is told before', async () => {
  const { db } = tested.context
  await sql`insert into webhook_subscriptions (integration_id, event, url, secret, key_id)
    values (${shop.integration.id}, 'privacy.erasure_scheduled', 'https://app.example.com', '', '')`.execute(db)
  await uninstallIntegration(tested.context, shop.integration.id)
  // Nothing else is taken any longer.
  await expect.poll(() => shop.tell(shopOrder('2', 1)).catch(({ kind }) => kind)).toBe('unauthenticated')
  await say('privacy.shop_redact')
  expect(shop.queued).toMatchObject([{ name: 'erase-shop', startAfterSeconds: week }])
  expect(await ordersLeft()).toBe(1)
  const { rows: events } = await sql<{ data: string }>`select data from webhook_events
    where integration_id = ${shop.integration.id}`.execute(db)
  expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([
    { integration_id: shop.integration.id, erase_at: expect.any(String) },
  ])
  await perform()
  expect(await ordersLeft()).toBe(0)
  expect(await logged()).toEqual(expect.arrayContaining(['privacy.erasure_scheduled', 'privacy.shop_redact']))
})

test('a shop whose uninstallation nobody reported is asked, and then erased as any other', async () => {
  shop.closed = true
  await say('privacy.shop_redact')
  await perform()
  expect([await statusNow(), await ordersLeft()]).toEqual(['UNINSTALLED', 1])
  expect(shop.queued).toMatchObject([{ name: 'erase-shop', startAfterSeconds: week }])
  await perform()
  expect(await ordersLeft()).toBe(0)
})

test('a shop that came back is not erased, even if it has left once more', async () => {
  await uninstallIntegration(tested.context, shop.integration.id)
  await say('privacy.shop_redact')
  const [asked] = shop.queued
  await reconnect()
  await perform()
  expect([await statusNow(), await ordersLeft()]).toEqual(['ACTIVE', 1])
  if (asked) shop.queued.push(asked)
  await uninstallIntegration(tested.context, shop.integration.id)
  await perform()
  expect([await statusNow(), await ordersLeft()]).toEqual(['UNINSTALLED', 1])
})
