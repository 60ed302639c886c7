import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { inMicroseconds, toSecond } from '../../simulator/clock.ts'
import type { ShopOrder } from '../../simulator/shop/order.ts'
import { amazon } from './index.ts'
import { inventory } from './inventory.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { type Credentials, originOf, type Settings } from './settings.ts'
import { shipments } from './shipments.ts'

const us: { shop: string; settings: Settings } = { shop: 'a2standseller1', settings: { marketplace: 'US' } }
const credentials = { access_token: 'right', refresh_token: 'r' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

const scripted = (answers: Partial<RemoteAnswer>[], settings: Settings = us.settings) =>
  scriptedShop<Settings, Credentials>(amazon, { facts: { shop: us.shop, settings }, credentials }, answers)

const open = (options: ImitationOptions = {}) => openImitation<Settings, Credentials>(amazon, options)

/** An order that may be sent. */
function openOrder({ simulator }: ReturnType<typeof open>, lines = 1): string {
  const found = simulator.truth().find((one) => one.remote_status === 'UNSHIPPED' && one.lines >= lines)
  if (!found) throw new Error('No order is left.')
  return found.remote_id
}

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
    const unknown = { ...raw, fulfillment: { fulfillmentStatus: 'LOST' } }
    expect(orders.translate(unknown, us)).toMatchObject({ status: 'on_hold', remote_status: 'LOST' })
  })

  test('come with discounts above zero, and cancelled units counted', async () => {
    const { shop, simulator } = open({ orders: 200 })
    const read = async (wanted: (order: ShopOrder) => boolean) => {
      const found = simulator
        .truth()
        .flatMap(({ remote_id: id }) => simulator.order(id) ?? [])
        .find(wanted)
      if (!found) throw new Error('There is no such order.')
      const id = simulator.truth()[found.index]?.remote_id ?? ''
      return { found, order: orders.translate(await orders.get(shop, id), shop) }
    }
    const reduced = await read(({ stage, discount, taxIncluded }) => stage === 'paid' && discount > 0 && !taxIncluded)
    const money = (units: number) => ({ amount: (units / 100).toFixed(2), currency: 'EUR' })
    expect(reduced.order).toMatchObject({
      total: money(reduced.found.total),
      subtotal: money(reduced.found.goods),
      discount_total: money(reduced.found.discount),
      tax_total: money(reduced.found.tax),
    })
    const gone = await read(({ stage, lines }) => stage === 'cancelled' && lines.length > 1)
    expect(gone.order.lines.map((line) => line.quantity_cancelled)).toEqual(
      gone.found.lines.map(({ quantity }) => quantity),
    )
  })

  test('are asked for page by page with one and the same question', async () => {
    const { shop, asked } = open({ settings: { more_marketplaces: ['FR'], fulfilled_by: 'all', buyer_data: false } })
    const page = await orders.list(shop, {
      ...query,
      limit: 5,
      updatedSince: '2025-01-01T00:10:00.000000Z',
      statuses: ['open'],
    })
    await orders.list(shop, {
      ...query,
      limit: 5,
      updatedSince: '2025-01-01T00:10:00.000000Z',
      statuses: ['open'],
      cursor: page.next,
    })
    const [first, second] = asked.map(({ request }) => request.query ?? {})
    expect(first).toMatchObject({
      lastUpdatedAfter: '2025-01-01T00:10:00Z',
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

  test('have buyers who are forgotten thirty days after delivery, as Amazon’s policy asks', () => {
    expect(amazon.orders?.keepPersonalDataDays).toBe(30)
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
    // All of a family have the time of its last change.
    const { shop, simulator } = open()
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, limit: 2, cursor })
      seen.push(...page.items.map((raw) => products.translate(raw, shop).remote_id))
      cursor = page.next
    } while (cursor !== null)
    const all = simulator.truthOfProducts()
    expect(seen.toSorted()).toEqual(all.map(({ remote_id: id }) => id).toSorted())
    expect(all.some(({ skus }) => skus.length > 2)).toBe(true)
  })

  test('are found by numbers with any character in them', async () => {
    const { shop, simulator } = open()
    const sku = 'SKU-03 / blue, large'
    const variants = [{ sku, title: 'Default Title', price: 990, stock: 1 }]
    simulator.world.shop.stockroom.add({ title: 'Case', html: '', status: 'active', images: [], variants })
    expect(await products.get?.(shop, sku)).toMatchObject({ sku })
  })

  test('keep their other places and what else they say of sending when stock is set; Amazon counts its own', async () => {
    const { shop, simulator, asked } = open({ variant: { fulfilled_by: 'both' } })
    const { stockroom } = simulator.world.shop
    const [own] = stockroom.product(0)?.variants ?? []
    const [theirs] = stockroom.product(9)?.variants ?? []
    const items = [
      { sku: own?.sku ?? '', quantity: 9 },
      { sku: theirs?.sku ?? '', quantity: 1, location: 'AMAZON_EU' },
      { sku: theirs?.sku ?? '', quantity: 9 },
      { sku: 'none', quantity: 1 },
    ]
    const amazonSends = 'Amazon sends this article, and counts the stock in its warehouses itself.'
    const [, floor = 0, outlet = 0] = own?.stock ?? []
    expect(await inventory.set?.send(shop, items, { id: 'x' })).toEqual([
      { sku: own?.sku, location: null, ok: true, error: null },
      { sku: theirs?.sku, location: 'AMAZON_EU', ok: false, error: amazonSends },
      { sku: theirs?.sku, location: null, ok: false, error: amazonSends },
      { sku: 'none', location: null, ok: false, error: 'The seller has no such listing.' },
    ])
    // What has been sold meanwhile is not put back: the attribute still says what was there before.
    expect(asked.flatMap(({ request }) => (request.method === 'PATCH' ? [request.body] : []))).toEqual([
      {
        productType: stockroom.product(0)?.type.toUpperCase(),
        patches: [
          {
            op: 'replace',
            path: '/attributes/fulfillment_availability',
            value: [
              { fulfillment_channel_code: 'DEFAULT', quantity: 9, lead_time_to_ship_max_days: 2 },
              { fulfillment_channel_code: 'supply-source-2', quantity: floor, restock_date: '2026-12-01' },
              { fulfillment_channel_code: 'supply-source-3', quantity: outlet, restock_date: '2026-12-01' },
            ],
          },
        ],
      },
    ])
    expect(own?.stock).toEqual([9, floor, outlet])
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
  test('have a number made of the operation, so that sending one twice changes it', async () => {
    const imitation = open()
    const { shop, simulator, asked } = imitation
    const id = openOrder(imitation, 2)
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
    expect(simulator.doubles()).toEqual([])
  })

  test('of orders that Amazon sends itself are refused before it is told anything', async () => {
    const { shop, simulator, asked } = open({ variant: { fulfilled_by: 'both' }, settings: { fulfilled_by: 'all' } })
    const theirs = simulator.truth().find(({ remote_id: id, remote_status: status }) => {
      return status === 'UNSHIPPED' && (simulator.order(id)?.index ?? 0) % 5 === 4
    })
    const draft = { order_remote_id: theirs?.remote_id ?? '', tracking_number: 'T', carrier: 'UPS' }
    await expect(shipments.create.send(shop, draft, { id: 'one' })).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: 'Amazon sends this order from its own warehouse.',
    })
    expect(asked.map(({ request }) => request.method)).toEqual(['GET'])
  })

  test('bring the codes of Transparency along, where pieces have some', async () => {
    const imitation = open()
    const { shop, asked } = imitation
    const id = openOrder(imitation)
    const [line] = orders.translate(await orders.get(shop, id), shop).lines
    const codes = ['AZ:0000000000000000000000001']
    const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1, transparency_codes: codes }]
    await shipments.create.send(
      shop,
      { order_remote_id: id, tracking_number: 'T', carrier: 'UPS', lines },
      { id: 'one' },
    )
    expect(asked.at(-1)?.request.body).toMatchObject({
      packageDetail: { orderItems: [{ orderItemId: line?.remote_id, quantity: 1, transparencyCodes: codes }] },
    })
  })

  test('leave when Amazon’s clock says, with carriers it does not know by name', async () => {
    const imitation = open()
    const { shop, asked, simulator } = imitation
    // Its clock is ahead of ours.
    simulator.advance(1800)
    const earliest = inMicroseconds(toSecond(simulator.world.clock.now()))
    const draft = { order_remote_id: openOrder(imitation), tracking_number: 'T', carrier: 'Rowing Boat' }
    const parcel = await shipments.create.send(shop, draft, { id: 'two' })
    expect(parcel.carrier_name).toBe('Rowing Boat')
    expect(String(parcel.shipped_at) >= earliest).toBe(true)
    expect(asked.at(-1)?.request.body).toMatchObject({
      packageDetail: { carrierCode: 'Other', carrierName: 'Rowing Boat' },
    })
    await expect(shipments.create.send(shop, draft, { id: 'three' })).rejects.toMatchObject({
      message: 'Nothing in the order is left to ship.',
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
    expect(read(denied(''))).toMatchObject({ missingRight: { where: expect.stringContaining('roles') } })
    await expect(orders.list(scripted([denied('')]).shop, query)).rejects.toMatchObject({
      kind: 'upstream_refused',
      message: expect.stringMatching(/Inventory and Order Tracking.*"Access to requested resource is denied\."/),
    })
  })

  test('report how fast an operation may be called, and 429 how long one call takes to come back', () => {
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
