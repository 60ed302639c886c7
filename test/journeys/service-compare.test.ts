import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareType } from '../../src/domain/descriptions/compare-type.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { data, errors, installed, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { linked } from '../support/described-services.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** A changed description counts once somebody has seen what it changes. */

let shop: Simulator
let server: TestServer
let merchant: Merchant
let id: number

const synced = async (integration: number) => {
  const runs = async () =>
    rows(await merchant.asApp('GET', `/integrations/${integration}/runs`)).map(({ status }) => status)
  await expect.poll(async () => new Set(await runs())).toEqual(new Set(['completed']))
}

beforeAll(async () => {
  shop = await startSimulator({ platform: 'custom', variant: { manner: 'links' }, orders: 83, products: 5 })
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
  const body = { type: 'compared-erp', name: 'ERP', definition: linked }
  const service = data(await merchant.asUser('POST', '/api/1.0/services', body))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const integration = data(
    await merchant.asApp('POST', '/compared-erp/install', {
      ...{ name: 'Sales', shop: 'sales.example', remote_id: merchant.remoteId, credentials: shop.credentials },
      settings: { base_url: `${shop.baseUrl}/rest` },
    }),
  )
  id = Number(integration['id'])
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const compare = (body: object) => merchant.asUser('POST', '/services/compare', { integration_id: id, ...body })
const withOrders = (changes: object) => ({ ...linked, orders: { ...linked.orders, ...changes } })

test('the same description changes nothing', async () => {
  await synced(id)
  expect(data(await compare({ definition: linked }))).toMatchObject({
    ...{ compared: 83, unchanged: 83, changed: 0, failed: 0, fields: [], failures: [] },
  })
})

test('every order that a change concerns is found, and no other', async () => {
  const fields = { ...linked.orders?.fields, tax_total: { select: 'state == `2` && `100` || `0`' } }
  const report = data(await compare({ definition: withOrders({ fields }) }))
  const [tax] = report['fields'] as [{ field: string; count: number; examples: object[] }]
  expect(report).toMatchObject({ compared: 83, failed: 0, changed: tax.count, unchanged: 83 - tax.count })
  expect(tax).toMatchObject({
    field: 'tax_total',
    examples: expect.arrayContaining([expect.objectContaining({ before: '0.00', after: '1.00' })]),
  })
  const stored = rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`))
  expect(tax.count).toBe(stored.filter(({ remote_status }) => remote_status === '2').length)
  expect(tax.count).toBeGreaterThan(0)
})

test('what would no longer be understood is counted with its reason, and what is about people is not shown', async () => {
  const gone = data(await compare({ definition: withOrders({ fields: { ...linked.orders?.fields, total: 'grand' } }) }))
  expect(gone).toMatchObject({
    failed: 83,
    failures: [{ count: 83, reason: expect.stringContaining('has no "grand"') }],
  })
  const fields = { ...linked.orders?.fields, customer: { email: { value: 'other@example.com' } } }
  const people = data(await compare({ definition: withOrders({ fields }) }))
  const [email] = people['fields'] as [{ field: string; examples: object[] }]
  expect(email).toMatchObject({ field: 'customer.email', examples: expect.any(Array) })
  expect(JSON.stringify(people)).not.toContain('@')
})

test('the first orders that the shop sends now are compared too, where that is asked for', async () => {
  const same = data(await compare({ definition: linked, live: true }))
  expect(same['live']).toMatchObject({ failed: 0, changed: 0, fields: [] })
  const { compared } = same['live'] as { compared: number }
  expect(compared).toBeGreaterThan(0)
  const fields = { ...linked.orders?.fields, shipping_method: { value: 'R-1' } }
  expect(data(await compare({ definition: withOrders({ fields }), live: true }))['live']).toMatchObject({
    ...{ changed: compared, fields: [{ field: 'shipping_method', count: compared }] },
  })
  const elsewhere = withOrders({ list: { ...linked.orders?.list, items: 'nowhere' } })
  const refused = await compare({ definition: elsewhere, live: true })
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused)).toContain('has no list at')
  expect(data(await compare({ definition: linked }))['live']).toBeNull()
})

test('the connector of this version is compared with what is stored, and with what the shop sends now', async () => {
  const sandbox = Number((await installed(merchant, { orders: 20 }))['id'])
  await synced(sandbox)
  const same = { compared: 20, unchanged: 20, changed: 0, failed: 0 }
  expect(await compareType(server.context, 'sandbox', { max: 1000, live: true })).toMatchObject({
    ...{ shops: 1, ...same, live: same },
  })
  expect(data(await compare({ integration_id: sandbox }))).toMatchObject({ ...same, live: null })
  // As if an earlier version had read another tax, and another order had changed in the shop since.
  await sql`update orders set tax_total = tax_total + 1
    where id in (select id from orders where integration_id = ${sandbox} order by id limit 2)`.execute(
    server.context.db,
  )
  await sql`update orders set remote_version = 'before'
    where id = (select min(id) from orders where integration_id = ${sandbox})`.execute(server.context.db)
  expect(data(await compare({ integration_id: sandbox, live: true }))).toMatchObject({
    ...{ compared: 20, changed: 2, fields: [{ field: 'tax_total', count: 2 }] },
    live: { compared: 19, changed: 1, fields: [{ field: 'tax_total', count: 1 }] },
  })
  expect(errors(await compare({ integration_id: sandbox, definition: linked }))).toHaveProperty('definition')
})

test('nobody compares what is not theirs', async () => {
  const stranger = await makeMerchant(server)
  const answer = await stranger.asUser('POST', '/services/compare', { integration_id: id, definition: linked })
  expect(errors(answer)).toHaveProperty('integration_id')
})
