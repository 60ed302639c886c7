import { createHmac } from 'node:crypto'
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../../../../test/simulator/receiver.ts'
import {
  hasSpecifications,
  noSpecifications,
  readGraphqlSchema,
} from '../../../../test/support/vendor-specification.ts'
import type { SimulatorOptions } from '../../options.ts'
import { openSimulator } from '../../simulator.ts'
import { schema } from './schema.ts'

const shop = 'harbour-1.myshopify.com'

type Json = Record<string, unknown>

function open(options: Partial<SimulatorOptions> = {}) {
  const simulator = openSimulator({ platform: 'shopify', orders: 40, products: 8, ...options })
  const call = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const {
      status,
      bytes,
      headers: received,
    } = await simulator.answer({
      ...{ method, url: `https://${shop}${path}`, body: raw },
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = bytes.toString()
    return { status, headers: received, text, body: (/^[{[]/.test(text) ? JSON.parse(text) : {}) as Json }
  }
  const ask = async (query: string, variables: Json = {}, token = simulator.kept['access_token'] ?? '') =>
    await call('POST', '/admin/api/2026-10/graphql.json', { query, variables }, { 'x-shopify-access-token': token })
  return { simulator, call, ask }
}

test.skipIf(!hasSpecifications)(
  `the schema says nothing that the platform’s does not (else: ${noSpecifications})`,
  () => {
    const theirs = readGraphqlSchema('shopify/admin-2026-10.graphql')
    const known = new Set(wordsIn(theirs))
    const ours = wordsIn(schema())
    expect(ours.length).toBeGreaterThan(300)
    expect(ours.filter((word) => !known.has(word))).toEqual([])
  },
)

/** Every name with its type. Codes of countries, currencies and topics are any word in ours. */
const wordsIn = (of: GraphQLSchema): string[] =>
  Object.values(of.getTypeMap()).flatMap((type): string[] => {
    if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`)
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`)
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    return Object.values(type.getFields()).flatMap((field) => [
      `${type.name}.${field.name}: ${field.type}`,
      ...field.args.map((arg) => `${type.name}.${field.name}(${arg.name}: ${arg.type})`),
    ])
  })

describe('tokens', () => {
  const exchange = '/admin/oauth/access_token'

  test('are given for the merchant’s consent, in an address that is signed, once', async () => {
    const { simulator, call, ask } = open()
    const { client } = simulator.install
    const trip = { client_id: client['client_id'] ?? '', scope: 'read_orders,read_products', state: 's' }
    const query = new URLSearchParams({ ...trip, redirect_uri: 'https://entrepot.example/back' })
    expect((await call('GET', `/admin/oauth/authorize?${query}`, '')).text).toContain('read_products')
    query.set('decision', 'allow')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, headers } = await call('POST', '/admin/oauth/authorize', String(query), form)
    const back = new URL(headers['location'] ?? '')
    const { hmac, ...received } = Object.fromEntries(back.searchParams)
    const message = Object.keys(received)
      .sort()
      .map((name) => `${name}=${encodeURIComponent(received[name] ?? '')}`)
      .join('&')
    expect([status, back.origin, received['shop'], received['state']]).toEqual([
      302,
      'https://entrepot.example',
      shop,
      's',
    ])
    expect(hmac).toBe(
      createHmac('sha256', client['client_secret'] ?? '')
        .update(message)
        .digest('hex'),
    )
    const body = { ...client, code: received['code'], expiring: '1' }
    const granted = await call('POST', exchange, body)
    expect(granted.body).toMatchObject({ scope: 'read_orders,read_products', expires_in: 3600 })
    expect(await ask('{ shop { name } }', {}, String(granted.body['access_token']))).toMatchObject({ status: 200 })
    expect(await call('POST', exchange, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('end after an hour; the refresh token works until what it gave is used', async () => {
    const { simulator, call, ask } = open()
    const { access_token: access = '', refresh_token: first } = simulator.kept
    const refresh = async (token: unknown) =>
      await call('POST', exchange, { ...simulator.install.client, grant_type: 'refresh_token', refresh_token: token })
    simulator.advance(3601)
    expect((await ask('{ shop { name } }', {}, access)).status).toBe(401)
    const lost = await refresh(first)
    const next = await refresh(first)
    expect((await ask('{ shop { name } }', {}, String(lost.body['access_token']))).status).toBe(401)
    expect((await ask('{ shop { name } }', {}, String(next.body['access_token']))).status).toBe(200)
    expect(await refresh(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await refresh(next.body['refresh_token'])).status).toBe(200)
  })
})

describe('questions', () => {
  const orders =
    'query O($first: Int!) { orders(first: $first) { nodes { id customer { id } lineItems(first: 20) { nodes { sku } } } } }'

  test('that are not of the schema, or carry no token, are refused', async () => {
    const { ask } = open()
    const { status, body } = await ask('{ shop { colour } }')
    expect([status, JSON.stringify(body['errors'])]).toEqual([200, expect.stringContaining('colour')])
    expect(await ask('{ shop { name } }', {}, 'shpat_wrong')).toMatchObject({
      status: 401,
      body: { errors: expect.stringContaining('Invalid API key') },
    })
    expect((await ask('{ orders { nodes { id } } }')).body).toMatchObject({
      errors: [{ message: 'you must provide one of first or last', path: ['orders'] }],
    })
  })

  test('are charged what they could cost, and given back what they did not', async () => {
    const { simulator, ask } = open({ variant: { plan: 'standard', max_cost: '300' }, orders: 3 })
    simulator.weather({ limit_scale: 0.05 })
    const costs = async () => ((await ask(orders, { first: 100 })).body['extensions'] as { cost: Json }).cost
    const [requested, actual] = [92, 18]
    const throttleStatus = { maximumAvailable: 100, restoreRate: 5 }
    expect(await costs()).toMatchObject({ requestedQueryCost: requested, actualQueryCost: actual, throttleStatus })
    expect(await ask(orders, { first: 100 })).toMatchObject({
      status: 200,
      body: {
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
        extensions: { cost: { requestedQueryCost: requested, actualQueryCost: null, throttleStatus } },
      },
    })
    simulator.advance(20)
    expect(await costs()).toMatchObject({ actualQueryCost: actual })
    expect((await ask(orders.replace('20', '250'), { first: 250 })).body).toMatchObject({
      errors: [{ extensions: { code: 'MAX_COST_EXCEEDED', maxCost: 300 } }],
    })
  })

  test('about what was not granted are answered in part, and old orders are not told', async () => {
    const { simulator, ask } = open({ variant: { scopes: 'read_orders' } })
    const [fresh] = simulator.change({ new_orders: 1 }).new_orders
    const { body } = await ask(orders, { first: 50 })
    expect(body).toMatchObject({
      data: { orders: { nodes: [{ id: fresh, customer: null }] } },
      errors: [{ path: ['orders', 'nodes', 0, 'customer'], extensions: { code: 'ACCESS_DENIED' } }],
    })
    const [old] = simulator.truth()
    expect((await ask('query($id: ID!) { order(id: $id) { id } }', { id: old?.remote_id })).body['data']).toEqual({
      order: null,
    })
    expect((await ask('{ products(first: 1) { nodes { id } } }')).body).toMatchObject({
      data: null,
      errors: [{ path: ['products'], extensions: { code: 'ACCESS_DENIED' } }],
    })
  })

  test('a key of a change carries it out once, and is good for no other', async () => {
    const { simulator, ask } = open()
    const text = `mutation($q: Int!, $key: String!) { inventorySetQuantities(input: { name: "available", reason: "correction", quantities: [
      { inventoryItemId: "gid://shopify/InventoryItem/8500000000", locationId: "gid://shopify/Location/6000000001", quantity: $q, changeFromQuantity: null }
    ] }) @idempotent(key: $key) { userErrors { field code } } }`
    const set = async (q: number) => (await ask(text, { q, key: 'one' })).body['data']
    for (const _ of [1, 2]) expect(await set(7)).toEqual({ inventorySetQuantities: { userErrors: [] } })
    expect(simulator.ledger().filter((one) => one.kind === 'effect')).toHaveLength(1)
    expect(await set(8)).toMatchObject({
      inventorySetQuantities: { userErrors: [{ code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' }] },
    })
    expect(
      (await ask(text.replace('@idempotent(key: $key)', '').replace(', $key: String!', ''), { q: 9 })).body,
    ).toMatchObject({
      errors: [{ message: expect.stringContaining('@idempotent') }],
    })
  })
})

describe('messages', () => {
  const subscribe = `mutation($topic: WebhookSubscriptionTopic!, $uri: String!, $fields: [String!]) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, includeFields: $fields }) { userErrors { message } }
  }`

  test('carry the fields that were asked for, signed with the secret of the app', async () => {
    const { simulator, ask } = open()
    const receiver = await openReceiver()
    await ask(subscribe, { topic: 'ORDERS_CREATE', uri: receiver.url, fields: ['id', 'updated_at'] })
    await ask(subscribe, { topic: 'APP_UNINSTALLED', uri: receiver.url })
    const [made] = simulator.change({ new_orders: 1 }).new_orders
    await ask('mutation { appUninstall { userErrors { message } } }')
    await simulator.delivered()
    expect(receiver.received.map(({ headers }) => headers['x-shopify-topic'])).toEqual([
      'orders/create',
      'app/uninstalled',
    ])
    for (const { headers, body } of receiver.received) {
      const mac = createHmac('sha256', simulator.install.client['client_secret'] ?? '')
        .update(body)
        .digest('base64')
      expect([headers['x-shopify-hmac-sha256'], headers['x-shopify-shop-domain']]).toEqual([mac, shop])
    }
    const { id, ...rest } = JSON.parse(receiver.received[0]?.body ?? '') as Json
    expect([`gid://shopify/Order/${id}`, Object.keys(rest)]).toEqual([made, ['updated_at']])
    expect((await ask('{ shop { name } }')).status).toBe(401)
    await receiver.close()
  })

  test('may only be asked for by who may read what they are about', async () => {
    const { ask } = open({ variant: { scopes: 'read_orders' } })
    const refusals = async (topic: string) =>
      ((await ask(subscribe, { topic, uri: 'https://entrepot.example/in' })).body['data'] as Json)[
        'webhookSubscriptionCreate'
      ]
    expect(await refusals('ORDERS_CREATE')).toEqual({ userErrors: [] })
    expect(await refusals('FULFILLMENTS_CREATE')).toMatchObject({
      userErrors: [{ message: expect.stringContaining('fulfillments/create') }],
    })
    expect(await refusals('SHOP_REDACT')).toMatchObject({ userErrors: [{ message: 'Topic is invalid' }] })
  })
})
