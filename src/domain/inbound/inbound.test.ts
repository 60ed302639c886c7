import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { shopOrder, type TellingShop, tellingShop } from '../../../test/support/telling-shop.ts'
import { changeIntegration } from '../integrations/integration-store.ts'
import { uninstallIntegration } from '../integrations/uninstall-integration.ts'
import { anyOrdersByIds } from '../orders/order-store.ts'
import { upsertOrders } from '../orders/order-upsert-store.ts'
import { syncedOrder } from '../orders/synced-order.ts'
import { findDelivery } from './inbound-list-store.ts'
import { claimWork, integrationsWithWork } from './inbound-work-store.ts'
import { receiveDelivery } from './receive-delivery.ts'
import { replayInbound } from './replay-inbound.ts'

let tested: TestContext
let shop: TellingShop
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())
beforeEach(async () => {
  shop = await tellingShop(tested.context)
})

const rows = async <Row>(table: string, columns: string): Promise<Row[]> =>
  (
    await sql<Row>`select ${sql.raw(columns)} from ${sql.table(table)}
      where integration_id = ${shop.integration.id} order by id`.execute(tested.context.db)
  ).rows

interface Held {
  remote_id: string
  status: string
  remote_status: string
  deleted: boolean
}
const orders = () => rows<Held>('orders', 'remote_id, status, remote_status, deleted_at is not null as deleted')
const statuses = async () => (await orders()).map(({ remote_id, status }) => `${remote_id} ${status}`)

interface Delivered {
  id: number
  outcome: string | null
  error: string | null
  attempts: number
  size: number
  waits: boolean
}
const deliveries = () =>
  rows<Delivered>(
    'shop_messages',
    'id, outcome, error, attempts, coalesce(size, length(body)) as size, processed_at is null and next_attempt_at > now() as waits',
  )
const outcomes = async () => (await deliveries()).map(({ outcome }) => outcome)
const logs = (event: string) =>
  sql<{ message: string; context: unknown }>`select message, context from integration_logs
    where integration_id = ${shop.integration.id} and event = ${event}`.execute(tested.context.db)

/** The moment for what was put off. */
const makeDue = () =>
  sql`update shop_messages set next_attempt_at = now() where integration_id = ${shop.integration.id}`.execute(
    tested.context.db,
  )

describe('messages about orders', () => {
  test('that bring the order are stored without a question', async () => {
    await shop.tell(shopOrder('1', 1), { topic: 'order.created' })
    await shop.work()
    expect(await statuses()).toEqual(['1 PENDING'])
    expect(await outcomes()).toEqual(['stored'])
    expect(shop.asked).toEqual([])
    expect(await rows('order_history', 'status, source')).toEqual([{ status: 'PENDING', source: 'webhook' }])
  })

  test('that only name it make us ask, once for many', async () => {
    shop.orders.set('1', shopOrder('1', 2, { status: 'shipped' }))
    for (const _ of [1, 2, 3]) await shop.tell(shopOrder('1', 1), { thin: true })
    await shop.work()
    expect(shop.asked).toEqual(['1'])
    expect(await statuses()).toEqual(['1 SHIPPED'])
    expect(await outcomes()).toEqual(['stored', 'stored', 'stored'])
  })

  test('that only name it make us ask once, however many wait between them', async () => {
    const ids = ['1', '2', '3']
    for (const id of ids) shop.orders.set(id, shopOrder(id, 2, { status: 'shipped' }))
    const flood = Array.from({ length: 2500 }, (_, n) => shopOrder(ids[n % ids.length] ?? '', 1))
    await Promise.all(flood.map((order) => shop.tell(order, { thin: true })))
    await shop.work()
    expect(shop.asked.toSorted()).toEqual(ids)
    expect(new Set(await outcomes())).toEqual(new Set(['stored']))
  })

  test('that nobody got round to are due as before, and not held to have failed', async () => {
    shop.orders.set('1', shopOrder('1', 1))
    await shop.tell(shopOrder('1', 1), { thin: true })
    await shop.tell(shopOrder('2', 1))
    await shop.workHastily()
    expect(await deliveries()).toMatchObject([
      { outcome: null, attempts: 0, error: null, waits: false },
      { outcome: 'stored' },
    ])
    await shop.work()
    expect(await statuses()).toEqual(['2 PENDING', '1 PENDING'])
  })

  test('are settled before goods are asked for, whichever came first', async () => {
    shop.orders.set('1', shopOrder('1', 1))
    await shop.send({ 'x-wc-webhook-topic': 'product.updated', 'x-wc-webhook-delivery-id': 'p' }, { id: '7' })
    await shop.tell(shopOrder('1', 1), { thin: true })
    await shop.work()
    expect(shop.asked[0]).toBe('1')
    expect(shop.asked.slice(1).join()).toMatch(/7/)
    expect(await statuses()).toEqual(['1 PENDING'])
  })

  test('are taken in once, however often they come', async () => {
    const order = shopOrder('1', 1)
    expect([await shop.tell(order, { id: 'a' }), await shop.tell(order, { id: 'a' })]).toEqual([true, false])
    await shop.work()
    expect(await shop.tell(order, { id: 'a' })).toBe(false)
    expect(await outcomes()).toEqual(['stored'])
  })

  test('that are older than what we hold change nothing', async () => {
    await shop.tell(shopOrder('1', 9, { status: 'delivered' }))
    await shop.work()
    await shop.tell(shopOrder('1', 5, { status: 'shipped' }))
    await shop.work()
    expect(await statuses()).toEqual(['1 DELIVERED'])
    expect(await outcomes()).toEqual(['stored', 'unchanged'])
  })

  test('that say something else under the same version are held against the shop', async () => {
    await shop.tell(shopOrder('1', 1, { status: 'shipped' }))
    await shop.work()
    shop.orders.set('1', shopOrder('1', 1, { status: 'shipped' }))
    await shop.tell(shopOrder('1', 1, { status: 'cancelled' }))
    await shop.work()
    expect(shop.asked).toEqual(['1'])
    expect(await statuses()).toEqual(['1 SHIPPED'])
  })

  test('that wait together and say different things under the same version are held against the shop', async () => {
    shop.orders.set('1', shopOrder('1', 2, { status: 'shipped' }))
    for (const status of ['shipped', 'cancelled']) await shop.tell(shopOrder('1', 2, { status }))
    await shop.tell(shopOrder('1', 1))
    await shop.work()
    expect(shop.asked).toEqual(['1'])
    expect(await statuses()).toEqual(['1 SHIPPED'])
  })

  test('that wait together and say the same under the same version need no question', async () => {
    for (const second of [2, 1, 2]) await shop.tell(shopOrder('1', second, { status: 'shipped' }))
    await shop.work()
    expect(shop.asked).toEqual([])
    expect(await statuses()).toEqual(['1 SHIPPED'])
  })

  test('do not remove what is older than the platform shows', async () => {
    const connector = shop.context.connectors.get('sandbox')
    if (connector?.orders) connector.orders = { ...connector.orders, horizon: () => 59 }
    for (const id of ['1', '2']) await shop.tell(shopOrder(id, 1))
    await shop.work()
    const { db } = tested.context
    for (const [id, days] of [['1', 70] as const, ['2', 1] as const]) {
      await sql`update orders set placed_at = now() - make_interval(days => ${days})
        where integration_id = ${shop.integration.id} and remote_id = ${id}`.execute(db)
    }
    for (const id of ['1', '2']) await shop.tell(shopOrder(id, 2), { thin: true })
    await shop.work()
    expect((await orders()).map(({ deleted }) => deleted)).toEqual([false, true])
    expect(await outcomes()).toEqual(['stored', 'stored', 'unchanged', 'removed'])
  })

  test('do not bring back what the shop has removed', async () => {
    await shop.tell(shopOrder('1', 1))
    await shop.work()
    await shop.tell(shopOrder('1', 1), { thin: true, topic: 'order.deleted' })
    await shop.work()
    for (const second of [1, 2]) await shop.tell(shopOrder('1', second))
    await shop.work()
    expect((await orders()).map(({ deleted }) => deleted)).toEqual([true])
    // Nor what was gone before we had ever heard of it.
    await shop.tell(shopOrder('2', 1), { thin: true, topic: 'order.deleted' })
    await shop.work()
    await shop.tell(shopOrder('2', 1), { topic: 'order.created' })
    await shop.work()
    expect(await orders()).toHaveLength(1)
    expect(await outcomes()).toEqual(['stored', 'removed', 'removed', 'removed', 'removed', 'removed'])
  })

  test('that somebody else has handed in are a hint, and the shop is asked', async () => {
    const { integration, context } = shop
    shop.orders.set('1', shopOrder('1', 1))
    const raw = Buffer.from(JSON.stringify(shopOrder('1', 9, { status: 'delivered' })))
    const headers = { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': 'b' }
    const delivery = { method: 'POST', headers, query: {}, raw }
    const address = { channel: 'sandbox', accountId: null, store: integration.shop }
    await receiveDelivery(context, integration, { ...address, delivery })
    await shop.work()
    expect(shop.asked).toEqual(['1'])
    expect(await statuses()).toEqual(['1 PENDING'])
  })

  test('that nobody understands, or that the database refuses, do not hold up the others', async () => {
    shop.orders.set('3', shopOrder('3', 1, { lines: 'none' }))
    await shop.send({ 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': 'odd' }, '{"id":')
    await shop.tell(shopOrder('1', 1))
    shop.orders.set('2', shopOrder('2', 1, { number: 'NUL \0' }))
    await shop.tell(shopOrder('2', 1), { thin: true })
    await shop.tell(shopOrder('3', 1), { thin: true })
    await shop.tell(shopOrder('4', 1))
    await shop.work()
    expect(await outcomes()).toEqual(['failed', 'stored', 'set_aside', 'set_aside', 'stored'])
    expect(await statuses()).toEqual(['1 PENDING', '4 PENDING'])
    const { rows: quarantined } = await sql`select remote_id from quarantine
      where integration_id = ${shop.integration.id} order by remote_id`.execute(tested.context.db)
    expect(quarantined).toEqual([{ remote_id: '2' }, { remote_id: '3' }])
    // It is taken back when it can be stored after all.
    shop.orders.set('3', shopOrder('3', 2))
    await shop.tell(shopOrder('3', 2), { thin: true })
    await shop.work()
    expect(
      (await sql`select from quarantine where integration_id = ${shop.integration.id}`.execute(tested.context.db)).rows,
    ).toHaveLength(1)
  })

  test('wait for a shop that is away, and only those that need it', async () => {
    shop.away = true
    shop.orders.set('1', shopOrder('1', 1))
    await shop.tell(shopOrder('1', 1), { thin: true })
    await shop.tell(shopOrder('2', 1))
    await shop.work()
    expect(await statuses()).toEqual(['2 PENDING'])
    expect((await deliveries()).map(({ waits, attempts }) => [waits, attempts])).toEqual([
      [true, 1],
      [false, 0],
    ])
    expect(await integrationsWithWork(tested.context.db)).not.toContain(shop.integration.id)
    shop.away = false
    await makeDue()
    expect(await integrationsWithWork(tested.context.db)).toContain(shop.integration.id)
    await shop.work()
    expect(await statuses()).toEqual(['2 PENDING', '1 PENDING'])
  })

  test('are given up after a day, and may be tried again by hand', async () => {
    shop.away = true
    await shop.tell(shopOrder('1', 1), { thin: true })
    await sql`update shop_messages set received_at = now() - interval '2 days', attempts = 90
      where integration_id = ${shop.integration.id}`.execute(tested.context.db)
    await shop.work()
    expect(await outcomes()).toEqual(['failed'])
    expect((await logs('webhooks.given_up')).rows).toHaveLength(1)
    shop.away = false
    shop.orders.set('1', shopOrder('1', 1))
    const [given] = await deliveries()
    const { db } = tested.context
    await replayInbound(shop.context, await findDelivery(db, shop.integration.id, given?.id ?? 0))
    await shop.work()
    expect(await outcomes()).toEqual(['stored'])
  })

  test('wait while the integration rests, and are nothing to one that has been uninstalled', async () => {
    const { db } = tested.context
    await shop.tell(shopOrder('1', 1))
    await changeIntegration(db, shop.integration.id, { status: 'INACTIVE' })
    await shop.work()
    expect((await deliveries()).map(({ waits }) => waits)).toEqual([true])
    await uninstallIntegration(tested.context, shop.integration.id)
    await makeDue()
    await shop.work()
    expect(await outcomes()).toEqual(['ignored'])
    expect(await orders()).toEqual([])
  })

  test('that came while the integration rested for days are tried no less often than others', async () => {
    const { db } = tested.context
    const is = (status: 'INACTIVE' | 'ACTIVE') => changeIntegration(db, shop.integration.id, { status })
    const turn = async () => {
      await makeDue()
      await shop.work()
    }
    await shop.tell(shopOrder('1', 1), { thin: true })
    await sql`update shop_messages set received_at = now() - interval '2 days'
      where integration_id = ${shop.integration.id}`.execute(db)
    await is('INACTIVE')
    for (let n = 0; n < 9; n++) await turn()
    expect(await deliveries()).toMatchObject([{ outcome: null, attempts: 0, waits: true }])
    await is('ACTIVE')
    shop.away = true
    await turn()
    expect(await deliveries()).toMatchObject([{ outcome: null, attempts: 1, waits: true }])
    shop.away = false
    shop.orders.set('1', shopOrder('1', 1))
    await turn()
    expect(await outcomes()).toEqual(['stored'])
    // Whoever is away for good is not waited for without end.
    shop.away = true
    const [first] = await deliveries()
    await replayInbound(shop.context, await findDelivery(db, shop.integration.id, first?.id ?? 0))
    for (let n = 0; n < 8; n++) await turn()
    expect(await outcomes()).toEqual(['failed'])
  })

  test('that end workers are found by trying one at a time', async () => {
    const { db } = tested.context
    await shop.tell(shopOrder('1', 1))
    await shop.tell(shopOrder('2', 1))
    for (const worker of ['first', 'second', 'third']) {
      expect(await claimWork(db, shop.integration.id, worker)).not.toBeNull()
      expect(await claimWork(db, shop.integration.id, 'another')).toBeNull()
      await sql`update inbound_work set lease_until = now() - interval '1 second'
        where integration_id = ${shop.integration.id}`.execute(db)
    }
    await shop.work()
    expect((await deliveries()).map(({ attempts, outcome }) => [attempts, outcome])).toEqual([
      [1, 'stored'],
      [0, 'stored'],
    ])
  })
})

describe('messages about privacy', () => {
  const ada = { remoteId: null, email: 'ADA@example.com', phone: null }
  const customers = async () => {
    const ids = (await rows<{ id: number }>('orders', 'id')).map(({ id }) => id)
    const known = await anyOrdersByIds(tested.context.db, shop.integration.id, ids)
    known.sort((a, b) => (a.remote_id < b.remote_id ? -1 : 1))
    return known.map(({ customer }) => customer['email'] ?? customer)
  }

  test('a customer who is to be forgotten is, and stays so', async () => {
    await shop.tell(shopOrder('1', 1))
    await shop.tell(shopOrder('2', 1, { buyer: { id: 'b', email: 'bob@example.com' } }))
    await shop.work()
    await shop.tellPrivacy('privacy.customer_redact', { customer: ada, orderRemoteIds: [] })
    await shop.work()
    expect(await customers()).toEqual([{ redacted: true }, 'bob@example.com'])
    await shop.tell(shopOrder('1', 5, { status: 'shipped' }))
    await shop.work()
    expect(await statuses()).toEqual(['1 SHIPPED', '2 PENDING'])
    expect(await customers()).toEqual([{ redacted: true }, 'bob@example.com'])
    const kept = await rows<object>(
      'orders',
      'billing_address, shipping_address, remote_payload, private, private_words, remote_record',
    )
    expect(kept[0]).toEqual({
      ...{ billing_address: null, shipping_address: null, remote_payload: { redacted: true } },
      ...{ private: null, private_words: null, remote_record: null },
    })
    expect((await deliveries()).map(({ size }) => size === 0)).toEqual([true, false, true, true])
    const logged = JSON.stringify((await logs('privacy.customer_redact')).rows)
    expect(logged).toContain('1 orders')
    expect(logged).not.toMatch(/ada/i)
  })

  test('a request for data is reported to the app, by the numbers of the orders', async () => {
    await shop.tell(shopOrder('1', 1))
    await shop.work()
    const { db } = tested.context
    await sql`insert into webhook_subscriptions (integration_id, event, url, secret, key_id)
      values (${shop.integration.id}, 'privacy.data_requested', 'https://app.example.com', '', '')`.execute(db)
    await shop.tellPrivacy('privacy.customer_data', { customer: ada, orderRemoteIds: ['1'] })
    await shop.work()
    const [order] = await rows<{ id: number }>('orders', 'id')
    const { rows: events } = await sql<{ data: string }>`select data from webhook_events
      where integration_id = ${shop.integration.id}`.execute(db)
    expect(events.map(({ data }) => JSON.parse(data))).toMatchObject([{ order_ids: [order?.id] }])
    expect(JSON.stringify(events)).not.toMatch(/ada/i)
    expect((await logs('privacy.customer_data')).rows).toMatchObject([{ context: { orders: [order?.id] } }])
    expect(await customers()).toEqual(['ada@example.com'])
  })
})

test('what a sync brings is not undone by a message that is older, nor the other way round', async () => {
  const { context, integration } = shop
  const part = context.connectors.get('sandbox')?.orders
  const reported = (second: number, status: string) => {
    const order = part?.translate(shopOrder('1', second, { status }), { shop: '', settings: {} })
    if (!order) throw new Error('There is no order.')
    return syncedOrder({ type: 'sandbox' }, order)
  }
  const sync = (second: number, status: string) =>
    context.transaction((trx) =>
      upsertOrders(trx, integration.id, { ids: [second], orders: [reported(second, status)] }),
    )
  await sync(7, 'shipped')
  await shop.tell(shopOrder('1', 3))
  await shop.work()
  expect(await orders()).toMatchObject([{ remote_status: 'shipped' }])
  await shop.tell(shopOrder('1', 9, { status: 'delivered' }))
  await shop.work()
  await sync(8, 'cancelled')
  expect(await orders()).toMatchObject([{ remote_status: 'delivered' }])
})

test('a message that was signed long ago, or for later, is not genuine', async () => {
  const connector = shop.context.connectors.get('sandbox')
  if (!connector?.webhooks) throw new Error('The shop sends nothing.')
  connector.webhooks = { ...connector.webhooks, sentAt: ({ headers }) => Number(headers['x-sent']) }
  const send = (age: number | string) => {
    const sent = typeof age === 'number' ? String(Math.floor(Date.now() / 1000) - age) : age
    return shop
      .send({ 'x-wc-webhook-topic': 'order.updated', 'x-sent': sent }, shopOrder(`${age}`, 1))
      .catch(({ kind }) => kind)
  }
  expect(await Promise.all([0, 240, -240, 360, -360, 86_400, 'soon'].map(send))).toEqual([
    ...[true, true, true],
    ...Array(4).fill('unauthenticated'),
  ])
})
