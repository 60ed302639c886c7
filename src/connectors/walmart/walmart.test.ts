import { describe, expect, test } from 'vitest'
import { openStand, scriptedShop } from '../../../test/support/connector-shop.ts'
import type { RemoteProduct } from '../../commerce/product.ts'
import { type Fields, fieldsIn, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { acknowledgement } from './acknowledge-orders.ts'
import { walmart } from './index.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { makeStand } from './stand.ts'
import { parcelsIn } from './translate-order.ts'

const facts: { shop: string; settings: Settings } = { shop: '100009.walmart.com', settings: {} }
const credentials = { client_id: 'id', client_secret: 'secret', access_token: 'token' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const operation = { id: 'x' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(walmart, { facts, credentials }, answers)

const onStand = () => {
  const stand = makeStand()
  return { stand, ...openStand<Settings, Credentials>(walmart, stand) }
}

const usd = (amount: string) => ({ amount, currency: 'USD' })

describe('orders', () => {
  const page = (total: number, rows: readonly Fields[] = [], more: Fields = {}) => ({
    headers: { date: 'Sun, 15 Nov 2026 00:00:00 GMT' },
    body: { list: { meta: { totalCount: total, limit: 20, ...more }, elements: { order: rows } } },
  })

  test('are asked for since long ago, not for seven days, and a second early', async () => {
    const { shop, asked } = scripted(page(0))
    await orders.list(shop, { ...query, updatedSince: '2026-11-14T10:00:00.123456Z' })
    expect(asked[0]?.request.query).toMatchObject({
      createdStartDate: '2013-01-01T00:00:00Z',
      lastModifiedStartDate: '2026-11-14T09:59:59Z',
      shipNodeType: 'SellerFulfilled',
      limit: 20,
    })
  })

  test('are paged by the query that a page names as the next', async () => {
    const [raw] = makeStand().books.orders
    const nextCursor =
      '?limit=10&hasMoreElements=true&soIndex=31&poIndex=10&createdStartDate=2013-08-16&createdEndDate=2019-09-17T18:47:03.703Z'
    const { shop, asked } = scripted(page(31, raw ? [raw] : [], { nextCursor }), page(31))
    const { next } = await orders.list(shop, query)
    expect((await orders.list(shop, { ...query, cursor: next })).next).toBeNull()
    expect(asked[1]?.request.query).toEqual({
      limit: '10',
      hasMoreElements: 'true',
      soIndex: '31',
      poIndex: '10',
      createdStartDate: '2013-08-16',
      createdEndDate: '2019-09-17T18:47:03.703Z',
    })
    await expect(orders.list(shop, { ...query, cursor: 'anything' })).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
  })

  test('more than ten thousand are read window by window, which share a second', async () => {
    const { shop, asked } = scripted(page(12_000), page(6000), page(10_500), page(5000), page(5000))
    const spans: unknown[] = []
    let cursor: string | null = null
    do {
      cursor = (await orders.list(shop, { ...query, cursor })).next
      const { createdStartDate: from, createdEndDate: to } = asked.at(-1)?.request.query ?? {}
      spans.push([from, to])
    } while (cursor !== null)
    expect(spans).toEqual([
      ['2013-01-01T00:00:00Z', null],
      ['2013-01-01T00:00:00Z', '2026-08-15T12:00:00Z'],
      ['2026-08-15T11:59:59Z', null],
      ['2026-08-15T11:59:59Z', '2026-09-30T05:59:59Z'],
      ['2026-09-30T05:59:58Z', null],
    ])
  })

  test('take the status of the last of their lines', () => {
    const { stand } = onStand()
    const told = stand.books.orders
      .slice(0, 7)
      .map((raw) => orders.translate(raw, facts))
      .map((one) => [one.remote_status, one.status, one.fulfillment_status, one.payment_status, one.acknowledged])
    expect(told).toEqual([
      ['Created', 'open', 'unfulfilled', 'paid', false],
      ['Acknowledged', 'open', 'unfulfilled', 'paid', true],
      ['Acknowledged', 'open', 'partial', 'paid', true],
      ['Shipped', 'completed', 'fulfilled', 'paid', true],
      ['Delivered', 'completed', 'delivered', 'paid', true],
      ['Cancelled', 'cancelled', 'unfulfilled', 'voided', true],
      ['Created', 'open', 'unfulfilled', 'paid', false],
    ])
    expect(orders.translate(stand.books.orders[0], facts)).toMatchObject({
      subtotal: usd('37.50'),
      shipping_total: usd('6.20'),
      tax_total: usd('1.60'),
      total: usd('45.30'),
      lines: [{ unit_price: usd('12.50'), total: usd('25.00') }, { unit_price: usd('12.50') }],
    })
  })

  test('with discounts, countries and words that are strange', () => {
    const { stand } = onStand()
    const [raw] = stand.books.orders
    const changed = (change: (order: Fields) => void) => {
      const copy = structuredClone(raw) ?? {}
      change(copy)
      return () => orders.translate(copy, facts)
    }
    const place = (order: Fields) =>
      fieldsIn(fieldsIn(order, 'shippingInfo'), 'postalAddress') as Record<string, unknown>
    const line = (order: Fields) => recordsIn(fieldsIn(order, 'orderLines'), 'orderLine')[0] ?? {}
    const discount = {
      chargeType: 'PRODUCT',
      chargeName: 'SubscriptionDiscount',
      chargeAmount: { currency: 'USD', amount: -2.5 },
    }
    const reduced = changed((order) => (fieldsIn(line(order), 'charges')['charge'] as unknown[]).push(discount))()
    expect(reduced).toMatchObject({ discount_total: usd('2.50'), subtotal: usd('37.50'), total: usd('42.80') })
    expect(reduced.lines[0]).toMatchObject({ discount: usd('2.50'), total: usd('22.50') })
    expect(changed((order) => Object.assign(place(order), { country: 'PRI' }))().shipping_address?.country_code).toBe(
      'PR',
    )
    expect(changed((order) => Object.assign(place(order), { country: 'XXX' }))).toThrow(/XXX/)
    const lost = { orderLineStatus: [{ status: 'Lost', statusQuantity: { unitOfMeasurement: 'EACH', amount: '1' } }] }
    expect(changed((order) => Object.assign(line(order), { orderLineStatuses: lost }))).toThrow(/Lost/)
  })

  test('are cancelled in Walmart’s words, line by line, and not once they have gone', async () => {
    const { shop, stand, asked } = onStand()
    const reasonsOf = async (reason: string | null) => {
      await orders.cancel?.send(shop, { remoteId: stand.openOrder(), reason }, operation)
      const told = JSON.stringify(asked.at(-1)?.request.body)
      return [...told.matchAll(/"cancellationReason":"(\w+)"/g)].map(([, word]) => word)
    }
    expect(await reasonsOf(null)).toEqual(['SELLER_CANCEL_OUT_OF_STOCK', 'SELLER_CANCEL_OUT_OF_STOCK'])
    expect(await reasonsOf('pricing error')).toEqual(['SELLER_CANCEL_PRICING_ERROR', 'SELLER_CANCEL_PRICING_ERROR'])
    const sent = String(stand.books.orders[2]?.purchaseOrderId)
    await expect(orders.cancel?.send(shop, { remoteId: sent, reason: null }, operation)).rejects.toMatchObject({
      message: 'The order has been sent, at least in part.',
    })
  })
})

describe('acknowledgement', () => {
  test('is told once, and each order has its own answer', async () => {
    const { shop, stand, asked } = onStand()
    const remoteIds = [stand.openOrder(), 'none', String(stand.books.orders[5]?.purchaseOrderId)]
    for (const _ of [1, 2]) {
      expect(await acknowledgement.send(shop, { remoteIds }, operation)).toEqual([
        { remoteId: remoteIds[0], ok: true, error: null },
        { remoteId: 'none', ok: false, error: 'Walmart has no such order.' },
        { remoteId: remoteIds[2], ok: true, error: null },
      ])
    }
    expect(asked.filter(({ request }) => request.method === 'POST')).toHaveLength(1)
  })
})

describe('parcels', () => {
  test('are sent in parts, after the order has been acknowledged, at Walmart’s own time', async () => {
    const { shop, stand, asked } = onStand()
    const id = stand.openOrder()
    const draft = {
      order_remote_id: id,
      tracking_number: 'T 1',
      carrier: 'fedex',
      lines: [{ order_line_remote_id: '1', quantity: 1 }],
    }
    const parcel = await shipments.create.send(shop, draft, operation)
    expect(parcel).toMatchObject({
      carrier_code: 'FedEx',
      service: 'Value',
      shipped_at: '2026-11-15T08:00:00.000000Z',
      lines: [{ order_line_remote_id: '1', quantity: 1 }],
    })
    expect(asked.map(({ request }) => request.path.split('/').at(-1))).toContain('acknowledge')
    expect(await shipments.create.send(shop, draft, operation)).toEqual(parcel)
    expect(orders.translate(await orders.get(shop, id), facts)).toMatchObject({
      status: 'open',
      fulfillment_status: 'partial',
      lines: [{ quantity: 2, quantity_fulfilled: 1 }, { quantity_fulfilled: 0 }],
    })
    const tooMany = { ...draft, tracking_number: 'T 2', lines: [{ order_line_remote_id: '1', quantity: 2 }] }
    await expect(shipments.create.send(shop, tooMany, operation)).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(stand.doubles()).toEqual([])
  })

  test('of other carriers need an address where they are followed', async () => {
    const { shop, stand, asked } = onStand()
    const draft = { order_remote_id: stand.openOrder(), tracking_number: 'T&1', carrier: 'Rowing Boat' }
    await expect(shipments.create.send({ ...shop, settings: {} }, draft, operation)).rejects.toMatchObject({
      message: expect.stringContaining('does not know the carrier Rowing Boat'),
    })
    expect(asked.some(({ request }) => request.method === 'POST')).toBe(false)
    expect(await shipments.create.send(shop, draft, operation)).toMatchObject({
      carrier_code: null,
      carrier_name: 'Rowing Boat',
      tracking_url: 'https://parcels.example.com/?id=T%261',
    })
  })
})

test('items are read to the end although pages are short and the next one has always the same name', async () => {
  const page = (...skus: string[]) => ({
    body: { ItemResponse: skus.map((sku) => ({ sku })), totalItems: 3, nextCursor: 'same' },
  })
  const { shop, asked } = scripted(page('a'), page('b'), page('c'), page('c'))
  const skus: string[] = []
  let cursor: string | null = null
  do {
    const { items, next }: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, cursor })
    skus.push(...items.map((raw) => products.translate(raw, facts).remote_id))
    cursor = next
  } while (cursor !== null)
  expect(skus).toEqual(['a', 'b', 'c'])
  expect(asked.map(({ request }) => request.query?.['nextCursor'])).toEqual(['*', 'same', 'same'])
  await expect(products.list(shop, { ...query, cursor: 'same' })).rejects.toMatchObject({ kind: 'upstream_refused' })
})

test('items are found by any number, and a seller without any has none', async () => {
  const none = { status: 404, body: { errors: [{ code: 'CONTENT_NOT_FOUND.GMP_ITEM_QUERY_API', description: 'No.' }] } }
  expect(await products.list(scripted(none).shop, query)).toEqual({ items: [], next: null, total: null })
  const { shop } = onStand()
  expect(await products.get?.(shop, 'SKU 4/red & blue')).toMatchObject({ sku: 'SKU 4/red & blue' })
})

test('items of a group are the variants of one product, called as its main item', async () => {
  const { shop, stand } = onStand()
  const all: RemoteProduct[] = []
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof products.list>> = await products.list(shop, { ...query, limit: 7, cursor })
    all.push(...page.items.map((raw) => products.translate(raw, facts)))
    cursor = page.next
    if (cursor === null) break
  }
  const members = stand.books.items.filter((item) => item['variantGroupId'] === 'odd').map(({ sku }) => String(sku))
  const group = all.find(({ remote_id: id }) => id === 'group:odd')
  expect(members.length).toBeGreaterThan(3)
  expect(group).toMatchObject({ title: 'Case 9', status: 'active', options: [{ name: 'color' }] })
  expect(group?.variants.map(({ sku }) => sku)).toEqual(members.toSorted())
  expect(group?.variants[0]?.options).toEqual([{ name: 'color', value: expect.stringMatching(/^shade \d+$/) }])
  expect(all.filter(({ remote_id: id }) => members.includes(id))).toEqual([])
  expect(products.translate(await products.get?.(shop, 'group:odd'), facts).variants).toHaveLength(members.length)
  expect(await products.get?.(shop, members[0] ?? '')).toBeNull()
  expect(await products.get?.(shop, 'group:none')).toBeNull()
})

test('lines that were sent without a number are parcels all the same', () => {
  const { stand } = onStand()
  const order = structuredClone(stand.books.orders.find((one) => parcelsIn(one).length > 0))
  const [parcel] = order ? parcelsIn(order) : []
  const lines = order?.orderLines.orderLine ?? []
  for (const part of lines.flatMap((line) => line.orderLineStatuses.orderLineStatus)) {
    if (part['trackingInfo']) Object.assign(part['trackingInfo'], { trackingNumber: null })
  }
  expect(parcel?.tracking_number).toMatch(/^TRACK-/)
  const parcels = order ? orders.translate(order, facts).shipments : []
  expect(parcels.map(({ remote_id: id, tracking_number: number }) => [id, number])).toEqual(
    (parcel?.lines ?? []).map(() => [null, null]),
  )
  expect(parcels.flatMap(({ lines: sent }) => sent)).toEqual(parcel?.lines)
})
