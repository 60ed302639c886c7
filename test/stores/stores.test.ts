import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startMedusa } from './medusa.ts'
import type { RealStore, TrueOrder } from './store.ts'
import { startVendure } from './vendure.ts'

/**
 * Connectors on real servers: our whole program on one side, the shop's own API, asked with nothing of ours, on the other.
 * Every step is checked by what the shop says afterwards.
 */

const wanted = 50

describe.each([
  ['vendure', startVendure],
  ['medusa', startMedusa],
] as const)('a real store of %s', (type, start) => {
  let store: RealStore
  let server: TestServer
  let merchant: Merchant
  let id: number
  let path: string
  const measured: string[] = []

  beforeAll(async () => {
    store = await start()
    const missing = Math.max(0, wanted - (await open()).length)
    await timed(`${missing} orders placed`, () => store.order(missing))
    server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'] })
    merchant = await makeMerchant(server)
    const service = data(await merchant.asUser('GET', `/api/1.0/services/${type}`))
    data(await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] }))
  })
  afterAll(async () => {
    await server?.close()
    await store?.stop()
    process.stdout.write(`${[`${type} ${store?.version}`, ...measured].join('\n  ')}\n`)
  })

  async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    const result = await work()
    measured.push(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    return result
  }

  let shops = 0
  const install = (credentials: unknown) =>
    merchant.asApp('POST', `/${type}/install`, {
      ...{ name: 'Real', shop: `real-${++shops}.example.com`, remote_id: merchant.remoteId },
      ...{ settings: store.settings, credentials },
    })

  const act = (resource: string, fields: Record<string, unknown> = {}) =>
    merchant.asApp('POST', `${path}/action`, { resource, ...fields })

  async function run(resource: string, fields: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { id: runId } = data(await act(resource, fields))
    const read = async () => data(await merchant.asApp('GET', `${path}/runs/${runId}`))
    await expect.poll(async () => (await read())['finished_at'], { timeout: 300_000 }).not.toBeNull()
    const done = await read()
    expect(done).toMatchObject({ status: 'completed', error: null })
    return done
  }

  const byId = (one: { remote_id: string }, other: { remote_id: string }) => (one.remote_id < other.remote_id ? -1 : 1)

  async function copy() {
    const held = await server.context.db
      .selectFrom('orders')
      .select(['remote_id', 'number', 'status', 'remote_status', 'currency', 'total'])
      .where('integration_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
    return held
      .map((order) => ({ ...order, remote_id: String(order.remote_id), total: Number(order.total) }))
      .sort(byId)
  }

  const comparable = (orders: readonly TrueOrder[]) =>
    orders.map(({ paid: _, tracking: __, ...order }) => order).sort(byId)

  async function expectSame(): Promise<TrueOrder[]> {
    const truth = await store.orders()
    expect(await copy()).toEqual(comparable(truth))
    return truth
  }

  const open = async (): Promise<TrueOrder[]> =>
    (await store.orders()).filter(
      ({ status, paid, tracking }) => ['UNPAID', 'PENDING'].includes(status) && !paid && tracking.length === 0,
    )

  test('takes keys that are right, and tells those that are wrong at their field', async () => {
    const refusal = await install(store.wrong.credentials)
    expect([refusal.status, Object.keys(errors(refusal))]).toEqual([422, [store.wrong.field]])
    for (const credentials of store.credentials.toReversed()) {
      const answer = await install(credentials)
      expect(answer.status).toBe(201)
      expect(data(answer)).toMatchObject({ status: 'ACTIVE' })
      id = Number(data(answer)['id'])
      path = `/integrations/${id}`
      expect(data(await act('test_connection'))).toEqual({ ok: true })
    }
  })

  test('is copied after the installation: orders, products and stock', async () => {
    const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
    await timed('first copy of orders, products and stock', () =>
      expect.poll(runs, { timeout: 300_000 }).toEqual(Array(3).fill('completed')),
    )
    const truth = await expectSame()
    expect(truth.length).toBeGreaterThanOrEqual(wanted)
    measured.push(`orders in the shop: ${truth.length}`)
    const count = async (table: 'products' | 'inventory') =>
      Number(
        (
          await server.context.db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('n'))
            .where('integration_id', '=', id)
            .executeTakeFirstOrThrow()
        ).n,
      )
    // A level is known by variant and place: several variants may have the same sku.
    const levels = (await store.levels()).length
    expect([await count('products'), await count('inventory')]).toEqual([await store.productCount(), levels])
  })

  test('is followed: payments, parcels, cancellations and new orders', async () => {
    const [paid, alsoPaid, sent, gone] = await open()
    if (!paid || !alsoPaid || !sent || !gone) throw new Error('The shop has too few open orders.')
    for (const { remote_id: remoteId } of [paid, alsoPaid]) await store.settle(remoteId)
    await store.ship(sent.remote_id, 'OWN-VAN-1')
    await store.cancel(gone.remote_id)
    await store.order(2)
    const { result } = await timed('sync of what changed', () => run('sync_orders'))
    expect(result).toMatchObject({ inserted: 2, updated: 4, set_aside: 0 })
    const truth = await expectSame()
    const now = new Map(truth.map((order) => [order.remote_id, order]))
    expect(now.get(paid.remote_id)).toMatchObject({ paid: true })
    expect(now.get(sent.remote_id)).toMatchObject({ status: 'SHIPPED', tracking: ['OWN-VAN-1'] })
    expect(now.get(gone.remote_id)).toMatchObject({ status: 'CANCELLED' })
    const again = await timed('sync of nothing', () => run('sync_orders'))
    expect(again['result']).toMatchObject({ inserted: 0, updated: 0 })
  })

  test('is written to, each change once, and says so itself', async () => {
    const [sent, gone] = await open()
    if (!sent || !gone) throw new Error('The shop has too few open orders.')
    const orderIn = async ({ remote_id: remoteId }: TrueOrder) =>
      (await store.orders()).find((one) => one.remote_id === remoteId)

    if (sent.status === 'UNPAID') await store.settle(sent.remote_id)
    const shipment = { order_remote_id: sent.remote_id, tracking_number: 'ENTREPOT-1', carrier: 'Post' }
    const parcel = data(await timed('parcel', () => act('create_shipment', shipment)))
    expect(parcel).toMatchObject({ tracking_number: 'ENTREPOT-1', carrier_name: 'Post', status: 'shipped' })
    expect(data(await act('create_shipment', shipment))).toMatchObject({ remote_id: parcel['remote_id'] })
    expect(await orderIn(sent)).toMatchObject({ status: 'SHIPPED', tracking: ['ENTREPOT-1'] })

    const [level] = await store.levels()
    const items = [{ sku: level?.sku, quantity: 4321, location: level?.location }]
    expect(data(await act('set_inventory', { items }))).toMatchObject([{ sku: level?.sku, ok: true }])
    expect((await store.levels())[0]).toEqual({ ...level, available: 4321 })

    expect(data(await act('cancel_order', { remote_id: gone.remote_id, reason: 'Test' }))).toMatchObject({
      status: 'CANCELLED',
    })
    expect(await orderIn(gone)).toMatchObject({ status: 'CANCELLED' })
    expect(data(await act('cancel_order', { remote_id: gone.remote_id }))).toMatchObject({ status: 'CANCELLED' })
    const refused = await act('create_shipment', {
      ...shipment,
      order_remote_id: gone.remote_id,
      tracking_number: 'NO-1',
    })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(await orderIn(gone)).toMatchObject({ tracking: [] })
  })

  test('is compared, and the copy healed', async () => {
    await run('sync_orders')
    const [hidden] = await open()
    const secret = store.hiddenChange
    if (secret && hidden) await secret(hidden.remote_id)
    const { result } = await timed('comparison of everything', () => run('reconcile'))
    expect(result).toMatchObject({
      resources: { orders: { missing: 0, stale: secret ? 1 : 0, deleted: 0, set_aside: 0 } },
    })
    await expectSame()
    const clean = await run('reconcile', { resources: ['orders'] })
    expect(clean['result']).toMatchObject({ resources: { orders: { missing: 0, stale: 0, deleted: 0 } } })
  })
})
