import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncNow } from '../../src/domain/sync/sync-now.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { untilHolds } from '../support/until.ts'

/** What was synced, read in version 2.0. What holds for all endpoints (kinds of token, tenants, pages) is tested by the loops. */

let server: TestServer
let tenant: TestTenant
let id: number
let gatewayKey: string

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  const made = await makeIntegration(server.context, tenant, { orders: 12 })
  id = made.integration.id
  gatewayKey = made.gatewayKey
  for (const resource of ['sync_orders', 'sync_products', 'sync_inventory'] as const) {
    await syncNow(server.context, made.integration, resource)
  }
})
afterAll(() => server.close())

type Row = Record<string, unknown>
const get = (path: string, search = '') =>
  server.call('GET', `/api/2.0/app${path}?integration_id=${id}${search}`, { token: tenant.appToken })
const rowsOf = ({ json }: { json: Row }) => json['data'] as Row[]
const metaOf = ({ json }: { json: Row }) => json['meta'] as Row
const v1 = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/1.0${path}`, { token: tenant.userToken, headers: { 'x-gateway-key': gatewayKey }, body })

describe('lists', () => {
  test('show everything that was synced, with its total', async () => {
    const orders = await get('/orders')
    expect([orders.status, metaOf(orders)['total'], rowsOf(orders).length]).toEqual([200, 12, 12])
    expect(rowsOf(orders)[0]).toMatchObject({ integration_id: id, deleted_at: null, remote_status: expect.any(String) })
    expect(rowsOf(orders)[0]).not.toHaveProperty('raw')
    for (const path of ['/products', '/inventory']) {
      const list = await get(path)
      expect([path, list.status, rowsOf(list).length > 0]).toEqual([path, 200, true])
      expect(metaOf(list)['total']).toBeGreaterThanOrEqual(rowsOf(list).length)
    }
  })

  test('are filtered by what orders are found by', async () => {
    const [first = {}] = rowsOf(await get('/orders'))
    const found = async (search: string) => rowsOf(await get('/orders', search)).map((row) => row['id'])
    expect(await found(`&number=${encodeURIComponent(String(first['number']))}`)).toEqual([first['id']])
    expect(await found(`&remote_id=${encodeURIComponent(String(first['remote_id']))}`)).toEqual([first['id']])
    expect(await found('&placed_since=2999-01-01')).toEqual([])
    expect((await found('&placed_since=1999-01-01&placed_until=2999-01-01')).length).toBe(12)
    // From that moment on, and before it.
    const at = encodeURIComponent(String(first['placed_at']))
    expect(await found(`&placed_since=${at}`)).toContain(first['id'])
    expect(await found(`&placed_until=${at}`)).not.toContain(first['id'])
    expect((await found(`&filter[status]=${first['status']}`)).length).toBeGreaterThan(0)
  })

  test.each([
    ['/orders', 'placed_since', '2026-01-01T00:00:00+02:00'],
    ['/orders', 'placed_until', 'yesterday'],
    ['/orders', 'filter[placed_since]', '2026-01-01T00:00:00+02:00'],
  ])('%s with %s=%s, which as it stands in the address is no time, says so', async (path, field, value) => {
    const answer = await get(path, `&${field}=${value}`)
    expect([answer.status, answer.json['message']]).toEqual([400, expect.stringContaining(' parameter is no time')])
    expect((await get(path, `&${field}=${encodeURIComponent('2026-01-01T00:00:00+02:00')}`)).status).toBe(200)
  })

  test('show acknowledged orders too, unless they are filtered out', async () => {
    const [first = {}] = rowsOf(await get('/orders', '&acknowledged=false'))
    await v1('POST', '/orders/acknowledge', { orders: [first['id']] })
    const ids = async (search: string) => rowsOf(await get('/orders', search)).map((row) => row['id'])
    expect(await ids('')).toContain(first['id'])
    expect(await ids('&acknowledged=true')).toEqual([first['id']])
    expect(await ids('&acknowledged=false')).not.toContain(first['id'])
  })

  test('bring along what belongs to each', async () => {
    const orders = rowsOf(await get('/orders', '&include=raw,history'))
    expect(orders).toHaveLength(12)
    for (const { remote_id: remoteId, raw, status, history } of orders) {
      expect(raw).toMatchObject({ id: remoteId })
      expect((history as Row[]).at(-1)).toMatchObject({ status })
      expect((history as Row[]).length).toBeLessThanOrEqual(2)
    }
    for (const { remote_id: remoteId, raw } of rowsOf(await get('/products', '&include=raw'))) {
      expect(raw).toMatchObject({ id: remoteId })
    }
  })

  test('bring shipments, history and the raw payload along when asked', async () => {
    const [order = {}] = rowsOf(await get('/orders', '&status=PENDING&acknowledged=false'))
    const parcel = { order_id: order['id'], tracking_number: 'T-1', carrier: 'DHL' }
    expect((await v1('POST', '/shipments', parcel)).status).toBe(201)
    const one = await get(`/orders/${order['id']}`, '&include=shipments,history,raw')
    expect(one.json['data']).toMatchObject({
      status: 'SHIPPED',
      shipments: [{ tracking_number: 'T-1' }],
      history: [
        { status: 'PENDING', source: 'shop', run_id: expect.any(Number) },
        { status: 'SHIPPED', source: 'shipment', run_id: null },
      ],
      raw: expect.any(Object),
    })
    const list = rowsOf(await get('/shipments', `&order_id=${order['id']}`))
    expect(list).toMatchObject([{ tracking_number: 'T-1', order_id: order['id'] }])
    const { rows } = await sql<{ n: number }>`select count(*) as n from shipments where integration_id = ${id}`.execute(
      server.context.db,
    )
    expect(metaOf(await get('/shipments'))['total']).toBe(rows[0]?.n)
    await sql`insert into shipments (integration_id, id, order_id, remote_id, carrier, status)
      values (${id}, nextval('shipments_id_seq'), ${order['id']}, 'F-2', '', 'SHIPPED')`.execute(server.context.db)
    expect(rowsOf(await get('/shipments', `&order_id=${order['id']}`))).toMatchObject([
      { tracking_number: 'T-1' },
      { tracking_number: null, remote_id: 'F-2' },
    ])
    const passport = await get(`/orders/${order['id']}/passport`)
    expect(passport.json).toMatchObject({
      data: { steps: expect.arrayContaining([expect.objectContaining({ title: 'A shipment was recorded.' })]) },
    })
    const [product = {}] = rowsOf(await get('/products', '&include=raw'))
    expect((await get(`/products/${product['id']}`)).json['data']).toMatchObject({ sku: product['sku'] })
  })
})

describe('the integration', () => {
  const call = (search: string) => server.call('GET', `/api/2.0/app/orders${search}`, { token: tenant.appToken })

  test('must be named', async () => {
    const answer = await call('')
    expect([answer.status, answer.json['errors']]).toEqual([
      422,
      { integration_id: ['The integration id field is required.'] },
    ])
    expect((await call('?integration_id=x')).status).toBe(422)
    expect((await call(`?integration_id=${id},${id + 1}`)).status).toBe(422)
  })

  test('may be named as a filter', async () => {
    expect((await call(`?filter[integration_id]=${id}`)).status).toBe(200)
  })

  test('that is unknown is 404, of somebody else 403', async () => {
    expect((await call('?integration_id=999999')).status).toBe(404)
    const other = await makeTenant(server.context)
    const { integration } = await makeIntegration(server.context, other)
    expect((await call(`?integration_id=${integration.id}`)).status).toBe(403)
  })

  test('of an order must be the right one', async () => {
    const { integration } = await makeIntegration(server.context, tenant)
    const [order = {}] = rowsOf(await get('/orders'))
    const path = `/api/2.0/app/orders/${order['id']}?integration_id=${integration.id}`
    expect((await server.call('GET', path, { token: tenant.appToken })).status).toBe(404)
  })

  test('of an account is open to its own token only', async () => {
    const mine = await makeIntegration(server.context, tenant)
    const { integration: unclaimed } = await makeIntegration(server.context, { appId: tenant.appId })
    const ask = (integrationId: number) =>
      server.call('GET', `/api/2.0/webcomponent/orders?integration_id=${integrationId}`, { token: tenant.accountToken })
    expect((await ask(mine.integration.id)).status).toBe(200)
    expect((await ask(unclaimed.id)).status).toBe(403)
  })
})

describe('following changes', () => {
  /** Reads on until what is looked for has come. */
  async function follow(path: string, since: string, until: (seen: Map<unknown, Row>) => boolean) {
    const seen = new Map<unknown, Row>()
    let cursor = since
    await untilHolds(async () => {
      const page = await get(path, `&per_page=5&updated_since=${cursor}`)
      expect(page.status).toBe(200)
      for (const row of rowsOf(page)) seen.set(row['id'] ?? row['sku'], row)
      cursor = String(metaOf(page)['next_cursor'])
      expect(until(seen)).toBe(true)
    })
    return { seen, cursor }
  }

  test('shows everything once, then what changed, and what was deleted', async () => {
    const all = rowsOf(await get('/orders', '&per_page=100'))
    const { cursor } = await follow('/orders', '2000-01-01T00:00:00Z', (seen) => seen.size === all.length)
    const [first = {}, second = {}] = all
    await v1('PUT', `/orders/${first['id']}`, { number: 'changed' })
    await v1('DELETE', `/orders/${second['id']}`)
    const { seen } = await follow('/orders', cursor, (each) => each.size >= 2)
    expect([...seen.keys()]).toEqual([first['id'], second['id']])
    expect(seen.get(first['id'])).toMatchObject({ number: 'changed', deleted_at: null })
    expect(seen.get(second['id'])).toMatchObject({ deleted_at: expect.any(String) })
  })

  test('works for products, levels and shipments too, and a level that is gone is shown as deleted', async () => {
    const { db } = server.context
    // By the rows themselves: one parcel was put there past the counters.
    const { rows: held } = await sql<{ products: number; shipments: number }>`
      select (select count(*) from products where integration_id = ${id} and deleted_at is null) as products,
        (select count(*) from shipments where integration_id = ${id}) as shipments`.execute(db)
    for (const [path, total] of [
      ['/products', held[0]?.products],
      ['/shipments', held[0]?.shipments],
    ] as const) {
      const left = (seen: Map<unknown, Row>) => [...seen.values()].filter((row) => row['deleted_at'] == null).length
      await follow(path, '2000-01-01', (seen) => left(seen) === total)
    }
    const levels = rowsOf(await get('/inventory', '&per_page=100'))
    const { cursor } = await follow('/inventory', '2000-01-01', (seen) => seen.size === levels.length)
    const sku = String(levels[0]?.['sku'])
    await sql`update inventory set deleted_at = now(), updated_at = now()
      where integration_id = ${id} and sku = ${sku}`.execute(db)
    const { seen } = await follow('/inventory', cursor, (each) => each.has(sku))
    expect(seen.get(sku)).toMatchObject({ deleted_at: expect.any(String) })
    expect(rowsOf(await get('/inventory', `&sku=${sku}`))).toEqual([])
  })

  test('links to the next page, and says until when it is complete', async () => {
    const page = await get('/orders', '&updated_since=2000-01-01&per_page=2&include=history')
    const { next } = page.json['links'] as { next: string }
    const { next_cursor: cursor, has_more: more, as_of: asOf } = metaOf(page)
    expect(next).toBe(
      `https://entrepot.test/api/2.0/app/orders?integration_id=${id}&per_page=2&include=history&updated_since=${cursor}`,
    )
    expect(more).toBe(true)
    expect(Date.parse(String(asOf))).toBeLessThan(Date.now())
  })

  test.each([
    ['what is no position', '&updated_since=soon'],
    ['a filter beside it', '&updated_since=2026-01-01&status=PENDING'],
    ['an order beside it', '&updated_since=2026-01-01&sort=id'],
  ])('refuses %s', async (_, search) => {
    expect((await get('/orders', search)).status).toBe(400)
  })
})
