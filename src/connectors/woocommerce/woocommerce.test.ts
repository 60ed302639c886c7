import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { arrayIn, fieldsOf } from '../../commerce/reading.ts'
import type { Shop } from '../../commerce/shop.ts'
import { testCredentials } from '../../domain/install/install-integration.ts'
import { shopWith } from '../../domain/shop/shop-remote.ts'
import { auth } from './auth.ts'
import { woocommerce } from './index.ts'
import { toOrder } from './translate-order.ts'

const facts = {
  shop: 'tea.example',
  settings: { order_statuses: [{ status: 'awaiting-pickup', means: 'open' as const }] },
}
const everything = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

async function readAll(
  shop: Shop,
  updatedSince: string | null = null,
  between: () => void = () => {},
): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
    const page: RawPage | undefined = await woocommerce.orders?.list(shop, { ...everything, updatedSince, cursor })
    ids.push(...(page?.items ?? []).map((raw) => toOrder(raw, facts).remote_id))
    cursor = page?.next ?? null
    if (cursor === null) return ids
    between()
  }
  throw new Error('The list has no end.')
}

type Sample = Record<string, unknown>

const { shop: plain, simulator: held } = openImitation(woocommerce)
const sample = fieldsOf(await woocommerce.orders?.get(plain, openOrder(held)))

describe('keys', () => {
  test('are asked for on a page of the shop, below its path, with the state as the user', () => {
    const departure = {
      client: {},
      appName: 'Acme Desk',
      state: 'st',
      callbackUrl: 'https://us.example/cb',
      scopes: [],
      codeChallenge: null,
    }
    const url = new URL(
      auth.authorizeUrl({ shop: 'a.example', settings: { base_url: 'https://a.example/shop/' }, ...departure }),
    )
    expect(url.origin + url.pathname).toBe('https://a.example/shop/wc-auth/v1/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      app_name: 'Acme Desk',
      scope: 'read_write',
      user_id: 'st',
      return_url: 'https://us.example/cb',
      callback_url: 'https://us.example/cb',
    })
  })

  test('are taken over as the shop posts them, and nothing else is', () => {
    const posted = {
      key_id: 1,
      user_id: 'st',
      consumer_key: 'ck_a',
      consumer_secret: 'cs_b',
      key_permissions: 'read_write',
    }
    expect(auth.readHandover(posted)).toEqual({
      state: 'st',
      credentials: { consumer_key: 'ck_a', consumer_secret: 'cs_b' },
    })
    for (const body of [null, 'x', [], {}, { ...posted, user_id: 7 }, { ...posted, consumer_key: 'nope' }]) {
      expect(auth.readHandover(body)).toBeNull()
    }
  })

  test('that the merchant did not allow are reported by the browser', () => {
    expect(auth.readReturn({ success: '1', user_id: 'st' })).toEqual({ state: 'st', allowed: true })
    expect(auth.readReturn({ success: '0', user_id: 'st' })).toEqual({ state: 'st', allowed: false })
    expect(auth.readReturn({ success: '1' })).toBeNull()
  })

  test.each(['https', 'http'])(
    'open a site with plain permalinks by its other address, which is kept, by %s',
    async (by) => {
      const {
        transport,
        facts: site,
        credentials,
        asked,
      } = openImitation(woocommerce, { variant: { permalinks: 'plain' } })
      const origin = String(site.settings['base_url']).replace('https', by)
      const given = { shop: site.shop, settings: { ...site.settings, base_url: origin } }
      const opened = await testCredentials({ transport }, woocommerce, given, credentials)
      expect(opened.settings).toEqual({ ...given.settings, plain_permalinks: true })
      const shop = shopWith({ transport }, woocommerce, { ...given, settings: opened.settings }, opened.credentials)
      expect(await readAll(shop)).toHaveLength(60)
      expect(asked.at(-1)?.url).toBe(`${origin}/index.php?rest_route=/wc/v3/orders&_via=wp-json/wc/`)
    },
  )

  test('travel in the header by https, in the query where the host drops headers', async () => {
    const plain = openImitation(woocommerce)
    await woocommerce.auth.checkAccess(plain.shop)
    expect(plain.asked[0]?.request.headers?.['authorization']).toMatch(/^Basic /)
    const query = openImitation(woocommerce, { settings: { keys_in_query: true } })
    await woocommerce.auth.checkAccess(query.shop)
    expect(query.asked[0]?.request.headers?.['authorization']).toBeUndefined()
  })

  test('never travel without TLS: requests are signed, whatever they ask', async () => {
    const bare = { settings: { base_url: 'http://tea.example:8080/shop' }, variant: { path: '/shop' } }
    const { shop, asked, simulator, credentials } = openImitation(woocommerce, bare)
    expect(await readAll(shop)).toHaveLength(60)
    await woocommerce.orders?.cancel?.send(shop, { remoteId: openOrder(simulator), reason: null }, { id: 'c' })
    const sent = JSON.stringify(asked)
    expect(sent).toContain('oauth_signature')
    expect(sent).not.toContain(String(credentials['consumer_secret']))
    const wrong = openImitation(woocommerce, { ...bare, credentials: simulator.wrong })
    await expect(woocommerce.auth.checkAccess(wrong.shop)).rejects.toMatchObject({
      errors: { 'credentials.consumer_key': expect.anything(), 'credentials.consumer_secret': expect.anything() },
    })
  })

  test('of a site without WooCommerce are not blamed', async () => {
    const before = () => ({ status: 404, headers: {}, body: '<html></html>' })
    const { shop } = openImitation(woocommerce, { before })
    await expect(woocommerce.auth.checkAccess(shop)).rejects.toThrow(/no WooCommerce at this address/)
  })
})

describe('sites before WooCommerce 5.8', () => {
  test.each(['refuses', 'ignores'] as const)('are read by id when one %s to list by the last change', async (age) => {
    const { shop } = openImitation(woocommerce, { variant: { age } })
    expect(new Set(await readAll(shop)).size).toBe(60)
    const since = '2025-06-01T00:00:00.000000Z'
    const fresh = await readAll(openImitation(woocommerce).shop, since)
    expect(fresh.length).toBeGreaterThan(20)
    expect((await readAll(shop, since)).toSorted()).toEqual(fresh.toSorted())
  })

  test('miss nothing when an order is deleted while they are read', async () => {
    const { shop, simulator } = openImitation(woocommerce, { variant: { age: 'refuses' } })
    const all = simulator.truth().map((order) => order.remote_id)
    let doomed = Number(all[0])
    const ids = await readAll(shop, null, () => {
      const request = { method: 'DELETE', path: `/wp-json/wc/v3/orders/${doomed++}`, query: { force: true } } as const
      void shop.remote.request(request)
    })
    expect(ids.filter((id) => all.indexOf(id) >= 30)).toHaveLength(30)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('orders', () => {
  const tell = (change: Sample, settings = {}) => toOrder({ ...sample, ...change }, { shop: 'tea.example', settings })

  test.each([
    ['pending', { date_paid_gmt: null }, 'pending', 'pending'],
    ['checkout-draft', { date_paid_gmt: null }, 'pending', 'pending'],
    ['on-hold', { date_paid_gmt: null }, 'on_hold', 'pending'],
    ['processing', { date_paid_gmt: null }, 'open', 'pending'],
    ['processing', {}, 'open', 'paid'],
    ['completed', { date_paid_gmt: null }, 'completed', 'paid'],
    ['cancelled', { date_paid_gmt: null }, 'cancelled', 'voided'],
    ['trash', { date_paid_gmt: null }, 'cancelled', 'voided'],
    ['failed', { date_paid_gmt: null }, 'pending', 'failed'],
    ['refunded', {}, 'open', 'refunded'],
    ['refunded', { date_completed_gmt: '2026-03-02T00:00:00' }, 'completed', 'refunded'],
  ])('that are %s (%o) are %s and %s', (status, change, ours, payment) => {
    expect(tell({ date_paid_gmt: '2026-03-01T00:00:00', date_completed_gmt: null, ...change, status })).toMatchObject({
      status: ours,
      payment_status: payment,
      remote_status: status,
    })
  })

  test('with a status of a plug-in are held, and may be explained', () => {
    expect(tell({ status: 'awaiting-pickup' })).toMatchObject({
      status: 'on_hold',
      hold_reason: expect.stringContaining('order_statuses'),
    })
    const explained = { order_statuses: [{ status: 'awaiting-pickup', means: 'open' as const }] }
    expect(tell({ status: 'awaiting-pickup' }, explained)).toMatchObject({
      status: 'open',
      remote_status: 'awaiting-pickup',
    })
  })

  test('that are partly fulfilled say so', () => {
    const meta = [{ id: 1, key: '_fulfillment_status', value: 'partially_fulfilled' }]
    expect(tell({ status: 'processing', meta_data: meta }).fulfillment_status).toBe('partial')
  })

  test('are reported in whole coins of their currency, without floats', () => {
    const line = {
      ...arrayIn(sample, 'line_items').map(fieldsOf)[0],
      quantity: 3,
      subtotal: '1000',
      total: '1000',
      price: 333.3333333,
    }
    const order = tell({ currency: 'JPY', line_items: [line], total: '1000' })
    expect(order.lines[0]?.unit_price.amount).toBe('333.333333')
    expect(order.total.amount).toBe('1000')
  })

  test('of a site whose WooCommerce is switched off are not gone', async () => {
    const body = { code: 'rest_no_route', message: 'No route was found', data: { status: 404 } }
    const { shop } = openImitation(woocommerce, { before: () => ({ status: 404, headers: {}, body }) })
    await expect(woocommerce.orders?.get(shop, '1001')).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('have a cheap index whose versions are those of the orders', async () => {
    const { shop } = openImitation(woocommerce)
    const window = { from: '1970-01-01T00:00:00.000000Z', to: '2099-01-01T00:00:00.000000Z', cursor: null }
    const page = await woocommerce.orders?.index?.(shop, window)
    const [first] = page?.items ?? []
    const order = toOrder(await woocommerce.orders?.get(shop, first?.remoteId ?? ''), facts)
    expect(page?.items).toHaveLength(60)
    expect(order.remote_version).toBe(first?.version)
  })

  test('with an article that the shop does not have are not made', async () => {
    const { shop, asked } = openImitation(woocommerce)
    const draft = { currency: 'EUR', lines: [{ sku: 'nothing', quantity: 1 }] }
    await expect(woocommerce.orders?.create?.send(shop, draft, { id: 'o' })).rejects.toThrow(/SKU nothing/)
    expect(asked.some(({ request }) => request.method === 'POST')).toBe(false)
  })
})

describe('stock', () => {
  test('of many articles is asked for and sent in a few requests; what is so already is not sent', async () => {
    const { shop, asked, simulator } = openImitation(woocommerce)
    const products = simulator.truthOfProducts()
    const single = products.filter(({ skus }) => skus.length === 1)
    const [one, other] = products.filter(({ skus }) => skus.length > 1)
    const skus = [...single.slice(0, 2), ...(one ? [one] : []), ...(other ? [other] : [])].flatMap(
      (product) => product.skus,
    )
    const items = skus.map((sku) => ({ sku, quantity: 5000 }))
    const results = await woocommerce.inventory?.set?.send(shop, items, { id: 's' })
    expect(results?.every(({ ok }) => ok)).toBe(true)
    expect(asked.map(({ request: { method, path } }) => `${method} ${path.slice('/wp-json/wc/v3'.length)}`)).toEqual([
      'GET /products',
      'POST /products/batch',
      `POST /products/${one?.remote_id}/variations/batch`,
      `POST /products/${other?.remote_id}/variations/batch`,
    ])
    asked.length = 0
    await woocommerce.inventory?.set?.send(shop, items, { id: 's' })
    expect(asked).toHaveLength(1)
  })

  test('that the shop refuses in a batch that it takes is reported by article', async () => {
    const refusal = { id: 1, error: { code: 'x', message: 'Locked by the till.' } }
    const { shop, simulator } = openImitation(woocommerce, {
      before: ({ url }) => (url.endsWith('/batch') ? { status: 200, headers: {}, body: { update: [refusal] } } : null),
    })
    const sku = simulator.truthOfInventory()[0]?.sku ?? ''
    const results = await woocommerce.inventory?.set?.send(shop, [{ sku, quantity: 3 }], { id: 's' })
    expect(results).toEqual([{ sku, location: null, ok: false, error: 'Locked by the till.' }])
  })

  test('of variations is theirs, or their product’s where they share it, and no product starts to keep one of its own', async () => {
    const row = (id: number, sku: string, more: object) => ({ id, sku, type: 'simple', parent_id: 0, ...more })
    const own = { type: 'variation', parent_id: 4, manage_stock: true, stock_quantity: 3 }
    const rows = [
      row(4, 'VAR-4', { type: 'variable', manage_stock: false, stock_quantity: null }),
      row(41, 'VAR-4-S', own),
      row(51, 'VAR-5-S', { ...own, parent_id: 5, manage_stock: 'parent', stock_quantity: -30 }),
    ]
    const sent: unknown[] = []
    const { shop } = openImitation(woocommerce, {
      before({ url, request: { method, query, body } }) {
        const update = arrayIn({ update: [], ...(body as object) }, 'update')
        if (method === 'POST') sent.push([url.split('/v3')[1], update])
        if (method === 'POST') return { status: 200, headers: {}, body: { update } }
        const named = String(query?.['sku']).split(',')
        return query?.['sku'] ? { status: 200, headers: {}, body: rows.filter(({ sku }) => named.includes(sku)) } : null
      },
    })
    const items = ['VAR-4', 'VAR-4-S', 'VAR-5-S'].map((sku) => ({ sku, quantity: 8 }))
    const results = await woocommerce.inventory?.set?.send(shop, items, { id: 's' })
    expect(results?.map(({ error }) => error)).toEqual([
      'The stock of this product is that of its variations; name one of them.',
      null,
      null,
    ])
    expect(sent).toEqual([
      ['/products/4/variations/batch', [{ id: 41, manage_stock: true, stock_quantity: 8 }]],
      ['/products/batch', [{ id: 5, manage_stock: true, stock_quantity: 8 }]],
    ])
  })
})

test.each([
  ['Changed their mind', 'Changed their mind'],
  ['Too big & "late" <3', 'Too big &amp; "late" &lt;3'],
])('why an order is cancelled is a note of the shop, once, and none for the customer: %s', async (reason, kept) => {
  const { shop, simulator } = openImitation(woocommerce)
  const remoteId = openOrder(simulator)
  for (const _ of [1, 2]) await woocommerce.orders?.cancel?.send(shop, { remoteId, reason }, { id: 'c' })
  const { body } = await shop.remote.request({ method: 'GET', path: `/wp-json/wc/v3/orders/${remoteId}/notes` })
  expect(body).toMatchObject([{ note: `Cancelled: ${kept}`, customer_note: false }])
})

test('a name with signs that the shop writes otherwise is sent once, and told as it was sent', async () => {
  const { shop, asked } = openImitation(woocommerce)
  const draft = { sku: 'TEA-1', title: 'Tea & Milk', currency: 'EUR', price: '3.00' }
  const titles = []
  for (const _ of [1, 2]) titles.push((await woocommerce.products?.export?.send(shop, draft, { id: 'p' }))?.title)
  expect(titles).toEqual(['Tea & Milk', 'Tea & Milk'])
  expect(asked.map(({ request }) => request.method).filter((method) => method !== 'GET')).toEqual(['POST'])
})

test('a new price ends a sale, and the price that is paid or crossed out already changes nothing', async () => {
  const { shop } = openImitation(woocommerce)
  const { body } = await shop.remote.request({
    method: 'GET',
    path: '/wp-json/wc/v3/products',
    query: { per_page: 100 },
  })
  const onSale = arrayIn({ body }, 'body')
    .map(fieldsOf)
    .find((one) => one['on_sale'] === true)
  const { sku, name, sale_price: sale, regular_price: regular } = onSale ?? {}
  const draft = { sku: String(sku), title: String(name), currency: 'EUR' }
  const priced = async (price: unknown) => {
    const made = await woocommerce.products?.export?.send(shop, { ...draft, price: String(price) }, { id: 'p' })
    return made?.variants.map((one) => [one.price?.amount, one.compare_at_price?.amount ?? null])
  }
  for (const known of [sale, regular]) expect(await priced(known)).toEqual([[sale, regular]])
  expect(await priced('9999.00')).toEqual([['9999.00', null]])
})
