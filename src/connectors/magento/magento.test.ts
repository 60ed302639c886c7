import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import { typedForm } from '../../commerce/capabilities.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, recordsIn, timeIn } from '../../commerce/reading.ts'
import type { Shop } from '../../commerce/shop.ts'
import { testCredentials } from '../../domain/install/install-integration.ts'
import { amountIn } from './amounts.ts'
import { criteria, isUnknown, isUnknownRoute, reasonIn } from './ask.ts'
import { magento } from './index.ts'
import { toOrder } from './translate-order.ts'

const first = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const orderOf = async (shop: Shop, id: string) => toOrder(await magento.orders?.get(shop, id))

describe('keys', () => {
  test('sign every request, or are a bearer token', async () => {
    const signed = openImitation(magento)
    await magento.auth.checkAccess(signed.shop)
    const authorization = ({ asked: [first] }: typeof signed) => first?.request.headers?.['authorization']
    expect(authorization(signed)).toMatch(/^OAuth oauth_consumer_key=".*oauth_signature="/)
    const { consumer_secret: secret, access_token_secret: other } = signed.credentials
    for (const kept of [secret, other]) expect(JSON.stringify(signed.asked)).not.toContain(kept)
    const bearer = openImitation(magento, { variant: { keys: 'bearer' } })
    await magento.auth.checkAccess(bearer.shop)
    expect(authorization(bearer)).toBe(`Bearer ${bearer.credentials['access_token']}`)
  })

  test('open the shop, which reports what its products do not say', async () => {
    for (const stock of ['sources', 'single']) {
      const opened = openImitation(magento, { variant: { stock } })
      const { shop } = opened.facts
      const { settings } = await testCredentials(opened, magento, { shop, settings: {} }, opened.credentials)
      expect(settings).toEqual({
        ...{ currency: 'EUR', weight_unit: 'kgs', media_url: `https://${shop}/media_url/`, stock },
      })
    }
  })

  test('must be all four or the token alone', async () => {
    const opened = openImitation(magento)
    const { consumer_secret: _, ...three } = opened.credentials
    const failure = await testCredentials(opened, magento, opened.facts, three).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'invalid', errors: { 'credentials.consumer_secret': expect.anything() } })
  })

  test('are asked for in a form that says when the token alone is not enough', () => {
    const fields = Object.entries(typedForm(magento)?.properties ?? {})
    const [, token] = fields.find(([name]) => name === 'access_token') ?? []
    const description = expect.stringMatching(/without the other three keys.*bearer tokens.*off since Magento 2\.4\.4/i)
    expect(token).toMatchObject({ description })
  })

  test('that are refused are named, those that were typed', async () => {
    const { shop } = openImitation(magento, { variant: { keys: 'bearer' }, credentials: { access_token: 'another' } })
    const refusal = magento.auth.checkAccess(shop)
    await expect(refusal).rejects.toMatchObject({ errors: { 'credentials.access_token': expect.anything() } })
  })
})

describe('searches', () => {
  test('are written as the platform wants them', () => {
    expect(
      criteria({
        filters: [
          ['updated_at', 'gteq', '2026-10-01 00:00:00'],
          ['entity_id', 'gt', 7],
        ],
        sort: ['updated_at'],
        size: 50,
        page: 2,
      }),
    ).toEqual({
      'searchCriteria[filterGroups][0][filters][0][field]': 'updated_at',
      'searchCriteria[filterGroups][0][filters][0][value]': '2026-10-01 00:00:00',
      'searchCriteria[filterGroups][0][filters][0][conditionType]': 'gteq',
      'searchCriteria[filterGroups][1][filters][0][field]': 'entity_id',
      'searchCriteria[filterGroups][1][filters][0][value]': 7,
      'searchCriteria[filterGroups][1][filters][0][conditionType]': 'gt',
      'searchCriteria[sortOrders][0][field]': 'updated_at',
      'searchCriteria[sortOrders][0][direction]': 'ASC',
      'searchCriteria[pageSize]': 50,
      'searchCriteria[currentPage]': 2,
    })
  })

  test('end by their count, since beyond the last page there is the last one again', async () => {
    const { shop, simulator } = openImitation(magento, { products: 10 })
    const page = await magento.inventory?.list(shop, { ...first, limit: 100 })
    expect(page?.items).toHaveLength(simulator.truthOfInventory().length)
    expect(page?.next).toBeNull()
  })

  test('that fail give the reason with its gaps filled in', () => {
    expect(reasonIn({ message: 'The "%1" is %2.', parameters: ['sku', 'taken'] })).toBe('The "sku" is taken.')
    expect(reasonIn({ message: '%fieldName is required.', parameters: { fieldName: 'qty' } })).toBe('qty is required.')
    expect(reasonIn('<html>')).toBe('The shop rejected the request.')
  })

  test('distinguish a record that is gone from a shop that is not there', () => {
    const answer = (message: string) => ({ status: 404, headers: {}, body: { message } })
    expect(isUnknown(answer("The entity that was requested doesn't exist."))).toBe(true)
    expect(isUnknown(answer('Request does not match any route.'))).toBe(false)
    expect(isUnknownRoute(answer('Request does not match any route.'))).toBe(true)
  })
})

const counts = { qty_shipped: 0, qty_canceled: 0, is_virtual: 0 }
const chosen = { ...counts, sku: 'SADDLE-RED', qty_ordered: 1 }
const raw = {
  ...{ entity_id: 8, increment_id: '000001008', state: 'processing', status: 'processing', is_virtual: 0 },
  ...{ order_currency_code: 'EUR', grand_total: 87.49, subtotal: 74.4, discount_amount: -5, shipping_amount: 4.9 },
  ...{ tax_amount: 13.19, total_paid: 87.49, customer_is_guest: 1 },
  ...{ created_at: '2026-02-01 06:00:00', updated_at: '2026-02-01 06:12:00', shipments: [] },
  items: [
    {
      ...{ ...chosen, item_id: 80, name: 'Saddle', product_type: 'configurable', product_id: 4, price: 59.9 },
      ...{ row_total: 59.9, discount_amount: 5, tax_amount: 10.43 },
    },
    {
      ...{ ...chosen, item_id: 81, parent_item_id: 80, name: 'Saddle red', product_type: 'simple', product_id: 1041 },
      ...{ price: 0, row_total: 0 },
    },
    {
      ...{ ...counts, item_id: 82, sku: 'PART-1', name: 'Bell', product_type: 'simple', product_id: 1, price: 7.25 },
      ...{ qty_ordered: 2, row_total: 14.5, discount_amount: 0, tax_amount: 2.76 },
    },
  ],
  extension_attributes: {
    shipping_assignments: [
      { shipping: { address: { street: ['Radgasse 3', 'Hof'], country_id: 'DE', region_code: 'BAW' } } },
    ],
  },
}

describe('orders', () => {
  const tell = (change: Fields) => toOrder({ ...raw, ...change })

  test('count what was chosen of a configurable product once, with its price and its article', () => {
    const order = tell({})
    expect(
      order.lines.map(({ remote_id: id, sku, quantity, unit_price: price, total, variant_remote_id: variant }) => [
        id,
        sku,
        quantity,
        price.amount,
        total.amount,
        variant,
      ]),
    ).toEqual([
      ['80', 'SADDLE-RED', 1, '59.90', '54.90', '1041'],
      ['82', 'PART-1', 2, '7.25', '14.50', '1'],
    ])
    expect([order.subtotal, order.discount_total, order.shipping_total, order.tax_total, order.total]).toEqual(
      ['74.40', '5.00', '4.90', '13.19', '87.49'].map((amount) => ({ amount, currency: 'EUR' })),
    )
    expect(order.shipping_address).toMatchObject({
      line1: 'Radgasse 3',
      line2: 'Hof',
      country_code: 'DE',
      region_code: 'BAW',
    })
  })

  test.each([
    ['new', { total_paid: 0 }, 'pending', 'pending'],
    ['pending_payment', { total_paid: 0 }, 'pending', 'pending'],
    ['new', { total_paid: 0, payment: { method: 'card', amount_authorized: 87.49 } }, 'pending', 'authorized'],
    ['processing', {}, 'open', 'paid'],
    ['processing', { total_paid: 20 }, 'open', 'partially_paid'],
    ['processing', { total_refunded: 10 }, 'open', 'partially_refunded'],
    ['holded', {}, 'on_hold', 'paid'],
    ['payment_review', { total_paid: 0 }, 'on_hold', 'pending'],
    ['complete', {}, 'completed', 'paid'],
    ['closed', { total_refunded: 87.49 }, 'open', 'refunded'],
    ['closed', { total_refunded: 87.49, items: [{ ...raw.items[2], qty_shipped: 2 }] }, 'completed', 'refunded'],
    ['canceled', { total_paid: 0 }, 'cancelled', 'voided'],
  ])('that are %s (%o) are %s and %s', (state, change, status, payment) => {
    expect(tell({ ...change, state, status: 'a word of the merchant' })).toMatchObject({
      status,
      payment_status: payment,
      remote_status: 'a word of the merchant',
    })
  })

  test('in a state that nobody knows, or with half a piece, are not guessed at', () => {
    expect(tell({ state: 'unheard_of' })).toMatchObject({
      status: 'on_hold',
      hold_reason: 'unknown status: unheard_of',
    })
    const [item] = recordsIn(raw, 'items')
    expect(() => tell({ items: [{ ...item, qty_ordered: '1.5 kg' }] })).toThrow(/no number/)
  })

  test('that have been sent in part say so, and those without goods need nothing', () => {
    const [saddle, child, bell] = recordsIn(raw, 'items')
    expect(tell({ items: [{ ...saddle, qty_shipped: 1 }, child, bell] }).fulfillment_status).toBe('partial')
    expect(tell({ is_virtual: 1 }).fulfillment_status).toBe('not_required')
  })

  test('have exact amounts, however PHP writes them', () => {
    expect(amountIn({ a: 165.19999999999999 }, 'a', 'EUR')).toBe('165.20')
    expect(amountIn({ a: 0.1 + 0.2 }, 'a', 'EUR')).toBe('0.30')
    expect(amountIn({ a: 1234 }, 'a', 'JPY')).toBe('1234')
    expect(() => amountIn({ a: 'x' }, 'a', 'EUR')).toThrow(TypeError)
  })

  test('that are invoiced are not cancelled, and the shop’s bare no is reported', async () => {
    const { shop, simulator } = openImitation(magento)
    const cancel = magento.orders?.cancel?.send(shop, { remoteId: openOrder(simulator), reason: null }, { id: 'c' })
    await expect(cancel).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('come with the parcels of a whole page in one request', async () => {
    const { shop, asked, simulator } = openImitation(magento)
    const id = openOrder(simulator)
    await magento.shipments?.create.send(
      shop,
      { order_remote_id: id, tracking_number: 'T', carrier: 'DHL' },
      { id: 's' },
    )
    asked.length = 0
    const page = await magento.orders?.list(shop, { ...first, updatedSince: '2026-01-01T00:00:00.000000Z' })
    const order = toOrder(page?.items.at(-1))
    expect(order).toMatchObject({ remote_id: id, shipments: [{ tracking_number: 'T', carrier_code: 'dhl' }] })
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(['/rest/all/V1/orders', '/rest/all/V1/shipments'])
  })

  test('have a cheap index whose versions are those of the orders', async () => {
    const { shop, asked } = openImitation(magento)
    const window = { from: '1970-01-01T00:00:00.000000Z', to: '2099-01-01T00:00:00.000000Z', cursor: null }
    const page = await magento.orders?.index?.(shop, window)
    expect(page?.items).toHaveLength(60)
    expect(asked[0]?.request.query?.['fields']).toBe('items[entity_id,updated_at],search_criteria,total_count')
    expect((await orderOf(shop, page?.items[0]?.remoteId ?? '')).remote_version).toBe(page?.items[0]?.version)
  })
})

const learned = { currency: 'EUR', weight_unit: 'kgs', media_url: 'https://bikes.example/media_url/', stock: 'sources' }

describe('products', () => {
  test('come with their articles and what these differ in, for a whole page in three requests', async () => {
    const { shop, asked, simulator } = openImitation(magento, { settings: learned })
    const page = await magento.products?.list(shop, first)
    const reported = (page?.items ?? []).flatMap((row) => magento.products?.translate(row, shop) ?? [])
    const several = reported.find(({ variants }) => variants.length > 1)
    const { stockroom } = simulator.world.shop
    const skus = simulator.truthOfProducts().find((one) => one.remote_id === several?.remote_id)?.skus ?? []
    expect(several).toMatchObject({
      options: [{ name: 'Colour', values: skus.map((sku) => stockroom.bySku(sku)?.title) }],
      variants: skus.map((sku) => ({
        ...{ sku, title: stockroom.bySku(sku)?.title },
        price: { amount: ((stockroom.bySku(sku)?.price ?? 0) / 100).toFixed(2), currency: 'EUR' },
      })),
      images: [
        { url: expect.stringMatching(/^https:\/\/bikes\.example\/media_url\/catalog\/product\/p\/r\/\d+\.jpg$/) },
      ],
    })
    expect(reported.some((one) => one.remote_version !== timeIn(fieldsOf(one.raw), 'updated_at'))).toBe(true)
    expect(asked).toHaveLength(3)
  })

  test('are not sold in another currency', async () => {
    const { shop } = openImitation(magento, { settings: learned })
    const draft = { sku: 'X', title: 'X', price: '1.00', currency: 'CHF' }
    await expect(magento.products?.export?.send(shop, draft, { id: 'p' })).rejects.toThrow(/EUR/)
  })
})

describe('stock', () => {
  const levels = async (shop: Shop) => {
    const all: unknown[] = []
    for (let cursor: string | null = null, pages = 0; pages < 50; pages++) {
      const page: RawPage | undefined = await magento.inventory?.list(shop, { ...first, limit: 7, cursor })
      all.push(...(page?.items ?? []))
      cursor = page?.next ?? null
      if (cursor === null) return all.map((raw) => magento.inventory?.translate(raw, shop))
    }
    throw new Error('The list has no end.')
  }

  test.each(['sources', 'single'] as const)('is read and set in a shop with %s', async (stock) => {
    const { shop, simulator } = openImitation(magento, { variant: { stock }, settings: { ...learned, stock } })
    const all = await levels(shop)
    const truth = simulator.truthOfInventory()
    expect(new Set(all.map((one) => `${one?.sku} ${one?.location_remote_id}`)).size).toBe(truth.length)
    const sku = truth[0]?.sku ?? ''
    const results = await magento.inventory?.set?.send(
      shop,
      [
        { sku, quantity: 77 },
        { sku: 'none', quantity: 1 },
      ],
      { id: 's' },
    )
    expect(results?.map(({ ok }) => ok)).toEqual([true, false])
    const place = stock === 'single' ? null : 'default'
    const set = (await levels(shop)).find((one) => one?.sku === sku && one.location_remote_id === place)
    expect(set?.available).toBe(77)
  })

  test('that is so already is not sent again; of one source that is refused, the others are still set', async () => {
    const { shop, asked, simulator } = openImitation(magento, { settings: learned })
    const [sku = '', other = ''] = new Set(simulator.truthOfInventory().map((level) => level.sku))
    const items = [
      { sku, quantity: 5 },
      { sku: other, quantity: 6, location: 'nowhere' },
    ]
    const results = await magento.inventory?.set?.send(shop, items, { id: 's' })
    expect(results).toEqual([
      { sku, location: null, ok: true, error: null },
      { sku: other, location: 'nowhere', ok: false, error: 'Validation Failed' },
    ])
    asked.length = 0
    await magento.inventory?.set?.send(shop, items.slice(0, 1), { id: 's' })
    expect(asked.every(({ request }) => request.method === 'GET')).toBe(true)
  })

  test('of nothing leaves it to the merchant whether more may be sold', async () => {
    const { shop, asked, simulator } = openImitation(magento, { settings: learned })
    const level = simulator.truthOfInventory().find((one) => one.location_remote_id === 'default' && one.available > 0)
    await magento.inventory?.set?.send(shop, [{ sku: level?.sku ?? '', quantity: 0 }], { id: 's' })
    expect(asked.at(-1)?.request.body).toEqual({
      sourceItems: [{ sku: level?.sku, source_code: 'default', quantity: 0, status: 1 }],
    })
  })
})
