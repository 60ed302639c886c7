import { createHmac } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { startSimulator } from '../../src/simulator/start.ts'
import { open, press } from '../support/browser.ts'
import { type Json, openRaw } from './clients.ts'
import { openReceiver } from './receiver.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const base = '/wp-json/wc/v3'

test('pages have totals, and too large ones are refused', async () => {
  const { ask } = openRaw('woocommerce')
  const page = await ask(`${base}/orders?per_page=50&page=3`)
  expect(page.json).toHaveLength(20)
  expect([page.header('x-wp-total'), page.header('x-wp-totalpages')]).toEqual(['120', '3'])
  expect((await ask(`${base}/orders?per_page=101`)).status).toBe(400)
  expect((await ask(`${base}/orders`, { headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
})

test('times without zone are the site’s own unless the call says otherwise', async () => {
  const { ask } = openRaw('woocommerce')
  const [order] = (await ask(`${base}/orders?per_page=1&orderby=modified&order=asc&page=60`)).json
  const count = async (query: string) => (await ask(`${base}/orders?include=${order.id}&${query}`)).json.length
  expect(await count(`modified_after=${order.date_modified}`)).toBe(0)
  expect(await count(`modified_after=${order.date_modified_gmt}`)).toBe(1)
  expect(await count(`modified_after=${order.date_modified_gmt}&dates_are_gmt=true`)).toBe(0)
  expect(await count(`modified_after=${order.date_modified_gmt}Z`)).toBe(0)
})

test('tracking by the plug-in is a remark that can be made twice; the status is a matter of its own', async () => {
  const { simulator, ask } = openRaw('woocommerce', { variant: { tracking: 'plug-in' } })
  const order = simulator.truth().find(({ stage, custom_status }) => stage === 'paid' && custom_status === null)
  const path = `/wp-json/wc-shipment-tracking/v3/orders/${order?.remote_id}/shipment-trackings`
  const body = { tracking_provider: 'DHL', tracking_number: 'T1' }
  for (let i = 0; i < 2; i++)
    expect((await ask(path, { method: 'POST', body, headers: { 'x-operation-id': 'op-1' } })).status).toBe(201)
  expect((await ask(path)).json).toHaveLength(2)
  expect(simulator.doubles()).toMatchObject([
    { operation: 'shipment.create', key: 'op-1', count: 2 },
    { operation: 'shipment.create', key: expect.stringMatching(/ T1$/), count: 2 },
  ])
  const put = async () =>
    (await ask(`${base}/orders/${order?.remote_id}`, { method: 'PUT', body: { status: 'completed' } })).json
  expect((await put()).status).toBe('completed')
  const modified = (await put()).date_modified_gmt
  expect((await ask(`${base}/orders/${order?.remote_id}`)).json.date_modified_gmt).toBe(modified)
})

test('totals of lines, tax and shipping make the total', async () => {
  const { ask } = openRaw('woocommerce')
  for (const order of (await ask(`${base}/orders?per_page=100`)).json) {
    const lines = order.line_items.reduce(
      (sum: number, line: Json) => sum + Number(line.total) + Number(line.total_tax),
      0,
    )
    expect(lines + Number(order.shipping_total)).toBeCloseTo(Number(order.total), 3)
  }
})

test('keys are handed over by post, and open the shop', async () => {
  const simulator = await startSimulator({ platform: 'woocommerce', orders: 5, products: 2 })
  const receiver = await openReceiver()
  closers.push(receiver.close, simulator.close)
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
  expect([keys.consumer_key, keys.consumer_secret]).toEqual([
    expect.stringMatching(/^ck_[0-9a-f]{40}$/),
    expect.stringMatching(/^cs_[0-9a-f]{40}$/),
  ])
})

test('a new webhook is pinged without signature, then signed with its own secret', async () => {
  const { simulator, ask } = openRaw('woocommerce')
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
  const { simulator, ask } = openRaw('woocommerce')
  const draft = { name: 'Neu', sku: 'N-1', regular_price: '9.99', manage_stock: true, stock_quantity: 4 }
  const { json: made } = await ask(`${base}/products`, { method: 'POST', body: draft })
  expect(made).toMatchObject({ type: 'simple', price: '9.99', stock_quantity: 4 })
  expect((await ask(`${base}/products`, { method: 'POST', body: { name: 'Neu', sku: 'N-1' } })).status).toBe(400)
  await ask(`${base}/products/${made.id}`, { method: 'PUT', body: { stock_quantity: 11 } })
  expect(simulator.truthOfInventory().find(({ sku }) => sku === 'N-1')).toMatchObject({
    available: 11,
    variant_remote_id: String(made.id),
  })
  const { json: products } = await ask(`${base}/products?per_page=100`)
  const [variable] = products.filter(({ type }: Json) => type === 'variable')
  await ask(`${base}/products/${variable.id}/variations/${variable.variations[1]}`, {
    method: 'PUT',
    body: { stock_quantity: 3 },
  })
  const { json: variations } = await ask(`${base}/products/${variable.id}/variations`)
  expect(variations.find(({ id }: Json) => id === variable.variations[1])).toMatchObject({ stock_quantity: 3 })
})
