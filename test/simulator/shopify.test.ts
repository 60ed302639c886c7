import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { open, press } from '../support/browser.ts'
import { clientOf, graphql, type Json } from './clients.ts'
import { openReceiver } from './receiver.ts'

const closers: (() => Promise<void>)[] = []
const start = async (options: Parameters<typeof startSimulator>[0] = {}) => {
  const simulator = await startSimulator({ dialect: 'shopify', orders: 120, products: 20, ...options })
  closers.push(simulator.close)
  return { simulator, ask: clientOf(simulator).ask }
}
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

const paid = (simulator: Simulator) =>
  simulator.truth().find(({ remote_status }) => remote_status === 'PAID/UNFULFILLED')?.remote_id ?? ''

describe('GraphQL', () => {
  test('aliases, inline fragments, variables with defaults, directives and __typename work', async () => {
    const { ask } = await start()
    const { data } = await graphql(
      ask,
      `query Page($n: Int = 2, $with: Boolean!) {
        list: orders(first: $n) { __typename edges { cursor node { ... on Order { number: name note @include(if: $with) } } } }
        shop { currencyCode }
      }`,
      { with: false },
    )
    expect(data.list.edges).toHaveLength(2)
    expect(data.list.edges[0].node).toEqual({ number: '#1001' })
    expect(data.shop).toEqual({ currencyCode: 'EUR' })
  })

  test.each([
    ['{ orders(first: 1) { nodes { colour } } }', 'undefinedField'],
    ['{ orders(first: 1) { nodes { id } }', 'parseError'],
    ['query Q($id: ID!) { order(id: $id) { id } }', 'INVALID_VARIABLE'],
    ['{ orders(first: 251) { nodes { id } } }', 'BAD_REQUEST'],
    ['{ orders(first: 1) { nodes { ...Missing } } }', 'useAndDefineFragment'],
  ])('%s is refused with %s and status 200', async (query, code) => {
    const { ask } = await start()
    const { errors, data } = await graphql(ask, query)
    expect(errors[0].extensions.code).toBe(code)
    expect(data).toBeUndefined()
  })

  test('queries are paid from a bucket, and an empty one says how fast it fills', async () => {
    const { simulator, ask } = await start()
    simulator.weather({ limit_scale: 0.01 })
    const query = '{ orders(first: 50) { nodes { id lineItems(first: 5) { nodes { id } } } } }'
    const first = await graphql(ask, query)
    expect(first.extensions.cost.throttleStatus).toMatchObject({ maximumAvailable: 20, restoreRate: 10 })
    expect(first.extensions.cost.actualQueryCost).toBeLessThanOrEqual(first.extensions.cost.requestedQueryCost)
    const answers: Json[] = []
    for (let i = 0; i < 5; i++) answers.push(await graphql(ask, query))
    expect(answers.some(({ errors }) => errors?.[0].extensions.code === 'THROTTLED')).toBe(true)
  })
})

describe('writes', () => {
  test('what is left of an order is sent once, and then there is nothing left', async () => {
    const { simulator, ask } = await start()
    const id = paid(simulator)
    const { data } = await graphql(
      ask,
      'query($id: ID!) { order(id: $id) { fulfillmentOrders(first: 5) { nodes { id } } } }',
      { id },
    )
    const fulfillment = {
      lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: data.order.fulfillmentOrders.nodes[0].id }],
      trackingInfo: { company: 'DHL', number: 'T1' },
    }
    const send = () =>
      graphql(
        ask,
        'mutation($f: FulfillmentInput!) { fulfillmentCreate(fulfillment: $f) { fulfillment { id } userErrors { message } } }',
        { f: fulfillment },
      )
    expect((await send()).data.fulfillmentCreate.userErrors).toEqual([])
    expect((await send()).data.fulfillmentCreate.userErrors).toHaveLength(1)
    expect(simulator.truth().find(({ remote_id }) => remote_id === id)).toMatchObject({ status: 'SHIPPED', version: 2 })
    expect(simulator.ledger().filter((entry) => entry.kind === 'effect')).toMatchObject([
      { operation: 'shipment.create', subject: id },
    ])
  })

  test('stock is set with a key: the same key is the same deed, with another body it is refused', async () => {
    const { simulator, ask } = await start()
    const [level] = simulator.truthOfInventory()
    const { data } = await graphql(ask, `{ inventoryItems(first: 1, query: "sku:${level?.sku}") { nodes { id } } }`)
    const set = async (quantity: number, key: string | null) => {
      const quantities = [
        { inventoryItemId: data.inventoryItems.nodes[0].id, locationId: level?.location_remote_id, quantity },
      ]
      const directive = key === null ? '' : `@idempotent(key: "${key}")`
      const query = `mutation($i: I!) { inventorySetQuantities(input: $i) ${directive} { userErrors { code } } }`
      return graphql(ask, query, { i: { name: 'available', reason: 'correction', quantities } })
    }
    expect((await set(5, null)).errors).toHaveLength(1)
    await set(5, 'k1')
    await set(9, 'k2')
    await set(5, 'k1')
    expect((await set(6, 'k1')).data.inventorySetQuantities.userErrors[0].code).toMatch(/MISMATCH/)
    expect(simulator.truthOfInventory()[0]?.available).toBe(9)
    expect(simulator.doubles()).toEqual([])
  })

  test('orders are made without idempotency: the same reference twice is a double effect', async () => {
    const { simulator, ask } = await start()
    const sku = simulator.truthOfProducts()[0]?.skus[0]
    const query = 'mutation($o: O!) { orderCreate(order: $o) { order { id } userErrors { message } } }'
    const order = { sourceIdentifier: 'R-1', email: 'a@b.example', lineItems: [{ sku, quantity: 2 }] }
    const { data } = await graphql(ask, query, { o: order })
    const found = await graphql(ask, '{ orders(first: 2, query: "source_identifier:R-1") { nodes { id } } }')
    expect(found.data.orders.nodes).toEqual([data.orderCreate.order])
    await graphql(ask, query, { o: order })
    expect(simulator.truth()).toHaveLength(122)
    expect(
      simulator
        .ledger()
        .filter((entry) => entry.kind === 'effect')
        .map(({ key }) => key),
    ).toEqual(['R-1', 'R-1'])
  })
})

describe('OAuth', () => {
  test('the way back is signed, a code works once, and refresh tokens work once', async () => {
    const { simulator } = await start()
    const { client_id, client_secret } = simulator.credentials
    const redirect_uri = 'http://127.0.0.1:9/back?x=1'
    const query = new URLSearchParams({
      client_id: String(client_id),
      redirect_uri,
      state: 'ü&=',
      scope: 'read_orders',
    })
    const there = await press(await open(`${simulator.baseUrl}/admin/oauth/authorize?${query}`), 'allow')
    const back = new URL(there.location ?? '')
    const { hmac, x: _, ...signed } = Object.fromEntries(back.searchParams)
    const message = Object.entries(signed)
      .toSorted()
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&')
    expect(hmac).toBe(createHmac('sha256', String(client_secret)).update(message).digest('hex'))
    expect(signed).toMatchObject({ state: 'ü&=', shop: simulator.shop })

    const post = (body: object) =>
      fetch(`${simulator.baseUrl}/admin/oauth/access_token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id, client_secret, ...body }),
      })
    const granted: Json = await (await post({ code: signed['code'], expiring: '1' })).json()
    expect(granted).toMatchObject({ expires_in: 3600 })
    expect((await post({ code: signed['code'] })).status).toBe(400)

    const refresh = (token: string) => post({ grant_type: 'refresh_token', refresh_token: token })
    const next: Json = await (await refresh(granted.refresh_token)).json()
    expect(next.refresh_token).not.toBe(granted.refresh_token)
    const again = await refresh(granted.refresh_token)
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect((await post({ client_secret: 'wrong', grant_type: 'refresh_token' })).status).toBe(401)
  })

  test('tokens end with the clock, each family by itself', async () => {
    const { simulator, ask } = await start({ tokenSeconds: 60 })
    const [long] = simulator.issue(1, 600)
    const asWith = (token: string | undefined) =>
      ask('/admin/api/2026-10/graphql.json', {
        method: 'POST',
        body: { query: '{ shop { id } }' },
        headers: { 'x-shopify-access-token': String(token) },
      })
    expect((await asWith(simulator.credentials['access_token'])).status).toBe(200)
    await fetch(`${simulator.baseUrl}/_clock`, { method: 'POST', body: '{"advance_seconds": 61}' })
    expect((await asWith(simulator.credentials['access_token'])).status).toBe(401)
    expect((await asWith(long?.['access_token'])).status).toBe(200)
    const requests = simulator.ledger().filter((entry) => entry.kind === 'request')
    expect(requests.map((entry) => [entry.as, entry.status])).toEqual([
      ['app-1', 200],
      [null, 401],
      ['app-2', 200],
    ])
  })

  test('with grace, a lost refresh can be repeated until its successor is used', async () => {
    const { simulator } = await start()
    const { client_id, client_secret, refresh_token } = simulator.credentials
    const refresh = async () => {
      const body = JSON.stringify({ client_id, client_secret, grant_type: 'refresh_token', refresh_token })
      const answer = await fetch(`${simulator.baseUrl}/admin/oauth/access_token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return { status: answer.status, ...((await answer.json()) as Json) }
    }
    simulator.weather({ refresh_grace: 1, lost_token_answers: 1, hold_ms: 1 })
    await expect(refresh()).rejects.toThrow()
    simulator.weather({ lost_token_answers: 0 })
    const { access_token } = await refresh()
    await fetch(`${simulator.baseUrl}/admin/api/2026-10/graphql.json`, {
      method: 'POST',
      headers: { 'x-shopify-access-token': access_token },
      body: '{"query":"{ shop { id } }"}',
    })
    expect(await refresh()).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(simulator.doubles()).toMatchObject([{ operation: 'token.refresh', count: 2 }])
  })
})

describe('webhooks', () => {
  const subscribe = async (ask: ReturnType<typeof clientOf>['ask'], topic: string, uri: string) =>
    graphql(
      ask,
      'mutation($t: T!, $w: W!) { webhookSubscriptionCreate(topic: $t, webhookSubscription: $w) { webhookSubscription { id } userErrors { message } } }',
      { t: topic, w: { uri } },
    )

  test('are signed with the app’s secret over the very bytes', async () => {
    const { simulator, ask } = await start()
    const receiver = await openReceiver()
    closers.push(receiver.close)
    await subscribe(ask, 'ORDERS_UPDATED', receiver.url)
    expect(
      (await subscribe(ask, 'ORDERS_UPDATED', receiver.url)).data.webhookSubscriptionCreate.userErrors,
    ).toHaveLength(1)
    const { orders } = simulator.change({ orders: 20 })
    await simulator.delivered()
    expect(receiver.received).toHaveLength(20)
    const ids = receiver.received.map(({ headers, body }) => {
      expect(headers['x-shopify-hmac-sha256']).toBe(
        createHmac('sha256', String(simulator.credentials['client_secret'])).update(body).digest('base64'),
      )
      expect(headers['x-shopify-topic']).toBe('orders/updated')
      return JSON.parse(body).admin_graphql_api_id
    })
    expect(ids.toSorted()).toEqual(orders.toSorted())
    expect(new Set(receiver.received.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(20)
  })

  test('are doubled, late and lost in bad weather, and all messages of an unlucky order are lost', async () => {
    const { simulator, ask } = await start()
    const receiver = await openReceiver()
    closers.push(receiver.close)
    await subscribe(ask, 'ORDERS_UPDATED', receiver.url)
    simulator.weather({ duplicate_webhooks: 0.2, reordered_webhooks: 0.2, lost_webhooks: 0.2 })
    for (let i = 0; i < 3; i++) simulator.change({ orders: 120 })
    await simulator.delivered()
    const entries = simulator.ledger().filter((entry) => entry.kind === 'webhook')
    const lost = new Set(entries.filter(({ outcome }) => outcome === 'lost').map(({ subject }) => subject))
    const arrived = new Set(entries.filter(({ outcome }) => outcome === 'delivered').map(({ subject }) => subject))
    expect(lost.size).toBeGreaterThan(5)
    expect(lost.isDisjointFrom(arrived)).toBe(true)
    expect(entries.some(({ duplicate }) => duplicate)).toBe(true)
    const deliveries = receiver.received.map(({ headers }) => headers['x-shopify-webhook-id'])
    expect(new Set(deliveries).size).toBeLessThan(deliveries.length)
    const times = receiver.received.map(({ headers }) => String(headers['x-shopify-triggered-at']))
    expect(times).not.toEqual(times.toSorted())
  })
})
