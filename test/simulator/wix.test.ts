import { createPublicKey, verify } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { openReceiver } from './receiver.ts'

let running: Simulator | null = null
afterEach(() => running?.close())

function site(variant: Record<string, string> = {}) {
  const simulator = openSimulator({ platform: 'wix', orders: 60, products: 8, variant })
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await simulator.answer({
      ...{ method, url: `https://www.wixapis.com${path}`, body: Buffer.from(body ? JSON.stringify(body) : '') },
      headers: {
        'content-type': 'application/json',
        authorization: String(simulator.kept['access_token']),
        ...headers,
      },
    })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.bytes.toString() || '{}') }
  }
  return { simulator, ask }
}

describe('the way in', () => {
  test('is a code, which says which installation it is of; tokens are then asked for by that', async () => {
    const { simulator, ask } = site()
    const { client_id, client_secret } = simulator.install.client
    const address = 'https://entrepot.example/back'
    const answer = await simulator.answer({
      ...{ method: 'POST', url: 'https://www.wix.com/installer/install' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`appId=${client_id}&redirectUrl=${encodeURIComponent(address)}&state=s&decision=allow`),
    })
    const back = new URL(answer.headers['location'] ?? '')
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([address, 's'])
    const own = { client_id, client_secret }
    const code = { ...own, grant_type: 'authorization_code', code: back.searchParams.get('code') }
    const { body: opened } = await ask('POST', '/oauth/access', code)
    expect(await ask('POST', '/oauth/access', code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const { body: about } = await ask('GET', '/apps/v1/instance', undefined, { authorization: opened.access_token })
    const instance_id = about.instance.instanceId
    expect(instance_id).toBe(back.searchParams.get('instanceId'))
    const granted = await ask('POST', '/oauth2/token', { ...own, grant_type: 'client_credentials', instance_id })
    expect(granted.body).toMatchObject({ token_type: 'Bearer', expires_in: 14_400 })
    const info = await ask('POST', '/oauth2/token-info', { token: granted.body.access_token })
    expect(`${info.body.siteId}.wix.com`).toBe(simulator.install.shop)
    const foreign = { ...own, grant_type: 'client_credentials', instance_id: 'another' }
    expect((await ask('POST', '/oauth2/token', foreign)).status).toBe(400)
  })

  test('is closed for tokens that are none, and for keys that name no site', async () => {
    const { simulator, ask } = site()
    const path = '/stores/v3/provision/version'
    const key = String(simulator.install.credentials?.['api_key'])
    expect((await ask('GET', path, undefined, { authorization: 'nobody' })).status).toBe(401)
    expect((await ask('GET', path, undefined, { authorization: key })).status).toBe(401)
    const named = { authorization: key, 'wix-site-id': simulator.install.shop.replace('.wix.com', '') }
    expect((await ask('GET', path, undefined, named)).body).toEqual({ catalogVersion: 'V3_CATALOG' })
  })
})

describe('lists', () => {
  const search = (change: object = {}) => ({ search: { cursorPaging: { limit: 100 }, ...change } })

  test('of orders leave out those that wait for their money, unless they are named', async () => {
    const { ask } = site()
    const plain = await ask('POST', '/ecom/v1/orders/search', search())
    const statuses = plain.body.orders.map((order: { status: string }) => order.status)
    expect(statuses).not.toContain('PENDING')
    const all = { status: { $in: ['APPROVED', 'CANCELED', 'PENDING', 'REJECTED'] } }
    const whole = await ask('POST', '/ecom/v1/orders/search', search({ filter: all }))
    expect(whole.body.orders).toHaveLength(60)
    expect(whole.body.metadata).toEqual({ count: 60, hasNext: false, cursors: {} })
  })

  test('take a cursor and nothing beside it, and what they do not know is refused', async () => {
    const { ask } = site()
    const { body } = await ask('POST', '/ecom/v1/orders/search', { search: { cursorPaging: { limit: 5 } } })
    const { next } = body.metadata.cursors
    const refused = [
      { cursorPaging: { cursor: next }, filter: {} },
      { cursorPaging: { cursor: 'nonsense' } },
      { cursorPaging: { limit: 101 } },
      { filter: { number: { $eq: '1' } } },
      { sort: [{ fieldName: 'number', order: 'ASC' }] },
    ]
    for (const asked of refused)
      expect((await ask('POST', '/ecom/v1/orders/search', { search: asked })).status).toBe(400)
    const second = await ask('POST', '/ecom/v1/orders/search', { search: { cursorPaging: { limit: 5, cursor: next } } })
    expect(second.body.orders[0].id).not.toBe(body.orders[0].id)
  })

  test('of products tell only what is asked for, and no variants; those of products sold as they are, nowhere but there', async () => {
    const { ask } = site()
    const { body } = await ask('POST', '/stores/v3/products/query', { query: {}, fields: ['CURRENCY'] })
    expect(body.products[0]).toMatchObject({ currency: 'EUR' })
    for (const name of ['plainDescription', 'media', 'url', 'variantsInfo'])
      expect(body.products[0]).not.toHaveProperty(name)
    const variants = await ask('POST', '/stores/v3/products/query-variants', { query: {} })
    const listed = new Set(
      variants.body.variants.map((one: { productData: { productId: string } }) => one.productData.productId),
    )
    const single = body.products.filter(
      (one: { variantSummary: { variantCount: number } }) => one.variantSummary.variantCount === 1,
    )
    expect(single.length).toBeGreaterThan(0)
    for (const { id } of single) {
      expect(listed.has(id)).toBe(false)
      expect((await ask('GET', `/stores/v3/products/${id}`)).body.product.variantsInfo.variants).toHaveLength(1)
    }
  })
})

test('what was changed meanwhile is refused by its revision, one by one', async () => {
  const { ask } = site()
  const { body } = await ask('POST', '/stores/v3/inventory-items/query', { query: { cursorPaging: { limit: 2 } } })
  const change = (item: { id: string; revision: string }, revision = item.revision) => ({
    inventoryItem: { id: item.id, revision, trackQuantity: true, quantity: 999 },
  })
  const [one, two] = body.inventoryItems
  const update = { inventoryItems: [change(one), change(two, '99'), change({ id: 'none', revision: '1' })] }
  const { body: done } = await ask('POST', '/stores/v3/bulk/inventory-items/update', update)
  expect(done.bulkActionMetadata).toEqual({ totalSuccesses: 1, totalFailures: 2, undetailedFailures: 0 })
  expect(
    done.results.map((result: { itemMetadata: { error?: { code: string } } }) => result.itemMetadata.error?.code),
  ).toEqual([...[undefined, 'INVALID_REVISION', 'ITEM_NOT_FOUND']])
})

test('a site with the catalogue before has orders, and refuses questions about the one of today', async () => {
  const { ask } = site({ catalog: 'v1' })
  expect((await ask('GET', '/stores/v3/provision/version')).body).toEqual({ catalogVersion: 'V1_CATALOG' })
  expect((await ask('POST', '/stores/v3/products/query', { query: {} })).status).toBe(428)
  expect((await ask('POST', '/ecom/v1/orders/search', { search: {} })).status).toBe(200)
  const path = '/stores-reader/v1/products/query'
  expect((await ask('POST', path, { query: { filter: {} } })).status).toBe(400)
  const { body } = await ask('POST', path, {
    query: { paging: { limit: 1 } },
    includeVariants: true,
    includeHiddenProducts: true,
  })
  expect(body).toMatchObject({ products: [{ numericId: '1' }], totalResults: 8 })
})

test('two hundred calls a minute are answered, and then none for a while', async () => {
  const { simulator, ask } = site()
  simulator.weather({ limit_scale: 1 })
  const statuses = []
  for (let call = 0; call < 205; call++) statuses.push((await ask('GET', '/stores/v3/provision/version')).status)
  expect([statuses.slice(0, 200).every((status) => status === 200), statuses.at(-1)]).toEqual([true, 429])
  const refused = await ask('GET', '/stores/v3/provision/version')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('messages go to the address that was entered, as signed texts', async () => {
  const receiver = await openReceiver()
  running = await startSimulator({ platform: 'wix', orders: 3, products: 3, variant: { webhook_url: receiver.url } })
  const [made] = running.change({ new_orders: 1 }).new_orders
  await running.delivered()
  const [head = '', body = '', signature = ''] = (receiver.received[0]?.body ?? '').split('.')
  const key = createPublicKey(String(running.install.client['public_key']))
  const isSigned = verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
  const { data } = JSON.parse(Buffer.from(body, 'base64url').toString())
  const message = JSON.parse(data)
  expect([isSigned, message.eventType, message.instanceId]).toEqual([
    ...[true, 'wix.ecom.v1.order_created', running.install.settings['instance_id']],
  ])
  expect(JSON.parse(message.data)).toMatchObject({ entityId: made, slug: 'created' })
  await receiver.close()
})
