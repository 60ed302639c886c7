import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { brokenDescriptions } from '../support/broken-descriptions.ts'
import { linked } from '../support/described-services.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** A description is tried against a shop before anything of it is kept. */

let shop: Simulator
let server: TestServer
let merchant: Merchant

beforeAll(async () => {
  shop = await startSimulator({ platform: 'custom', variant: { manner: 'links' }, orders: 83, products: 30 })
  server = await startTestServer({ egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const tried = (body: object) => merchant.asUser('POST', '/services/try', body)
const reach = () => ({ settings: { base_url: `${shop.baseUrl}/rest` }, credentials: shop.credentials })

describe('POST /api/2.0/user/services/try', () => {
  test('goes through everything, shows records beside ours, and leaves nothing behind', async () => {
    const services = rows(await merchant.asUser('GET', '/api/1.0/services?per_page=100')).length
    const before = JSON.stringify(shop.truth())
    const report = data(await tried({ definition: linked, ...reach(), whole: true }))
    expect(report['steps']).toEqual(
      [
        ['description', null],
        ['access', null],
        ...['orders', 'products', 'inventory'].flatMap((part) =>
          ['first page', 'translation', 'all pages', 'changes', ...(part === 'inventory' ? [] : ['one record'])].map(
            (name) => [name, part],
          ),
        ),
        ['one record', 'inventory'],
        ['dry write', 'orders'],
        ['dry write', 'orders'],
        ['dry write', 'inventory'],
      ].map(([name, part]) => expect.objectContaining({ name, part, state: expect.stringMatching(/^(ok|skipped)$/) })),
    )
    expect(report).toMatchObject({ ok: true, mistakes: [] })
    const [orders] = report['samples'] as [Record<string, unknown>]
    expect(orders).toMatchObject({ part: 'orders', error: null, theirs: { rows: expect.any(Array) } })
    const theirs = orders['theirs'] as { sale_id: number; amount_total: number }
    expect(orders['ours']).toMatchObject({
      remote_id: String(theirs.sale_id),
      total: { amount: (theirs.amount_total / 100).toFixed(2), currency: 'EUR' },
    })
    expect(orders['fields']).toContainEqual({ field: 'total', place: 'amount_total', found: theirs.amount_total })
    expect(JSON.stringify(report['steps'])).toContain('83 records on')
    expect(JSON.stringify(report['steps'])).toMatch(/A parcel would be sent as POST \/sales\/[^ ]+\/send/)
    expect(new Set((report['requests'] as { method: string }[]).map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(JSON.stringify(shop.truth())).toBe(before)
    expect(rows(await merchant.asUser('GET', '/api/1.0/services?per_page=100')).length).toBe(services)
  })

  test('begins with an address and a list, and says which place is likely which field', async () => {
    const { origin, auth } = linked
    const orders = { list: { path: '/sales', items: 'results' } }
    const report = data(await tried({ definition: { origin, auth, orders }, ...reach() }))
    expect(report).toMatchObject({ ok: false, samples: [{ part: 'orders', ours: null }] })
    expect(report['mistakes']).toContainEqual({
      at: 'definition.orders.fields',
      messages: [expect.stringContaining('is required')],
    })
    const suggested = report['suggestions'] as { field: string; place: string }[]
    expect(Object.fromEntries(suggested.map(({ field, place }) => [field, place]))).toMatchObject({
      'fields.remote_id': 'sale_id',
      'fields.status': 'state',
      'fields.total': 'amount_total',
      'fields.placed_at': 'created',
      'fields.updated_at': 'changed',
      'lines.items': 'rows',
      'lines.fields.sku': 'sku',
      'lines.fields.quantity': 'qty',
    })
    expect(report['suggested_format']).toEqual({ time: 'unix' })
  })

  test('reads a record that is handed in without asking anybody, and names what is wrong with it', async () => {
    const record = { sale_id: 5, state: 1, amount_total: 'a lot', created: 1, changed: 2, rows: [] }
    const report = data(await tried({ definition: linked, record, part: 'orders' }))
    expect(report).toMatchObject({
      ok: false,
      requests: [],
      samples: [{ ours: null, error: '"amount_total" is no whole number.' }],
    })
  })

  test('says at which step the shop does not do what the description expects', async () => {
    const wrongKeys = { ...reach(), credentials: { ...shop.credentials, password: 'wrong' } }
    expect(data(await tried({ definition: linked, ...wrongKeys }))).toMatchObject({
      ok: false,
      steps: [{ state: 'ok' }, { name: 'access', state: 'failed', words: expect.stringContaining('rejected') }],
    })
    const orders = { ...linked.orders, get: { path: '/nowhere/{id}' } }
    const report = data(await tried({ definition: { ...linked, orders }, ...reach(), part: 'orders', whole: true }))
    expect(report['steps']).toContainEqual(expect.objectContaining({ name: 'one record', state: 'failed' }))
    expect(errors(await tried({ definition: linked, settings: {}, credentials: {} }))).toHaveProperty([
      'settings.base_url',
    ])
  })

  test('goes out by the same guarded way as everything else', async () => {
    for (const address of ['http://169.254.169.254', 'http://10.0.0.1', 'http://[::1]:1']) {
      const answer = await tried({ definition: linked, ...reach(), settings: { base_url: address } })
      expect([200, 201, 422]).toContain(answer.status)
      expect(Object(answer.json['data'])['ok'] ?? false).toBe(false)
    }
  })
})

test('400 broken descriptions are refused at their place, and none is a failure of ours', async () => {
  const statuses: number[] = []
  let refused = 0
  for (const { at, definition } of brokenDescriptions(400)) {
    const record = { sale_id: 5, id: 5, state: 1, rows: [] }
    const answer = await tried({ definition, record })
    statuses.push(answer.status)
    const made = await merchant.asUser('POST', '/api/1.0/services', {
      type: `broken-${refused}`,
      name: 'B',
      definition,
    })
    statuses.push(made.status)
    // Characters that no text may hold are refused before anybody looks at the description.
    if (made.status === 400) {
      refused += 1
      continue
    }
    if (made.status !== 422) {
      // It did no harm: such a service works as any other.
      expect(made.status).toBe(201)
      await merchant.asUser('DELETE', `/api/1.0/services/${data(made)['id']}`)
      continue
    }
    refused += 1
    const [top = ''] = at.split('.')
    const places = Object.keys(errors(made))
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) expect(place).toMatch(/^definition(\.|$)/)
    // Each says what is wrong, or what is allowed there, and never only that it is.
    for (const message of Object.values(errors(made)).flat()) expect(message).not.toMatch(/ is invalid\.$/)
    // What is missing in one part may be missed in another; something is always said where it was broken, or of what needs it.
    expect(
      places.some(
        (place) => place.startsWith(`definition.${top}`) || needs(top).some((other) => place.startsWith(other)),
      ),
    ).toBe(true)
  }
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(refused).toBeGreaterThanOrEqual(200)
})

const needs = (top: string): string[] =>
  ({
    format: ['definition.orders.fields', 'definition.products'],
    orders: ['definition.shipments', 'definition.refunds', 'definition.webhooks'],
    inventory: ['definition.webhooks'],
  })[top] ?? []

test('GET /api/2.0/user/services/definition-schema is the language, for editors', async () => {
  const { schema } = data(await merchant.asUser('GET', '/services/definition-schema')) as { schema: object }
  expect(schema).toMatchObject({
    $schema: expect.stringContaining('2020-12'),
    required: ['origin', 'auth'],
    properties: { orders: { properties: { fields: { required: expect.arrayContaining(['total']) } } } },
  })
  expect(JSON.stringify(schema)).not.toContain('"x-')
})

test('POST /api/2.0/user/services/draft begins with what an OpenAPI document tells', async () => {
  const order = {
    type: 'object',
    properties: {
      ...{
        id: { type: 'integer' },
        status: { type: 'string' },
        total: { type: 'number' },
        currency: { type: 'string' },
      },
      ...{ created_at: { type: 'string', format: 'date-time' }, updated_at: { type: 'string', format: 'date-time' } },
      items: {
        type: 'array',
        items: { type: 'object', properties: { sku: { type: 'string' }, qty: { type: 'integer' } } },
      },
    },
  }
  const answer = {
    type: 'object',
    properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
  }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://erp.example/api/v2' }],
    components: {
      schemas: { Order: order },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
    paths: {
      '/orders': {
        get: {
          parameters: [
            { name: 'page', in: 'query' },
            { name: 'per_page', in: 'query' },
          ],
          responses: { 200: { content: { 'application/json': { schema: answer } } } },
        },
      },
      '/orders/{orderId}': { get: {} },
    },
  }
  const draft = data(await merchant.asUser('POST', '/services/draft', { document }))
  expect(draft).toMatchObject({
    found: [{ part: 'orders', path: '/orders' }],
    definition: {
      origin: { from: 'fixed', address: 'https://erp.example', base_path: '/api/v2' },
      auth: { kind: 'header', name: 'X-Key' },
      orders: {
        list: {
          path: '/orders',
          items: 'data',
          paging: { style: 'page', parameter: 'page', size_parameter: 'per_page' },
        },
        get: { path: '/orders/{id}' },
        fields: { remote_id: 'id', status: 'status', total: 'total', updated_at: 'updated_at' },
        lines: { items: 'items', fields: { sku: 'sku', quantity: 'qty' } },
      },
    },
  })
  for (const odd of [
    {},
    { paths: 5 },
    { paths: { '/orders': null } },
    { paths: { '/orders': { get: { responses: [] } } } },
  ]) {
    expect(
      (await merchant.asUser('POST', '/services/draft', { document: { openapi: '3', ...odd } })).status,
    ).toBeLessThan(300)
  }
  const loop = { $ref: '#/components/schemas/Loop' }
  const endless = { openapi: '3', components: { schemas: { Loop: { type: 'object', properties: { loop } } } } }
  const paths = { '/orders': { get: { responses: { 200: { content: { 'application/json': { schema: loop } } } } } } }
  expect((await merchant.asUser('POST', '/services/draft', { document: { ...endless, paths } })).status).toBeLessThan(
    300,
  )
})
