import { parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { openStand } from '../../../test/support/connector-shop.ts'
import {
  hasSpecifications,
  noSpecifications,
  readGraphqlSchema,
  readSample,
} from '../../../test/support/vendor-specification.ts'
import type { ReadQuery } from '../../commerce/connector.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import * as orderDocuments from './documents/orders.ts'
import * as productDocuments from './documents/products.ts'
import { shopify } from './index.ts'
import { orders } from './orders.ts'
import { readAnswer } from './read-answer.ts'
import type { Credentials, Settings, ShopifyShop } from './settings.ts'
import { makeShop } from './stand.ts'
import { gid, type Row } from './stand-records.ts'
import { toOrder } from './translate-order.ts'
import { toShipment } from './translate-shipment.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

/** The stand, opened, and every document it was sent. */
function open(options: Parameters<typeof makeShop>[0] = {}, settings: Settings = {}) {
  const stand = makeShop(options)
  const { shop, asked } = openStand<Settings, Credentials>(shopify, stand, { settings })
  const sent = () => asked.flatMap(({ request }) => (isFields(request.body) ? [request.body] : []))
  const sentAs = (start: string) =>
    sent().flatMap(({ query: text, variables }) =>
      String(text).startsWith(start) ? [variables as Record<string, unknown>] : [],
    )
  return { stand, shop, sentAs }
}

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const samples = (name: string) => readSample(`shopify/samples/synthetic.${name}.response.json`) as Fields

  test('the order is told with its figures', () => {
    const page = (samples('orders.list')['data'] as Fields)['orders'] as { nodes: unknown[] }
    expect(page.nodes.map((raw) => toOrder(raw))).toMatchObject([
      {
        remote_id: 'gid://shopify/Order/1001',
        number: '#1001',
        status: 'open',
        payment_status: 'paid',
        fulfillment_status: 'partial',
        remote_status: 'PAID/PARTIALLY_FULFILLED',
        subtotal: { amount: '25.00', currency: 'USD' },
        discount_total: { amount: '0.00' },
        shipping_total: { amount: '5.00' },
        tax_total: { amount: '3.25' },
        total: { amount: '33.25' },
        test: true,
        customer: { email: 'ada@example.com', is_guest: false },
        shipping_address: { line1: '1 Test Street', region_code: 'ON', country_code: 'CA' },
        lines: [
          {
            sku: 'MUG-BLUE',
            quantity: 2,
            quantity_fulfilled: 1,
            quantity_cancelled: 0,
            unit_price: { amount: '12.50' },
            tax: { amount: '3.25' },
            total: { amount: '25.00' },
          },
        ],
        shipments: [{ status: 'in_transit', tracking_number: '1Z999AA10123456784', lines: [{ quantity: 1 }] }],
        remote_updated_at: '2026-10-03T11:30:00.000000Z',
      },
    ])
  })

  test('what is out of points waits until there are enough', () => {
    expect(readAnswer({ status: 200, headers: {}, body: samples('throttled') }, { method: 'POST', path: '/' })).toEqual(
      {
        verdict: 'throttled',
        retryAfterSeconds: 0.82,
        budget: { name: 'default', remaining: 10, capacity: 2000, perSecond: 100 },
      },
    )
  })

  test('the question that is left to the platform is a question of its schema', () => {
    const schema = readGraphqlSchema('shopify/admin-2026-10.graphql')
    const texts = [...Object.values(orderDocuments), ...Object.values(productDocuments)].flatMap((one) =>
      typeof one === 'string' ? [one] : typeof one === 'object' ? [one.text] : [],
    )
    expect(texts.length).toBeGreaterThan(10)
    expect(texts.flatMap((text) => validate(schema, parse(text)))).toEqual([])
  })
})

function yen(amount: string) {
  return { shopMoney: { amount, currencyCode: 'JPY' } }
}

describe('orders', () => {
  test.each([
    ['PENDING', 'UNFULFILLED', 'pending', 'pending', 'unfulfilled'],
    ['AUTHORIZED', 'UNFULFILLED', 'pending', 'authorized', 'unfulfilled'],
    ['PAID', 'UNFULFILLED', 'open', 'paid', 'unfulfilled'],
    ['PAID', 'ON_HOLD', 'on_hold', 'paid', 'unfulfilled'],
    ['PENDING', 'PARTIALLY_FULFILLED', 'open', 'pending', 'partial'],
    ['REFUNDED', 'FULFILLED', 'completed', 'refunded', 'fulfilled'],
    ['EXPIRED', 'IN_PROGRESS', 'open', 'voided', 'unfulfilled'],
    [null, 'FULFILLMENT_NOT_REQUIRED', 'completed', 'unknown', 'not_required'],
  ])('%s/%s is %s', (displayFinancialStatus, displayFulfillmentStatus, status, payment, fulfillment) => {
    const [order] = fewOrders
    expect(toOrder({ ...order, displayFinancialStatus, displayFulfillmentStatus })).toMatchObject({
      status,
      payment_status: payment,
      fulfillment_status: fulfillment,
    })
  })

  const fewOrders = [
    {
      id: gid('Order', 1),
      name: '#1',
      createdAt: '2026-10-01T10:00:00Z',
      processedAt: '2026-10-01T10:00:00Z',
      updatedAt: '2026-10-01T10:00:00Z',
      cancelledAt: null,
      closedAt: null,
      displayFinancialStatus: 'PAID',
      displayFulfillmentStatus: 'UNFULFILLED',
      currencyCode: 'JPY',
      tags: [],
      subtotalPriceSet: yen('1700.0'),
      totalDiscountsSet: yen('300.0'),
      totalShippingPriceSet: yen('500.0'),
      totalTaxSet: null,
      totalPriceSet: yen('2200.0'),
      totalRefundedSet: yen('0.0'),
      fulfillments: [],
      lineItems: {
        pageInfo: { hasNextPage: false, endCursor: null },
        nodes: [
          {
            id: gid('LineItem', 1),
            title: 'Cup',
            quantity: 2,
            currentQuantity: 1,
            originalUnitPriceSet: yen('1000.0'),
            discountAllocations: [{ allocatedAmountSet: yen('200.0') }, { allocatedAmountSet: yen('100.0') }],
            taxLines: [],
          },
        ],
      },
    },
  ]

  test('amounts have the places of their currency, and lines their share of every discount', () => {
    expect(toOrder(fewOrders[0])).toMatchObject({
      subtotal: { amount: '2000', currency: 'JPY' },
      discount_total: { amount: '300' },
      tax_total: { amount: '0' },
      total: { amount: '2200' },
      lines: [{ discount: { amount: '300' }, total: { amount: '1700' }, quantity_cancelled: 1 }],
    })
    expect(() => toOrder({ ...fewOrders[0], displayFinancialStatus: 'NEW_WORD' })).toThrow(TypeError)
  })

  test('a status of a parcel that is new to us is no parcel of ours', () => {
    const parcel = { id: '1', status: 'SUCCESS', trackingInfo: [], fulfillmentLineItems: { nodes: [] } }
    expect(toShipment({ ...parcel, displayStatus: 'PICKED_UP' })).toMatchObject({ status: 'delivered' })
    expect(toShipment({ ...parcel, displayStatus: null })).toMatchObject({ status: 'shipped' })
    expect(toShipment({ ...parcel, status: 'CANCELLED', displayStatus: 'DELIVERED' })).toMatchObject({
      status: 'cancelled',
    })
    expect(() => toShipment({ ...parcel, displayStatus: 'BEAMED' })).toThrow(TypeError)
  })

  test('pages shrink to what one question may cost, and stay that small', async () => {
    const { sentAs, shop: opened } = open()
    const page = await orders.list(opened, query)
    expect(page.items).toHaveLength(16)
    expect(page.total).toBe(60)
    await orders.list(opened, { ...query, cursor: page.next })
    const firsts = sentAs('query Orders').map(({ first }) => first)
    expect(firsts).toEqual([50, 16, 16])
  })

  test('lines and parcels beyond the first are asked for', async () => {
    const { stand, shop: opened } = open()
    const all = (await readAll(opened)).map((raw) => toOrder(raw))
    const find = (number: string) => all.find((order) => order.number === number)
    expect(find('#1007')?.lines).toHaveLength(33)
    expect(find('#1013')?.shipments).toHaveLength(6)
    expect(all).toHaveLength(stand.books.orders.length)
  })

  test('times are asked for by the second, in which a fraction would lose some', async () => {
    const { sentAs, shop: opened } = open()
    await orders.list(opened, { ...query, updatedSince: '2026-10-01T10:00:00.999999Z' })
    expect(sentAs('query Orders')[0]?.['query']).toBe("updated_at:>='2026-10-01T10:00:00Z'")
  })

  test('ids and versions alone are cheap', async () => {
    const { shop: opened } = open()
    const window = { from: '2026-01-01T00:00:00.000000Z', to: '2027-01-01T00:00:00.000000Z', cursor: null }
    const page = await orders.index?.(opened, window)
    const [first] = page?.items ?? []
    expect(page?.items).toHaveLength(60)
    expect(toOrder(await orders.get(opened, first?.remoteId ?? '')).remote_version).toBe(first?.version)
  })

  test('a reason in the merchant’s words becomes a note; money goes back only if that is set', async () => {
    const { stand, sentAs, shop: opened } = open({}, { refund_cancelled: true })
    await orders.cancel?.send(opened, { remoteId: stand.openOrder(), reason: 'Sold out' }, { id: 'a' })
    const told = sentAs('mutation Cancel')[0]
    expect(told).toMatchObject({ reason: 'OTHER', note: 'Sold out', refund: { originalPaymentMethodsRefund: true } })
  })

  test('a cancellation that takes its time is not called done', async () => {
    const { stand, shop: opened } = open()
    const id = stand.openOrder()
    const order = stand.books.orders.find((one) => one.id === id) as Row
    Object.defineProperty(order, 'cancelledAt', { get: () => null, set: () => undefined })
    await expect(orders.cancel?.send(opened, { remoteId: id, reason: null }, { id: 'a' })).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
  })

  test('an order that was just made is found, though no search knows it', async () => {
    const { stand, shop: opened } = open()
    const draft = { reference: 'R-1', currency: 'EUR', lines: [{ sku: 'COFFEE-1-1', quantity: 1 }] }
    const made = await orders.create?.send(opened, draft, { id: 'a' })
    expect(made).toMatchObject({ external_reference: 'R-1', lines: [{ requires_shipping: true }] })
    expect(await orders.create?.send(opened, draft, { id: 'a' })).toMatchObject({ remote_id: made?.remote_id })
    const unknown = { currency: 'EUR', lines: [{ sku: 'NOBODY', quantity: 1 }] }
    await expect(orders.create?.send(opened, unknown, { id: 'b' })).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(stand.doubles()).toEqual([])
  })
})

async function readAll(opened: ShopifyShop, asked: Partial<ReadQuery> = {}): Promise<unknown[]> {
  const all: unknown[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await orders.list(opened, { ...query, ...asked, cursor })
    all.push(...page.items)
    cursor = page.next
    if (cursor === null) return all
  }
}
