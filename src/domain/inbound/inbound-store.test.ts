import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { incomingOrder } from '../../../test/support/orders.ts'
import { shopOrder, type TellingShop, tellingShop } from '../../../test/support/telling-shop.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import { bindVault, vaultOf } from '../../runtime/db/vault/bind-vault.ts'
import type { SyncedOrder } from '../orders/order.ts'
import { findOrder } from '../orders/order-store.ts'
import { upsertOrders } from '../orders/order-upsert-store.ts'
import { redactOrders } from '../orders/privacy/redact-store.ts'
import { newestQuarantined, quarantine } from '../sync/quarantine/quarantine-store.ts'
import { createIntake } from './inbound-intake.ts'
import { findDelivery } from './inbound-list-store.ts'
import { integrationsOfCustomer } from './inbound-store.ts'
import {
  assertHeld,
  claimWork,
  dueDeliveries,
  integrationsWithWork,
  overtaken,
  releaseWork,
} from './inbound-work-store.ts'
import { ordersOfCustomer } from './privacy/privacy-store.ts'
import { pruneInbound } from './prune-inbound.ts'
import { receiveDelivery } from './receive-delivery.ts'
import { replayInbound } from './replay-inbound.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const connect = async (type = 'sandbox') =>
  (await makeIntegration(it.context, { appId: null }, { type })).integration.id

async function bought(
  integrationId: number,
  remoteId: string,
  customer: Record<string, unknown>,
  more: Partial<SyncedOrder> = {},
): Promise<number> {
  const ids = await takeIds(it.context.db, 'orders', 1)
  const orders = [incomingOrder(remoteId, { customer, ...more })]
  const { inserted } = await it.context.transaction((trx) => upsertOrders(trx, integrationId, { ids, orders }))
  return inserted[0] ?? 0
}

describe('somebody whom a platform wants forgotten', () => {
  const why = { source: 'webhook', note: 'Wanted.' } as const
  const ada = { remote_id: 'c-1', email: 'Ada@Example.com', phone: '+32 1' }

  test('is looked for in the shops of that platform: another one may count its customers alike', async () => {
    const [here, there, nobody] = [await connect('mall'), await connect('bazaar'), await connect('mall')]
    for (const id of [here, there]) await bought(id, '1', ada)
    await bought(nobody, '1', { remote_id: 'c-2' })
    expect(await integrationsOfCustomer(it.context.db, 'mall', 'c-1')).toEqual([here])
    expect(await integrationsOfCustomer(it.context.db, 'bazaar', 'c-1')).toEqual([there])
    expect(await integrationsOfCustomer(it.context.db, 'souk', 'c-1')).toEqual([])
  })

  test('is found by number, by address however it is written, by telephone, or by the order', async () => {
    const [id, twin] = [await connect(), await connect()]
    const order = await bought(id, '1', ada)
    await bought(id, '2', { remote_id: 'c-9', email: 'bob@example.com' })
    await bought(twin, '1', ada)
    const find = (customer: object | null, orderRemoteIds: string[] = []) => {
      const known = customer && { remoteId: null, email: null, phone: null, ...customer }
      return ordersOfCustomer(it.context.db, id, { customer: known, orderRemoteIds })
    }
    expect(await find({ remoteId: 'c-1' })).toEqual([order])
    expect(await find({ email: 'aDA@example.COM' })).toEqual([order])
    expect(await find({ phone: '+32 1' })).toEqual([order])
    expect(await find(null, ['1'])).toEqual([order])
    expect(await find({})).toEqual([])
    expect(await find(null)).toEqual([])
  })

  test('is forgotten in what was written on a line and in tax numbers; what was bought stays', async () => {
    const id = await connect()
    const [line = expect.fail()] = incomingOrder('1').items
    const engraving = [{ name: 'Engraving', value: 'Ada' }]
    const back = { remote_id: 'B1', status: 'approved' as const, remote_status: 'OPEN', requested_at: null }
    const returns = [
      { ...back, lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Ada grew' }] },
      { ...back, lines: [] },
    ]
    const said = { attributes: engraving, tax_ids: [{ kind: 'VAT', value: 'Ada' }], returns }
    const orderId = await bought(id, '1', ada, { ...said, items: [{ ...line, attributes: engraving }, line] })
    await it.context.transaction((trx) => redactOrders(trx, id, { orderIds: [orderId], remoteIds: [], why }))
    const held = await findOrder(it.context.db, id, orderId)
    expect(held).toMatchObject({ attributes: [], tax_ids: [], items: [{ ...line }, { ...line }] })
    expect(held.returns).toEqual([
      { ...back, lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: null }] },
      { ...back, lines: [] },
    ])
    expect(JSON.stringify(held)).not.toContain('Ada')
  })

  test('is forgotten in what was set aside and in messages too, and in those of no other shop', async () => {
    const [id, twin] = [await connect(), await connect()]
    for (const integrationId of [id, twin]) {
      await bought(integrationId, '1', ada)
      for (const key of ['1', '2', '3']) {
        const records = [{ key, reason: 'Odd.', payload: 'Ada' }]
        await quarantine(it.context.db, { integrationId, kind: 'orders', runId: 0 }, records)
        await sql`insert into shop_messages (integration_id, delivery_id, kind, remote_id, verified, body, processed_at)
          values (${integrationId}, ${key}, 'order', ${key}, true, 'Ada', now())`.execute(it.context.db)
      }
    }
    const [orderId = 0] = await ordersOfCustomer(it.context.db, id, { customer: null, orderRemoteIds: ['1'] })
    await it.context.transaction((trx) => redactOrders(trx, id, { orderIds: [orderId], remoteIds: ['2'], why }))
    const aside = async (integrationId: number) =>
      (await newestQuarantined(it.context.db, [integrationId]))
        .sort((a, b) => (a.remote_id < b.remote_id ? -1 : 1))
        .map(({ reason, payload }) => [reason, payload])
    const [odd, gone] = [
      ['Odd.', 'Ada'],
      ['[redacted]', null],
    ]
    const read = async (table: string, column: string, integrationId: number) =>
      (
        await sql<{ text: string | null }>`select ${sql.raw(column)} as text from ${sql.table(table)}
          where integration_id = ${integrationId} order by remote_id`.execute(it.context.db)
      ).rows.map(({ text }) => text)
    expect(await aside(id)).toEqual([gone, gone, odd])
    expect(await read('shop_messages', `convert_from(body, 'UTF8')`, id)).toEqual(['', '', 'Ada'])
    expect(await read('orders', `customer ->> 'redacted'`, id)).toEqual(['true'])
    expect(await aside(twin)).toEqual([odd, odd, odd])
    expect(await read('shop_messages', `convert_from(body, 'UTF8')`, twin)).toEqual(['Ada', 'Ada', 'Ada'])
    expect(await read('orders', `customer ->> 'redacted'`, twin)).toEqual([null])
  })
})

describe('the messages of an integration', () => {
  const endLease = (id: number) =>
    sql`update inbound_work set lease_until = now() - interval '1 second' where integration_id = ${id}`.execute(
      it.context.db,
    )
  const claim = (id: number, holder: string) => claimWork(it.context.db, id, holder)
  const held = (id: number, holder: string) => it.context.transaction((trx) => assertHeld(trx, id, holder))

  test('are one worker’s at a time; who was overtaken writes nothing', async () => {
    const id = await connect()
    expect([await claim(id, 'a'), await claim(id, 'b')]).toEqual([{ vain: 0 }, null])
    await held(id, 'a')
    await endLease(id)
    expect(await claim(id, 'b')).toEqual({ vain: 1 })
    await expect(held(id, 'a')).rejects.toBe(overtaken)
    await held(id, 'b')
    // Nor does it give away what is no longer its own.
    await releaseWork(it.context.db, id, 'a')
    expect(await claim(id, 'c')).toBeNull()
    await releaseWork(it.context.db, id, 'b')
    expect(await claim(id, 'c')).toEqual({ vain: 0 })
  })
})

describe('a message that a caller hands in', () => {
  let shop: TellingShop
  beforeEach(async () => {
    shop = await tellingShop(it.context)
  })

  const handIn = (more: { accountId?: number; headers?: Record<string, string> } = {}) => {
    const headers = { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-delivery-id': 'm-1', ...more.headers }
    const delivery = { method: 'POST', headers, query: {}, raw: Buffer.from(JSON.stringify(shopOrder('1', 1))) }
    const address = { channel: 'sandbox', accountId: more.accountId ?? null, store: shop.integration.shop }
    return receiveDelivery(shop.context, shop.integration, { ...address, delivery })
  }

  test('does not take the place of the platform’s own under the same name', async () => {
    expect(await handIn()).toEqual({ kind: 'stored', duplicate: false })
    expect(await handIn()).toEqual({ kind: 'stored', duplicate: true })
    expect(await shop.tell(shopOrder('1', 1), { id: 'm-1' })).toBe(true)
    expect(await shop.tell(shopOrder('1', 1), { id: 'm-1' })).toBe(false)
  })

  test('is kept without what opened our door', async () => {
    await handIn({ headers: { authorization: 'Bearer t', 'x-gateway-key': 'gw', cookie: 'c', 'x-kept': 'yes' } })
    const [kept] = await dueDeliveries(it.context.db, shop.integration.id, 1)
    expect(Object.keys(kept?.headers ?? {}).sort()).toEqual([
      'x-kept',
      'x-wc-webhook-delivery-id',
      'x-wc-webhook-topic',
    ])
  })

  test('goes to the address of the integration’s own account', async () => {
    await expect(handIn({ accountId: 12 })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('messages that wait', () => {
  const flood = (integrationId: number, messages: number, size: number, kind = 'order') =>
    sql`insert into shop_messages (integration_id, delivery_id, topic, body, size, kind)
      select ${integrationId}, ${kind} || n, 'updated', '', ${size}, ${kind}
      from generate_series(1, ${messages}::int) n`.execute(it.context.db)
  const kindsDue = async (integrationId: number, limit: number) => {
    const due = await dueDeliveries(it.context.db, integrationId, limit)
    const { rows } = await sql<{ kind: string; n: number }>`
      select kind, count(*)::int as n from shop_messages
      where integration_id = ${integrationId} and id = any(${due.map(({ id }) => id)}::bigint[]) group by kind`.execute(
      it.context.db,
    )
    return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
  }

  test('about orders do not wait behind any number about goods, which have their turn all the same', async () => {
    const shop = await connect()
    await flood(shop, 300, 10, 'product')
    await flood(shop, 3, 10)
    expect(await kindsDue(shop, 20)).toEqual({ order: 3, product: 17 })
    expect(await kindsDue(shop, 1)).toEqual({ order: 1 })
    await flood(shop, 100, 10, 'shipment')
    expect(await kindsDue(shop, 20)).toEqual({ order: 3, shipment: 12, product: 5 })
  })

  test('are taken a few megabytes at a time, and one at least', async () => {
    const [many, large] = [await connect(), await connect()]
    await flood(many, 20, 1024 * 1024)
    await flood(large, 2, 9 * 1024 * 1024)
    expect(await dueDeliveries(it.context.db, many, 200)).toHaveLength(4)
    expect(await dueDeliveries(it.context.db, large, 200)).toHaveLength(1)
  })

  test('of one shop are found however many wait for another', async () => {
    const [flooded, other] = [await connect(), await connect()]
    await flood(flooded, 12_000, 10)
    await flood(other, 1, 10)
    expect(await integrationsWithWork(it.context.db)).toEqual(expect.arrayContaining([flooded, other]))
  })
})

describe('messages that came', () => {
  let shop: TellingShop
  beforeEach(async () => {
    shop = await tellingShop(it.context)
  })
  const kept = async () =>
    (
      await sql<{ id: number; size: number }>`select id, coalesce(size, length(body)) as size from shop_messages
        where integration_id = ${shop.integration.id} order by id`.execute(it.context.db)
    ).rows

  test('keep what they said for a week, that they came for a month', async () => {
    const { db } = it.context
    for (const second of [1, 2, 3]) await shop.tell(shopOrder(`${second}`, second))
    await shop.work()
    const [first, second] = await kept()
    for (const [id, days] of [
      [first?.id, 31],
      [second?.id, 8],
    ] as const) {
      await sql`update shop_messages set received_at = now() - make_interval(days => ${days}::int)
        where integration_id = ${shop.integration.id} and id = ${id}`.execute(db)
    }
    await pruneInbound.run(it.context, {}, { signal: new AbortController().signal, attempt: 1 })
    expect((await kept()).map(({ size }) => size > 0)).toEqual([false, true])
    const left = await findDelivery(db, shop.integration.id, second?.id ?? 0)
    await expect(replayInbound(shop.context, left)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('together are written together, and one that is refused fails alone', async () => {
    const { reader, log } = it.context
    const statements: number[] = []
    const counting: Reader = {
      query(text, values) {
        const [integrations] = values ?? []
        if (text.includes('insert into shop_messages') && Array.isArray(integrations))
          statements.push(integrations.length)
        return reader.query(text, values)
      },
    }
    bindVault(vaultOf(reader), counting)
    const store = createIntake({ reader: counting, log })
    const message = (n: number) => ({
      ...{
        integration_id: shop.integration.id,
        delivery_id: `m${n % 20}`,
        topic: n === 13 ? 'a\0b' : null,
        verified: true,
      },
      ...{ kind: null, remote_id: null, headers: {}, query: {}, body: Buffer.from(`${n}`) },
    })
    const results = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => store(message(n))))
    const refused = results.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))
    expect(refused).toEqual([13])
    const stored = results.filter((result) => result.status === 'fulfilled' && !result.value.duplicate)
    expect(stored).toHaveLength(20)
    expect(await kept()).toHaveLength(20)
    expect(Math.max(...statements)).toBeGreaterThan(10)
  })
})
