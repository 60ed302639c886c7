import { describe, expect, test } from 'vitest'
import { openStand, scriptedShop } from '../../../test/support/connector-shop.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { fieldsOf, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { amazon } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { type Credentials, originOf, type Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { makeStand } from './stand.ts'

const us: { shop: string; settings: Settings } = { shop: 'a2standseller1', settings: { marketplace: 'US' } }
const credentials = { access_token: 'right', refresh_token: 'r' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const scripted = (answers: Partial<RemoteAnswer>[], settings: Settings = us.settings) =>
  scriptedShop<Settings, Credentials>(amazon, { facts: { shop: us.shop, settings }, credentials }, answers)

const onStand = (settings: Partial<Settings> = {}) => {
  const stand = makeStand()
  return { stand, ...openStand<Settings, Credentials>(amazon, stand, { settings }) }
}

const sample = (name: string) => fieldsOf(readSample(`amazon-spapi/samples/${name}.json`))
const bodyIn = (name: string) => fieldsOf(sample(name)['response'] ?? sample(name))

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const searches = ['response-200', 'sandbox-200.1', 'sandbox-200.2', 'sandbox-200.3']
  const all = () => [
    ...searches.flatMap((name) => recordsIn(bodyIn(`orders_2026-01-01.searchOrders.${name}`), 'orders')),
    ...searches.map((name) => fieldsOf(bodyIn(`orders_2026-01-01.getOrder.${name}`)['order'])),
  ]

  // Reckoned by hand from the samples.
  test.each([
    ['123-4567890-1234567', 'USD', '154.99', '149.97', '0.00', '0.02', [2, 1], [2, 1], 'completed', 'delivered'],
    ['250-1234567-8901234', 'JPY', '19940', '19940', '0', '0', [1, 2], [1, 2], 'completed', 'fulfilled'],
    ['202-7654321-1098765', 'GBP', '34.99', '34.99', '0.00', '0.00', [1], [1], 'completed', 'fulfilled'],
    ['171-2345678-9012345', 'BRL', '1599.90', '1599.90', '0.00', '0.00', [1], [0], 'open', 'unfulfilled'],
    ['202-1234567-8901234', 'GBP', '103.97', '89.97', '10.00', '4.00', [3], [3], 'completed', 'fulfilled'],
    ['171-9876543-2109876', 'BRL', '299.90', '299.90', '0.00', '0.00', [1], [0], 'open', 'unfulfilled'],
    ['028-1234567-8901234', 'TRY', '125.00', '125.00', '0.00', '0.00', [2], [2], 'completed', 'fulfilled'],
    ['114-9876543-1234567', 'USD', '49.99', '39.99', '0.00', '10.00', [1], [0], 'open', 'unfulfilled'],
  ])('%s', (id, currency, total, subtotal, shipping, tax, quantities, sent, status, fulfillment) => {
    const raw = all().find((one) => one['orderId'] === id)
    const order = orders.translate(raw, us)
    const money = (amount: string) => ({ amount, currency })
    expect(order).toMatchObject({
      currency,
      status,
      fulfillment_status: fulfillment,
      payment_status: 'paid',
      total: money(total),
      subtotal: money(subtotal),
      shipping_total: money(shipping),
      tax_total: money(tax),
    })
    expect(order.lines.map((line) => line.quantity)).toEqual(quantities)
    expect(order.lines.map((line) => line.quantity_fulfilled)).toEqual(sent)
  })

  test('are understood, all of them', () => {
    expect(all().map((raw) => orders.translate(raw, us).remote_id)).toHaveLength(8)
  })

  test('tell the buyer, the way and the parcel', () => {
    const [raw] = recordsIn(bodyIn('orders_2026-01-01.searchOrders.response-200'), 'orders')
    expect(orders.translate(raw, us)).toMatchObject({
      marketplace: 'Amazon.com',
      external_reference: 'SELLER-ORDER-2024-001',
      customer: { email: 'buyer-email@marketplace.amazon.com', last_name: 'John Smith' },
      shipping_address: { company: 'Smith Industries LLC', region: 'WA', country_code: 'US', line3: null },
      note: 'Enter through main lobby, ask for John Smith at reception',
      tags: ['PRIME', 'AMAZON_BUSINESS'],
      ship_by: '2024-12-27T23:59:59.000000Z',
      shipments: [
        {
          remote_id: 'PKG-2024-001',
          status: 'delivered',
          carrier_name: 'UPS',
          tracking_number: '1Z999AA1234567890',
          lines: [{ quantity: 2 }, { quantity: 1 }],
        },
      ],
    })
  })

  test('of listings', () => {
    const listed = ['response-200', 'sandbox-200.1'].flatMap((name) => [
      ...recordsIn(bodyIn(`listingsItems_2021-08-01.searchListingsItems.${name}`), 'items'),
      bodyIn(`listingsItems_2021-08-01.getListingsItem.${name}`),
    ])
    expect(listed).toHaveLength(4)
    for (const raw of listed) {
      expect(products.translate(raw, us)).toMatchObject({
        remote_id: 'GM-ZDPI-9B4E',
        title: 'Hardside Carry-On Spinner Suitcase Luggage',
        status: 'active',
        type: 'LUGGAGE',
        url: 'https://www.amazon.com/dp/B071VG5N9D',
        variants: [{ price: { amount: '100.00', currency: 'USD' }, quantity: 100 }],
      })
      const there = products.translate(raw, { ...us, settings: { marketplace: 'CA' } })
      expect(there).toMatchObject({ status: 'inactive', variants: [{ price: { amount: '130.00', currency: 'CAD' } }] })
      expect(() => products.translate(raw, { ...us, settings: { marketplace: 'MX' } })).toThrow(
        /not on the marketplace/,
      )
    }
    const [full] = recordsIn(bodyIn('listingsItems_2021-08-01.searchListingsItems.response-200'), 'items')
    expect(products.translate(full, us)).toMatchObject({
      brand: 'SAMSUNG',
      variants: [{ weight: { value: '107.6', unit: 'lb' }, compare_at_price: { amount: '3799.99', currency: 'USD' } }],
    })
  })
})

describe('orders', () => {
  test('that are pending have no amounts, but the currency of their marketplace', () => {
    const raw = {
      orderId: '302-0000001-0000001',
      createdTime: '2026-10-01T00:00:00Z',
      lastUpdatedTime: '2026-10-01T00:00:00Z',
      salesChannel: { channelName: 'AMAZON', marketplaceId: 'A1VC38T7YXB528' },
      fulfillment: { fulfillmentStatus: 'PENDING' },
      orderItems: [{ orderItemId: '1', quantityOrdered: 2, product: { asin: 'B0' } }],
    }
    expect(orders.translate(raw, us)).toMatchObject({
      status: 'pending',
      payment_status: 'pending',
      total: { amount: '0', currency: 'JPY' },
      customer: null,
      shipping_address: null,
      lines: [{ title: 'B0', quantity: 2, unit_price: { amount: '0', currency: 'JPY' } }],
    })
    expect(() => orders.translate({ ...raw, fulfillment: { fulfillmentStatus: 'LOST' } }, us)).toThrow(/LOST/)
  })

  test('are told with discounts above zero, and cancelled units counted', () => {
    const { stand, shop } = onStand()
    const told = (status: string) =>
      orders.translate(
        stand.books.orders.find((one) => one.fulfillment.fulfillmentStatus === status),
        shop,
      )
    expect(told('UNSHIPPED')).toMatchObject({
      total: { amount: '43.99' },
      discount_total: { amount: '2.00', currency: 'EUR' },
    })
    expect(told('CANCELLED').lines.map((line) => line.quantity_cancelled)).toEqual([2, 1])
  })

  test('are asked for page by page with one and the same question', async () => {
    const { shop, asked } = onStand({ more_marketplaces: ['FR'], fulfilled_by: 'all', buyer_data: false })
    const page = await orders.list(shop, { ...query, updatedSince: '2026-10-01T00:10:00.000000Z', statuses: ['open'] })
    await orders.list(shop, {
      ...query,
      updatedSince: '2026-10-01T00:10:00.000000Z',
      statuses: ['open'],
      cursor: page.next,
    })
    const [first, second] = asked.map(({ request }) => request.query ?? {})
    expect(first).toMatchObject({
      lastUpdatedAfter: '2026-10-01T00:10:00Z',
      marketplaceIds: 'A1PA6795UKMFR9,A13V1IB3VIYZZH',
      fulfillmentStatuses: 'UNSHIPPED,PARTIALLY_SHIPPED',
      fulfilledBy: undefined,
      includedData: 'PROCEEDS,CANCELLATION,FULFILLMENT,PACKAGES',
    })
    const { paginationToken: token, ...same } = second ?? {}
    expect({ ...same, paginationToken: null }).toEqual(first)
    expect(token).toBeTypeOf('string')
    expect(asked.every(({ request }) => request.budget === 'search_orders')).toBe(true)
  })

  test('are listed anew, once, with a token that is a day old', async () => {
    const old = { status: 400, body: { errors: [{ code: 'InvalidInput', message: 'Invalid Input' }] } }
    const { shop, asked } = scripted([old, { body: { orders: [], pagination: { nextToken: 'new' } } }, old])
    const page = await orders.list(shop, { ...query, cursor: 'first:old' })
    expect(asked.map(({ request }) => request.query?.['paginationToken'])).toEqual(['old', null])
    expect(page.next).toBe('again:new')
    await expect(orders.list(shop, { ...query, cursor: page.next })).rejects.toMatchObject({ message: 'Invalid Input' })
    await expect(orders.list(shop, { ...query, cursor: 'nonsense' })).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
  })
})

describe('listings', () => {
  test('more of one second than a page holds are all read', async () => {
    const { shop, stand } = onStand()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, limit: 7, cursor })
      seen.push(...page.items.map((raw) => products.translate(raw, shop).remote_id))
      cursor = page.next
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(stand.books.listings.map(({ sku }) => sku).toSorted())
  })

  test('are found by numbers with any character in them', async () => {
    const { shop } = onStand()
    expect(await products.get?.(shop, 'SKU-03 / blue, large')).toMatchObject({ sku: 'SKU-03 / blue, large' })
  })

  test('keep their other places when stock is set, and Amazon counts its own', async () => {
    const { shop, stand, asked } = onStand()
    const [first] = stand.books.listings
    if (first) first.fulfillmentAvailability.push({ fulfillmentChannelCode: 'harbour', quantity: 4 })
    const results = await inventory.set?.send(
      shop,
      [
        { sku: 'SKU-00', quantity: 9 },
        { sku: 'SKU-09', quantity: 1, location: 'AMAZON_EU' },
        { sku: 'none', quantity: 1 },
      ],
      { id: 'x' },
    )
    expect(results).toEqual([
      { sku: 'SKU-00', location: null, ok: true, error: null },
      {
        sku: 'SKU-09',
        location: 'AMAZON_EU',
        ok: false,
        error: 'The stock in its own warehouses is counted by Amazon.',
      },
      { sku: 'none', location: null, ok: false, error: 'The seller has no such listing.' },
    ])
    expect(asked.find(({ request }) => request.method === 'PATCH')?.request.body).toEqual({
      productType: 'LUGGAGE',
      patches: [
        {
          op: 'replace',
          path: '/attributes/fulfillment_availability',
          value: [
            { fulfillment_channel_code: 'DEFAULT', quantity: 9 },
            { fulfillment_channel_code: 'harbour', quantity: 4 },
          ],
        },
      ],
    })
  })

  test('that Amazon finds invalid are refused, although the status is 200', async () => {
    const listing = {
      sku: 'S',
      summaries: [{ marketplaceId: 'ATVPDKIKX0DER', productType: 'SHOES' }],
      fulfillmentAvailability: [],
    }
    const issues = [{ code: '1', message: 'The attributes are invalid.', severity: 'ERROR', categories: [] }]
    const { shop } = scripted([{ body: listing }, { body: { sku: 'S', status: 'INVALID', submissionId: 's', issues } }])
    expect(await inventory.set?.send(shop, [{ sku: 'S', quantity: 1 }], { id: 'x' })).toEqual([
      { sku: 'S', location: null, ok: false, error: 'The attributes are invalid.' },
    ])
  })
})

describe('parcels', () => {
  test('have a number made of the operation, so that telling one twice changes it', async () => {
    const { shop, stand, asked } = onStand()
    const id = stand.openOrder()
    const [line] = orders.translate(await orders.get(shop, id), shop).lines
    const draft = {
      order_remote_id: id,
      tracking_number: 'T1',
      carrier: 'royalmail',
      shipped_at: '2026-11-14T10:00:00Z',
      lines: [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }],
    }
    const first = await shipments.create.send(shop, draft, { id: 'one' })
    expect(await shipments.create.send(shop, draft, { id: 'one' })).toEqual(first)
    const bodies = asked.flatMap(({ request }) => (request.method === 'POST' ? [request.body] : []))
    expect(bodies).toHaveLength(2)
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toMatchObject({
      marketplaceId: 'A1PA6795UKMFR9',
      packageDetail: { carrierCode: 'Royal Mail', shipDate: '2026-11-14T10:00:00Z' },
    })
    expect(first.remote_id).toMatch(/^[1-9]\d*$/)
    const after = orders.translate(await orders.get(shop, id), shop)
    expect(after).toMatchObject({
      status: 'open',
      fulfillment_status: 'partial',
      shipments: [{ remote_id: first.remote_id }],
    })
    expect(stand.doubles()).toEqual([])
  })

  test('leave when Amazon’s clock says, with carriers it does not know by name', async () => {
    const { shop, stand, asked } = onStand()
    const draft = { order_remote_id: stand.openOrder(), tracking_number: 'T', carrier: 'Rowing Boat' }
    const parcel = await shipments.create.send(shop, draft, { id: 'two' })
    expect(parcel).toMatchObject({ carrier_name: 'Rowing Boat', shipped_at: '2026-11-15T08:00:00.000000Z' })
    expect(asked.at(-1)?.request.body).toMatchObject({
      packageDetail: { carrierCode: 'Other', carrierName: 'Rowing Boat' },
    })
    await expect(shipments.create.send(shop, draft, { id: 'three' })).rejects.toMatchObject({
      message: 'Nothing of the order is left to be sent.',
    })
  })
})

describe('answers', () => {
  const read = (answer: Partial<RemoteAnswer>, budget?: string) =>
    readAnswer(
      { status: 200, headers: {}, body: null, ...answer },
      { method: 'GET', path: '/', ...(budget ? { budget } : {}) },
    )
  const denied = (details: string) => ({
    status: 403,
    body: { errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.', details }] },
  })

  test('403 is about the token, or about a role: the details say which', async () => {
    expect(read(denied('The access token you provided has expired.'))).toEqual({ verdict: 'unauthorized' })
    expect(read(denied('The access token you provided is revoked, malformed or invalid.'))).toEqual({
      verdict: 'unauthorized',
    })
    expect(read(denied(''))).toEqual({})
    await expect(orders.list(scripted([denied('')]).shop, query)).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: 'Access to requested resource is denied.',
    })
  })

  test('tell how fast an operation may be called, and 429 how long one call takes to come back', () => {
    const headers = { 'x-amzn-ratelimit-limit': '0.0167' }
    expect(read({ headers }, 'search_orders')).toEqual({ budget: { name: 'search_orders', perSecond: 0.0167 } })
    expect(read({ headers })).toEqual({})
    expect(read({ status: 429, headers }, 'search_orders')).toMatchObject({
      verdict: 'throttled',
      retryAfterSeconds: 60,
    })
    expect(read({ status: 429 }, 'search_orders')).toEqual({ verdict: 'throttled', retryAfterSeconds: 179 })
    expect(read({ headers: { 'x-amzn-ratelimit-limit': 'many' } }, 'get_order')).toEqual({})
    expect(budgets.search_orders).toEqual({ capacity: 20, perSecond: 0.0056 })
  })
})

test('each region has its own interface, and each its sandbox', () => {
  const of = (marketplace: Settings['marketplace'], sandbox = false) =>
    originOf({ ...us, settings: { marketplace, sandbox } })
  expect([of('BR'), of('IN'), of('JP'), of('US', true)]).toEqual([
    'https://sellingpartnerapi-na.amazon.com',
    'https://sellingpartnerapi-eu.amazon.com',
    'https://sellingpartnerapi-fe.amazon.com',
    'https://sandbox.sellingpartnerapi-na.amazon.com',
  ])
})
