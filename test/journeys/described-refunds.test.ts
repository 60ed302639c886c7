import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Definition } from '../../src/commerce/definition/definition.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { type OwnShop, ownOrders, ownService, startOwnShop } from '../support/own-shop.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Money goes back in shops of described services, once, whatever happens on the way. */

let server: TestServer
let merchant: Merchant
let shop: OwnShop
beforeAll(async () => {
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
  shop = await startOwnShop()
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const body = [
  { path: 'sum', field: 'amount' },
  { path: 'why', field: 'reason' },
]

let types = 0
async function connect(create: NonNullable<Definition['refunds']>['create'], orders = ownOrders) {
  const type = `pays-back-${++types}`
  const definition = ownService({ kind: 'none' }, { orders, refunds: { create } })
  const service = data(await merchant.asUser('POST', '/api/1.0/services', { type, name: 'Pays back', definition }))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await merchant.asApp('POST', `/${type}/install`, {
      ...{ name: type, shop: `${type}.example`, remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    }),
  )
  const act = (resource: string, fields: object) =>
    merchant.asApp('POST', `/integrations/${id}/action`, { resource, ...fields })
  const refund = (fields: object) => act('create_refund', fields)
  return { service, definition, id, refund, act }
}

const orderThere = (id: string) => shop.orders.find((one) => one.id === id)
const sent = (id: string) =>
  shop.asked.filter(({ method, path }) => method === 'POST' && path === `/orders/${id}/refunds`)

test('a refund is sent as the description says, and is read back with the order', async () => {
  const { service, refund, id } = await connect({ method: 'POST', path: '/orders/{id}/refunds', body })
  expect(service['capabilities']).toMatchObject({ refund_by: ['amount'], refund_restock: false })
  // What the first sync has read already is older than the refund.
  const copy = async () => rows(await merchant.asApp('GET', `/orders?integration_id=${id}&remote_id=101`))[0]
  await expect.poll(copy).toBeDefined()
  const order = data(await refund({ order_remote_id: '101', amount: '12.50', reason: 'Broken' }))
  expect(order).toMatchObject({
    refunded_total: { amount: '12.50' },
    refunds: [{ remote_id: 'r1', amount: { amount: '12.50' } }],
  })
  expect(orderThere('101')?.paid_back).toEqual([{ id: 'r1', sum: '12.50', why: expect.stringMatching(/^Broken \(/) }])
  expect(await copy()).toMatchObject({ refunded_total: '12.50' })
  expect((await refund({ order_remote_id: '101', amount: '99.00' })).status).toBe(422)
  expect(
    (await refund({ order_remote_id: '101', lines: [{ order_line_remote_id: '101-1', quantity: 1 }] })).status,
  ).toBe(422)
  expect(sent('101')).toHaveLength(1)
})

test('where the answer gets lost the order says whether the money went back, and it goes once', async () => {
  const { refund } = await connect({ method: 'POST', path: '/orders/{id}/refunds', body })
  shop.lose = 1
  await refund({ order_remote_id: '102', amount: '10.00', reason: 'Late' })
  await expect
    .poll(async () => (await refund({ order_remote_id: '102', amount: '10.00', reason: 'Late' })).status)
    .toBe(200)
  expect(orderThere('102')?.paid_back.filter(({ why }) => why?.startsWith('Late'))).toHaveLength(1)
})

test('lines go with their amounts in cents, under a key that the service knows again', async () => {
  const { service, refund } = await connect({
    ...{ method: 'POST', path: '/orders/{id}/refunds', idempotency_header: 'Idempotency-Key' },
    body: [
      { path: 'sum', field: 'amount', money: 'minor' },
      { path: 'notify', value: true },
    ],
    lines: {
      ...{ path: 'rows', order_line_remote_id: 'row', quantity: 'qty', amount: 'cents', money: 'minor' },
    },
  })
  expect(service['capabilities']).toMatchObject({ refund_by: ['amount', 'lines'] })
  const lines = [{ order_line_remote_id: '103-1', quantity: 2 }]
  expect((await refund({ order_remote_id: '103', lines })).status).toBe(200)
  const [request] = sent('103')
  expect(JSON.parse(request?.body ?? '')).toEqual({
    ...{ sum: 2000, notify: true },
    rows: [{ row: '103-1', qty: 2, cents: 2000 }],
  })
  expect(request?.headers['idempotency-key']).toMatch(/^.{8,}$/)
})

test('a trial shows what would be sent, and sends nothing', async () => {
  const definition = ownService(
    { kind: 'none' },
    { refunds: { create: { method: 'POST', path: '/orders/{id}/refunds', body } } },
  )
  const before = shop.asked.filter(({ method }) => method === 'POST').length
  const report = data(
    await merchant.asUser('POST', '/services/try', { definition, settings: { base_url: shop.url }, whole: true }),
  )
  expect(JSON.stringify(report['steps'])).toMatch(/A refund would be sent as POST \/orders\/\d+\/refunds with/)
  expect(shop.asked.filter(({ method }) => method === 'POST').length).toBe(before)
})

test('a refund that nobody could find again is refused before it is published', async () => {
  const { refunds: _, ...orders } = ownOrders
  const definition = ownService(
    { kind: 'none' },
    { orders, refunds: { create: { method: 'POST', path: '/orders/{id}/refunds', body } } },
  )
  const answer = await merchant.asUser('POST', '/api/1.0/services', { type: 'unsafe', name: 'Unsafe', definition })
  expect(Object.keys(errors(answer))).toEqual(['definition.refunds.create.idempotency_header'])
})
