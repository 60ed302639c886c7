import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { incomingOrder } from '../../../../test/support/orders.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import { destroyKey } from '../../../runtime/db/vault/vault.ts'
import { sealStoredRows } from '../../sealing/seal-stored.ts'
import type { SyncedOrder } from '../order.ts'
import { listOrderRecords, rawOrders } from '../order-record-store.ts'
import { changeOrder, insertOrder, orderByRemoteId } from '../order-store.ts'
import { upsertOrders } from '../order-upsert-store.ts'
import { storeReturns } from '../returns/return-store.ts'
import { ordersOfPerson } from './find-person-store.ts'
import { redactOrders } from './redact-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const address = { name: 'Ada Zebrafinch', line1: '12 Zebrafinch Street', city: 'Graz', phone: null, email: null }
/** Whatever tells who bought says "zebrafinch" or "431777012345678". */
const personal: Partial<SyncedOrder> = {
  customer: {
    remote_id: 'zebrafinch-7',
    email: 'Ada@Zebrafinch.example',
    first_name: 'Ada',
    last_name: 'Zebrafinch',
    phone: '+43 1 777012345678',
  },
  billing_address: address,
  shipping_address: { ...address, phone: '0043 1 777012345678' },
  note: 'Leave it with the zebrafinch.',
  tax_ids: [{ kind: 'VAT', value: 'zebrafinch-vat' }],
  attributes: [{ name: 'Card', value: 'zebrafinch' }],
  tags: ['zebrafinch'],
  purchase_order: 'zebrafinch-po',
  items: incomingOrder('1').items.map((item) => ({
    ...item,
    attributes: [{ name: 'Engraving', value: 'zebrafinch' }],
  })),
  refunds: [{ remote_id: 'f', amount: '1.00', reason: 'zebrafinch', refunded_at: null, lines: [] }],
  returns: [
    {
      ...{ remote_id: 'r', status: 'requested', remote_status: 'OPEN', requested_at: null },
      lines: [
        { order_line_remote_id: 'L1', quantity: 1, reason: null },
        { order_line_remote_id: 'L2', quantity: 1, reason: 'zebrafinch grew' },
      ],
    },
  ],
  remote_payload: JSON.stringify({ b: 1, id: 1, who: 'zebrafinch', phone: '431777012345678' }),
}

const connect = async () => (await makeIntegration(tested.context, { appId: null })).integration.id

async function store(id: number, ...orders: SyncedOrder[]) {
  const ids = await takeIds(tested.context.db, 'orders', orders.length)
  return await tested.context.transaction((trx) => upsertOrders(trx, id, { ids, orders }))
}

const list = async (id: number, filter: Record<string, string[]> = {}) =>
  (await listOrderRecords(tested.context.reader, id, { page: 1, perPage: 15, filter, sort: [] })).rows

/** Every value of the row, as a dump of the database shows it. */
async function dumped(id: number): Promise<string> {
  const { rows } = await sql<{
    text: string
  }>`select o::text as text from orders o where integration_id = ${id}`.execute(tested.context.db)
  return rows.map(({ text }) => text.toLowerCase()).join('\n')
}

const seal = () => sealStoredRows.run(tested.context, {}, { attempt: 1, signal: new AbortController().signal })

describe('who bought', () => {
  test('is in no column in the clear, and reads as it was stored', async () => {
    const id = await connect()
    await store(id, incomingOrder('1', personal))
    expect(await dumped(id)).not.toMatch(/zebrafinch|777012345678|graz/)
    const [order] = await list(id)
    const { items, remote_payload, ...rest } = personal
    expect(order).toMatchObject({ ...rest, items })
    const [raw] = await rawOrders(tested.context.db, id, [order?.id ?? 0])
    expect(JSON.stringify(raw?.remote_payload)).toBe('{"b":1,"id":1,"who":"zebrafinch","phone":"431777012345678"}')
    expect(remote_payload).toContain('zebrafinch')
  })

  test('and reads so in orders that are made and changed here', async () => {
    const id = await connect()
    const { db, transaction } = tested.context
    const [orderId = 0] = await takeIds(db, 'orders', 1)
    const own = {
      id: orderId,
      remote_id: 'own',
      currency: 'EUR',
      total: '1.00',
      items: [],
      customer: { email: 'zebrafinch@example.com' },
    }
    const made = await transaction((trx) => insertOrder(trx, id, own))
    expect(made?.customer).toEqual(own.customer)
    const changes = { shipping_address: address }
    const changed = await transaction((trx) => changeOrder(trx, id, { id: orderId, changes }))
    expect(changed).toMatchObject({ customer: own.customer, shipping_address: address })
    expect(await dumped(id)).not.toMatch(/zebrafinch|graz/)
  })

  test('moves nothing as long as the shop says the same, and something as soon as it does not', async () => {
    const id = await connect()
    await store(id, incomingOrder('1', personal))
    expect(await store(id, incomingOrder('1', personal))).toMatchObject({ updated: [], unchanged: 1 })
    const turned = Object.fromEntries(Object.entries(personal.customer ?? {}).reverse())
    expect(await store(id, incomingOrder('1', { ...personal, customer: turned }))).toMatchObject({ updated: [] })
    expect((await store(id, incomingOrder('1', { ...personal, note: 'Ring twice.' }))).updated).toHaveLength(1)
    expect((await orderByRemoteId(tested.context.db, id, '1')).note).toBe('Ring twice.')
  })

  test('stays as it was changed here, whatever the shop says afterwards', async () => {
    const id = await connect()
    await store(id, incomingOrder('1', personal))
    const { id: orderId } = await orderByRemoteId(tested.context.db, id, '1')
    const customer = { email: 'right@example.com' }
    await tested.context.transaction((trx) => changeOrder(trx, id, { id: orderId, changes: { customer } }))
    await store(id, incomingOrder('1', { ...personal, note: 'Another.', remote_version: '9' }))
    expect(await orderByRemoteId(tested.context.db, id, '1')).toMatchObject({ customer, note: 'Another.' })
  })

  test('is found by e-mail, phone and name, however they are written, and only in the own shop', async () => {
    const id = await connect()
    const other = await connect()
    await store(id, incomingOrder('1', personal), incomingOrder('2'))
    await store(other, incomingOrder('1', personal))
    const [, { id: second = 0 } = {}] = await list(id)
    const found = async (filter: Record<string, string[]>) => (await list(id, filter)).map((order) => order.remote_id)
    expect(await found({ email: ['ADA@zebrafinch.example'] })).toEqual(['1'])
    expect(await found({ email: ['nobody@example.com', 'ada@zebrafinch.example'] })).toEqual(['1'])
    expect(await found({ phone: ['0043/1777012345678'] })).toEqual(['1'])
    expect(await found({ name: ['ZEBRAFINCH', ' Áda'] })).toEqual(['1'])
    expect(await found({ name: ['Ada Nobody'] })).toEqual([])
    expect(await found({ name: [' '] })).toEqual([])
    expect(await found({ email: ['ada@zebrafinch.example'], name: ['Ada'], status: ['PENDING'] })).toEqual(['1'])
    expect(await found({ email: ['ada@zebrafinch.example'], phone: ['1'] })).toEqual([])
    const theirs = await ordersOfPerson(tested.context.db, [id, other], {
      email: 'ada@zebrafinch.example',
      name: 'ada',
    })
    expect(theirs.map(({ integration_id: where }) => where)).toEqual([id, other])
    expect(await ordersOfPerson(tested.context.db, [id, other], {})).toEqual([])
    await tested.context.transaction((trx) =>
      redactOrders(trx, id, { orderIds: [theirs[0]?.id ?? 0], remoteIds: [], why: { source: 'api', note: 'x' } }),
    )
    expect(await found({ email: ['ada@zebrafinch.example'] })).toEqual([])
    expect(second).toBeGreaterThan(0)
  })

  test('is shown as redacted where the key is lost, or the record belongs elsewhere; the others of the page are shown', async () => {
    const id = await connect()
    await store(id, incomingOrder('1', personal), incomingOrder('2', personal), incomingOrder('3', personal))
    const { db } = tested.context
    await sql`
      update orders set private = (select private from orders where integration_id = ${id} and remote_id = '3')
      where integration_id = ${id} and remote_id = '2'`.execute(db)
    const shown = async () =>
      (await list(id)).map(({ customer, note }) => [customer['redacted'] ?? customer['last_name'], note])
    const whole = ['Zebrafinch', personal.note]
    expect(await shown()).toEqual([whole, [true, null], whole])
    await tested.context.transaction((trx) => destroyKey(trx, id))
    expect(await shown()).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ])
    const [raw] = await rawOrders(db, id, [(await list(id))[0]?.id ?? 0])
    expect(raw?.remote_payload).toEqual({ redacted: true })
    // What the shop says again is sealed with a new key.
    await store(id, incomingOrder('1', personal))
    expect(await shown()).toEqual([whole, [true, null], [true, null]])
  })

  test('of orders from before is sealed by the clock, without anybody being told', async () => {
    const id = await connect()
    await store(id, incomingOrder('1', personal))
    const { db } = tested.context
    const before = await list(id)
    const plain = (value: unknown) => JSON.stringify(value)
    const [order] = before
    await sql`
      update orders set private = null, private_digest = null, private_words = null, remote_record = null,
        customer = ${plain(order?.customer)}::jsonb, billing_address = ${plain(order?.billing_address)}::jsonb,
        shipping_address = ${plain(order?.shipping_address)}::jsonb, note = ${order?.note ?? ''}, tax_ids = ${plain(order?.tax_ids)}::jsonb,
        attributes = ${plain(order?.attributes)}::jsonb, tags = ${plain(order?.tags)}::jsonb,
        purchase_order = ${order?.purchase_order ?? ''}, items = ${plain(order?.items)}::jsonb,
        refunds = ${plain(order?.refunds)}::jsonb, returns = ${plain(order?.returns)}::jsonb,
        remote_payload = '{"who": "zebrafinch"}'
      where integration_id = ${id}`.execute(db)
    await sql`delete from privacy_keys where integration_id = ${id}`.execute(db)
    const asBefore = [{ ...order, private: null }]
    expect(await list(id)).toMatchObject(asBefore)
    expect(await ordersOfPerson(db, [id], { name: 'zebrafinch' })).toHaveLength(1)
    await seal()
    expect(await dumped(id)).not.toMatch(/zebrafinch|777012345678|graz/)
    expect(await list(id)).toMatchObject(asBefore)
    expect(await rawOrders(db, id, [order?.id ?? 0])).toMatchObject([{ remote_payload: { who: 'zebrafinch' } }])
    expect(await list(id, { name: ['zebrafinch'] })).toHaveLength(1)
    expect(await store(id, incomingOrder('1', personal))).toMatchObject({ updated: [] })
  })

  test('and why something went back, of orders whose buyers were sealed before that was', async () => {
    const id = await connect()
    await store(id, incomingOrder('1', personal))
    const { db } = tested.context
    const before = await list(id)
    await sql`update orders set returns = ${JSON.stringify(personal.returns)}::jsonb where integration_id = ${id}`.execute(
      db,
    )
    await seal()
    expect(await dumped(id)).not.toMatch(/zebrafinch/)
    expect(await list(id)).toEqual(before)
    expect(await rawOrders(db, id, [before[0]?.id ?? 0])).toMatchObject([{ remote_payload: { who: 'zebrafinch' } }])
  })

  test('and why something went back stays known where a list of returns tells it, and the order does not', async () => {
    const id = await connect()
    const { returns = [], ...untold } = personal
    const order = incomingOrder('1', untold)
    await store(id, order)
    const told = returns.map((one) => ({ order_remote_id: '1', told: one, updated_at: '2026-01-01T00:00:00.000Z' }))
    await tested.context.transaction((trx) => storeReturns(trx, id, { returns: told, isFirst: false }))
    expect(await dumped(id)).not.toMatch(/zebrafinch/)
    expect(await list(id)).toMatchObject([{ customer: untold.customer, note: untold.note, returns }])
    const again = await tested.context.transaction((trx) => storeReturns(trx, id, { returns: told, isFirst: false }))
    expect(again.changed).toBe(0)
    expect(await store(id, order)).toMatchObject({ updated: [], unchanged: 1 })
    await store(id, { ...order, number: '77', remote_version: '9' })
    expect(await list(id)).toMatchObject([{ number: '77', note: personal.note, returns }])
    expect(await dumped(id)).not.toMatch(/zebrafinch/)
  })
})
