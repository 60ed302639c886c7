import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { startSimulator } from '../../src/simulator/start.ts'
import { open, press } from '../support/browser.ts'
import { clientOf, type Json } from './clients.ts'
import { openReceiver } from './receiver.ts'

const closers: (() => Promise<void>)[] = []
const start = async (dialect: 'woo' | 'market', options: Parameters<typeof startSimulator>[0] = {}) => {
  const simulator = await startSimulator({ dialect, orders: 120, products: 20, ...options })
  closers.push(simulator.close)
  const { ask } = clientOf(simulator)
  const json = async (...args: Parameters<typeof ask>): Promise<Json> => (await ask(...args)).json()
  return { simulator, ask, json }
}
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

describe('woo', () => {
  const base = '/wp-json/wc/v3'

  test('pages have totals, and too large ones are refused', async () => {
    const { ask } = await start('woo')
    const page = await ask(`${base}/orders?per_page=50&page=3`)
    expect(await page.json()).toHaveLength(20)
    expect([page.headers.get('x-wp-total'), page.headers.get('x-wp-totalpages')]).toEqual(['120', '3'])
    expect((await ask(`${base}/orders?per_page=101`)).status).toBe(400)
    expect((await ask(`${base}/orders`, { headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
  })

  test('times without zone are the site’s own unless the call says otherwise', async () => {
    const { json } = await start('woo')
    const [order] = await json(`${base}/orders?per_page=1&orderby=modified&order=asc&page=60`)
    const count = async (query: string) => (await json(`${base}/orders?include=${order.id}&${query}`)).length
    expect(await count(`modified_after=${order.date_modified}`)).toBe(0)
    expect(await count(`modified_after=${order.date_modified_gmt}`)).toBe(1)
    expect(await count(`modified_after=${order.date_modified_gmt}&dates_are_gmt=true`)).toBe(0)
    expect(await count(`modified_after=${order.date_modified_gmt}Z`)).toBe(0)
  })

  test('tracking is a remark that can be made twice; the status is a matter of its own', async () => {
    const { simulator, ask, json } = await start('woo')
    const order = simulator
      .truth()
      .find(({ remote_status, parcels }) => remote_status === 'processing' && parcels === 0)
    const path = `/wp-json/wc-shipment-tracking/v3/orders/${order?.remote_id}/shipment-trackings`
    const body = { tracking_provider: 'DHL', tracking_number: 'T1' }
    for (let i = 0; i < 2; i++)
      expect((await ask(path, { method: 'POST', body, headers: { 'x-operation-id': 'op-1' } })).status).toBe(201)
    expect(await json(path)).toHaveLength(2)
    expect(simulator.doubles()).toMatchObject([
      { operation: 'shipment.create', key: 'op-1', count: 2 },
      { operation: 'shipment.create', key: expect.stringMatching(/ T1$/), count: 2 },
    ])
    const put = () => json(`${base}/orders/${order?.remote_id}`, { method: 'PUT', body: { status: 'completed' } })
    expect((await put()).status).toBe('completed')
    const modified = (await put()).date_modified_gmt
    expect((await json(`${base}/orders/${order?.remote_id}`)).date_modified_gmt).toBe(modified)
  })

  test('totals of lines, tax and shipping make the total', async () => {
    const { json } = await start('woo')
    for (const order of await json(`${base}/orders?per_page=100`)) {
      const lines = order.line_items.reduce(
        (sum: number, line: Json) => sum + Number(line.total) + Number(line.total_tax),
        0,
      )
      expect(lines + Number(order.shipping_total)).toBeCloseTo(Number(order.total), 3)
    }
  })

  test('keys are handed over by post, and open the shop', async () => {
    const { simulator } = await start('woo')
    const receiver = await openReceiver()
    closers.push(receiver.close)
    const query = new URLSearchParams({
      app_name: 'Us',
      scope: 'read_write',
      user_id: 'state-1',
      return_url: 'http://127.0.0.1:9/done',
      callback_url: receiver.url,
    })
    const page = await open(`${simulator.baseUrl}/wc-auth/v1/authorize?${query}`)
    const denied = await press(page, 'deny')
    expect([denied.location, receiver.received]).toEqual(['http://127.0.0.1:9/done?success=0&user_id=state-1', []])
    expect((await press(page, 'allow')).location).toBe('http://127.0.0.1:9/done?success=1&user_id=state-1')
    const keys = JSON.parse(receiver.received[0]?.body ?? '')
    expect(keys).toMatchObject({ user_id: 'state-1', key_permissions: 'read_write' })
    const basic = Buffer.from(`${keys.consumer_key}:${keys.consumer_secret}`).toString('base64')
    const read = await fetch(`${simulator.baseUrl}${base}/orders?per_page=1`, {
      headers: { authorization: `Basic ${basic}` },
    })
    expect(read.status).toBe(200)
  })

  test('a new webhook is pinged without signature, then signed with its own secret', async () => {
    const { simulator, ask } = await start('woo')
    const receiver = await openReceiver()
    closers.push(receiver.close)
    const body = { name: 'n', topic: 'order.updated', delivery_url: receiver.url, secret: 'geheim' }
    expect((await ask(`${base}/webhooks`, { method: 'POST', body })).status).toBe(201)
    await simulator.delivered()
    simulator.change({ orders: 3 })
    await simulator.delivered()
    const [ping, ...rest] = receiver.received
    expect([ping?.body, ping?.headers['x-wc-webhook-signature']]).toEqual(['webhook_id=1', undefined])
    expect(rest).toHaveLength(3)
    for (const { headers, body: bytes } of rest) {
      expect(headers['x-wc-webhook-signature']).toBe(createHmac('sha256', 'geheim').update(bytes).digest('base64'))
    }
  })

  test('stock and products are set by number', async () => {
    const { simulator, ask, json } = await start('woo')
    const made = await json(`${base}/products`, {
      method: 'POST',
      body: { name: 'Neu', sku: 'N-1', regular_price: '9.99', stock_quantity: 4 },
    })
    expect(made).toMatchObject({ type: 'simple', price: '9.99', stock_quantity: 4 })
    expect((await ask(`${base}/products`, { method: 'POST', body: { name: 'Neu', sku: 'N-1' } })).status).toBe(400)
    await ask(`${base}/products/${made.id}`, { method: 'PUT', body: { stock_quantity: 11 } })
    expect(simulator.truthOfInventory().find(({ sku }) => sku === 'N-1')).toMatchObject({
      available: 11,
      variant_remote_id: String(made.id),
    })
    const [variable] = (await json(`${base}/products?per_page=100`)).filter(({ type }: Json) => type === 'variable')
    await ask(`${base}/products/${variable.id}/variations/${variable.variations[1]}`, {
      method: 'PUT',
      body: { stock_quantity: 3 },
    })
    const variations = await json(`${base}/products/${variable.id}/variations`)
    expect(variations[1]).toMatchObject({ id: variable.variations[1], stock_quantity: 3 })
  })
})

describe('market', () => {
  test('limits are tiny and per operation; a refusal says how long to wait, or does not', async () => {
    const { simulator, ask } = await start('market')
    simulator.weather({ limit_scale: 1 })
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => ask('/v1/orders?lastUpdatedAfter=2025-01-01&limit=1')),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(4)
    expect(new Set(refused.map(({ headers }) => headers.has('retry-after')))).toEqual(new Set([true, false]))
    expect(answers[0]?.headers.get('x-rate-limit')).toBe('4')
    expect((await ask('/v1/seller')).status).toBe(200)
  })

  test('an order is acknowledged before it is sent, and a package told again is not sent again', async () => {
    const { simulator, ask, json } = await start('market')
    const id = simulator.truth().find(({ remote_status }) => remote_status === 'CREATED')?.remote_id
    const { lines } = await json(`/v1/orders/${id}`)
    const body = {
      packageReference: 'op-7',
      carrier: 'DHL',
      trackingNumber: 'T1',
      lines: lines.map(({ lineId, quantity }: Json) => ({ lineId, quantity })),
    }
    const ship = async (tracking: string) =>
      (await ask(`/v1/orders/${id}/shipments`, { method: 'POST', body: { ...body, trackingNumber: tracking } })).status
    expect(await ship('T1')).toBe(409)
    for (let i = 0; i < 2; i++) expect((await ask(`/v1/orders/${id}/acknowledge`, { method: 'POST' })).status).toBe(200)
    expect([await ship('T1'), await ship('T1'), await ship('T2')]).toEqual([201, 200, 200])
    const order = await json(`/v1/orders/${id}`)
    expect(order).toMatchObject({ status: 'SHIPPED', packages: [{ packageReference: 'op-7', trackingNumber: 'T2' }] })
    const effects = simulator
      .ledger()
      .filter((entry) => entry.kind === 'effect')
      .map(({ operation }) => operation)
    expect(effects).toEqual(['order.acknowledge', 'shipment.create', 'shipment.amend'])
    expect((await ask(`/v1/orders/${id}/cancel`, { method: 'POST' })).status).toBe(409)
  })

  test('tokens live for minutes', async () => {
    const { simulator, ask } = await start('market')
    expect((await ask('/v1/seller')).status).toBe(200)
    simulator.advance(901)
    expect((await ask('/v1/seller')).status).toBe(401)
  })

  test('items and stock are known by sku', async () => {
    const { simulator, ask, json } = await start('market')
    const put = (value: number) =>
      ask('/v1/items/N-1', { method: 'PUT', body: { title: 'Neu', price: { value, scale: 2, currency: 'EUR' } } })
    expect([(await put(999)).status, (await put(1099)).status]).toEqual([201, 200])
    await ask('/v1/inventory/N-1', { method: 'PUT', body: { quantity: 8, node: 'NODE-2' } })
    expect((await json('/v1/inventory/N-1')).nodes).toContainEqual({ node: 'NODE-2', quantity: 8 })
    expect((await json('/v1/items/N-1')).price).toEqual({ value: 1099, scale: 2, currency: 'EUR' })
    let count = 0
    let query: string | null = 'lastUpdatedAfter=1970-01-01&limit=10'
    while (query) {
      const page: Json = await json(`/v1/inventory?${query}`)
      count += page.inventory.length
      query = page.nextToken ? `nextToken=${page.nextToken}` : null
    }
    expect(count).toBe(new Set(simulator.truthOfInventory().map(({ sku }) => sku)).size)
  })
})

describe('the ledger', () => {
  test('has every request and effect in order, and goes on after any of them', async () => {
    const { simulator, ask } = await start('woo')
    await ask('/wp-json/wc/v3/orders?per_page=1&consumer_secret=cs_x')
    await ask('/nowhere')
    await ask('/wp-json/wc/v3/orders/1000001/notes', { method: 'POST', body: { note: 'n' } })
    const read = async (after: number): Promise<Json> =>
      (await fetch(`${simulator.baseUrl}/_ledger?after=${after}`)).json()
    const all = await read(0)
    expect(all.map(({ seq, kind, operation, status }: Json) => [seq, kind, operation, status])).toEqual([
      [1, 'request', 'orders.list', 200],
      [2, 'request', 'unknown', 404],
      [3, 'request', 'notes.create', 201],
      [4, 'effect', 'note.create', undefined],
    ])
    expect(all[0].path).not.toContain('cs_x')
    expect(await read(3)).toEqual(all.slice(3))
    expect(all[2].effects).toEqual([all[3].id])
  })

  test('control answers about itself and refuses what it does not know', async () => {
    const { simulator } = await start('woo')
    const about = await (await fetch(`${simulator.baseUrl}/_about`)).json()
    expect(about).toMatchObject({ dialect: 'woo', shop: simulator.shop, orders: 120 })
    const post = async (path: string, body: unknown) =>
      (await fetch(simulator.baseUrl + path, { method: 'POST', body: JSON.stringify(body) })).status
    expect(await post('/_shop/change', { orders: 3, products: 1, inventory: 2, new_orders: 1, delete_orders: 1 })).toBe(
      200,
    )
    expect(await post('/_shop/change', { cats: 3 })).toBe(400)
    expect(await post('/_clock', { advance_seconds: -1 })).toBe(400)
    expect(await post('/_nothing', {})).toBe(404)
    expect(simulator.ledger()).toEqual([])
  })
})
