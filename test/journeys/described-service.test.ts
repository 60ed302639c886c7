import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { linked } from '../support/described-services.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** A shop that nobody wrote a connector for: its service is made over the API, and then works like any other. */

const definition = {
  ...linked,
  proxy: { prefixes: ['/goods'], resources: [{ name: 'goods', path: '/goods' }] },
}

let shop: Simulator
let address: string
let credentials: Readonly<Record<string, string>>
let server: TestServer
let merchant: Merchant

beforeAll(async () => {
  shop = await startSimulator({ platform: 'custom', variant: { manner: 'links' }, orders: 83, products: 30 })
  address = `${shop.baseUrl}/rest`
  credentials = shop.credentials
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

interface Told {
  amount_total: number
  levels: { article: string; place: string; count: number }[]
}

const inShop = async (path: string): Promise<Told> => {
  const { username, password } = credentials
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(address + path, { headers: { authorization } })
  return (await answer.json()) as Told
}

const openOrders = () =>
  shop.truth().flatMap(({ stage, parcels, remote_id }) => (stage === 'paid' && parcels === 0 ? [remote_id] : []))

let serviceId: number
let path: string

test('the service is made, with a form and capabilities of its own', async () => {
  const wrong = { ...definition, auth: { kind: 'header' }, orders: { ...definition.orders, colour: 'blue' } }
  const refused = await merchant.asUser('POST', '/api/1.0/services', {
    type: 'our-erp',
    name: 'ERP',
    definition: wrong,
  })
  expect(refused.status).toBe(422)
  expect(errors(refused)).toEqual({
    'definition.auth.name': ['The definition.auth.name field is required.'],
    'definition.orders.colour': [expect.stringMatching(/field is unknown\. Allowed here: list, get, /)],
  })
  const made = data(await merchant.asUser('POST', '/api/1.0/services', { type: 'our-erp', name: 'ERP', definition }))
  expect(made).toMatchObject({
    type: 'our-erp',
    auth_type: 'basic',
    definition,
    installed_by: ['keys'],
    settings_schema: { required: ['base_url'] },
    credentials_schema: { required: ['username', 'password'] },
    capabilities: { webhooks: [], inventory_locations: true, partial_shipments: true },
  })
  expect(made['capabilities']).toHaveProperty('actions', [
    ...[
      'get_orders',
      'get_order',
      'get_order_statuses',
      'cancel_order',
      'get_products',
      'get_inventory',
      'set_inventory',
      'create_shipment',
    ],
    ...['test_connection', 'sync_orders', 'sync_products', 'sync_inventory', 'reconcile'],
  ])
  serviceId = Number(made['id'])
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: serviceId })
  const offered = data(await merchant.asAccount('GET', '/services-type/our-erp'))
  expect(offered).toMatchObject({ id: serviceId, credentials_schema: { required: ['username', 'password'] } })
  expect(offered).not.toHaveProperty('definition')
})

const install = (body: object) =>
  merchant.asApp('POST', '/our-erp/install', {
    ...{ name: 'Sales', shop: 'sales.example', remote_id: merchant.remoteId, settings: { base_url: address } },
    ...{ credentials, ...body },
  })

let id: number
let gatewayKey: string

test('wrong keys are reported at their fields, right ones let us in, and everything is copied', async () => {
  expect(errors(await install({ settings: {} }))).toHaveProperty(['settings.base_url'])
  expect(Object.keys(errors(await install({ credentials: { ...credentials, password: 'wrong' } })))).toEqual([
    'credentials.username',
    'credentials.password',
  ])
  const integration = data(await install({}))
  expect(integration).toMatchObject({ status: 'ACTIVE', type: 'our-erp' })
  id = Number(integration['id'])
  gatewayKey = String(integration['gateway_key'])
  path = `/integrations/${id}`
  const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
  await expect.poll(runs).toEqual(Array(3).fill('completed'))
  const total = async (list: string) =>
    (await merchant.asApp('GET', `/${list}?integration_id=${id}&per_page=1`)).json['meta']
  expect(await total('orders')).toMatchObject({ total: 83 })
  expect(await total('products')).toMatchObject({ total: 30 })
  expect(await total('inventory')).toMatchObject({ total: shop.truthOfInventory().length })
  const [first = ''] = openOrders()
  const [order] = rows(await merchant.asApp('GET', `/orders?integration_id=${id}&remote_id=${first}`))
  const sale = await inShop(`/sales/${first}`)
  expect(order).toMatchObject({ remote_status: '1', currency: 'EUR' })
  expect(JSON.stringify(order)).toContain((sale.amount_total / 100).toFixed(2))
})

const act = (resource: string, fields: object = {}) => merchant.asApp('POST', `${path}/action`, { resource, ...fields })

test('what is changed here is changed in the shop, once', async () => {
  const [sent = '', gone = ''] = openOrders()
  const draft = { order_remote_id: sent, tracking_number: 'T-1', carrier: 'Post' }
  expect(data(await act('create_shipment', draft))).toMatchObject({ tracking_number: 'T-1' })
  expect(await inShop(`/sales/${sent}`)).toMatchObject({ state: 2 })
  expect(data(await act('cancel_order', { remote_id: gone }))).toMatchObject({ status: 'CANCELLED' })
  expect(await inShop(`/sales/${gone}`)).toMatchObject({ state: 9 })
  const items = [{ sku: 'SKU-00003-1', quantity: 4321, location: 'place-2' }]
  expect((await act('set_inventory', { items })).status).toBe(200)
  const { levels } = await inShop('/levels')
  const level = levels.find(({ article, place }) => article === 'SKU-00003-1' && place === 'place-2')
  expect(level).toMatchObject({ count: 4321 })
  expect(shop.doubles()).toEqual([])
  expect(errors(await act('create_order'))).toEqual({ resource: ['The selected resource is invalid.'] })
})

test('a sync brings what changed, a schedule may ask for it, the shop is reached by proxy, and sends no messages', async () => {
  const { id: run } = data(await act('sync_orders'))
  const read = async () => data(await merchant.asApp('GET', `${path}/runs/${run}`))
  await expect.poll(async () => (await read())['finished_at']).not.toBeNull()
  expect(await read()).toMatchObject({ status: 'completed', error: null })
  const schedule = { integration_id: id, cron: '0 3 * * *' }
  const plan = (resource: string) => merchant.asUser('POST', '/api/1.0/schedules', { ...schedule, resource })
  expect((await plan('sync_orders')).status).toBeLessThan(300)
  expect(Object.keys(errors(await plan('create_order')))).toEqual(['resource'])
  const viaGateway = (method: string, to: string, body?: unknown) =>
    server.call(method, `/api/1.0${to}`, {
      token: merchant.userToken,
      headers: { 'x-gateway-key': gatewayKey },
      ...(body === undefined ? {} : { body }),
    })
  const ask = (endpoint: string) => viaGateway('POST', '/services-request', { endpoint })
  expect((await ask('/goods')).text).toContain('SKU-0000')
  expect(errors(await ask('/sales'))).toHaveProperty('endpoint')
  expect((await viaGateway('GET', '/resource/goods')).text).toContain('SKU-0000')
  const hook = `/api/1.0/webhook_callback/our-erp/${merchant.accountId}/sales.example`
  expect((await server.call('POST', hook, { body: {} })).status).toBe(404)
})

test('where keys go does not change while a shop is connected; what is read may', async () => {
  const change = (changed: object | null) =>
    merchant.asUser('PUT', `/api/1.0/services/${serviceId}`, { definition: changed })
  const elsewhere = { ...definition, origin: { from: 'fixed', address: 'https://thief.example' } }
  expect(Object.keys(errors(await change(elsewhere)))).toEqual(['definition.origin'])
  expect(Object.keys(errors(await change({ ...definition, auth: { kind: 'none' } })))).toEqual(['definition.auth'])
  expect(Object.keys(errors(await change(null)))).toEqual(['definition'])
  const { shipments: _, ...less } = definition
  expect(data(await change(less))).toMatchObject({ capabilities: { partial_shipments: false } })
  expect(errors(await act('create_shipment'))).toEqual({ resource: ['The selected resource is invalid.'] })
})

test('an integration keeps the definition of its own service when that is gone and its type is somebody else’s', async () => {
  await merchant.asUser('DELETE', `/api/1.0/services/${serviceId}`)
  const stranger = await makeMerchant(server)
  const other = { ...definition, origin: { from: 'fixed', address: 'https://thief.example' } }
  const taken = await stranger.asUser('POST', '/api/1.0/services', {
    type: 'our-erp',
    name: 'Other',
    definition: other,
  })
  expect(taken.status).toBe(201)
  expect((await act('test_connection')).status).toBe(200)
  expect(data(await act('get_order', { remote_id: '1005' }))).toMatchObject({ remote_id: '1005' })
  expect(data(await merchant.asAccount('POST', `${path}/uninstall`))).toMatchObject({ status: 'UNINSTALLED' })
})
