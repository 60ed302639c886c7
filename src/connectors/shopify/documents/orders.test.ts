import { parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { gid, openShopify, said, textIn } from '../../../../test/support/shopify-shop.ts'
import { whatDoesNotAddUp } from '../../../../test/support/totals.ts'
import {
  hasSpecifications,
  noSpecifications,
  readGraphqlSchema,
  readSample,
} from '../../../../test/support/vendor-specification.ts'
import type { ReadQuery } from '../../../commerce/connector/reads.ts'
import type { Fields } from '../../../commerce/reading.ts'
import { orders } from '../orders.ts'
import { shipments } from '../parcels/shipments.ts'
import { readAnswer } from '../read-answer.ts'
import type { ShopifyShop } from '../settings.ts'
import { toOrder } from '../translate-order.ts'
import { toShipment } from '../translate-shipment.ts'
import * as orderDocuments from './orders.ts'
import * as productDocuments from './products.ts'

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }

describe.skipIf(!hasSpecifications)(`official samples (else: ${noSpecifications})`, () => {
  const samples = (name: string) => readSample(`shopify/samples/synthetic.${name}.response.json`) as Fields

  test('the order comes with its figures', () => {
    const page = (samples('orders.list')['data'] as Fields)['orders'] as { nodes: unknown[] }
    expect(page.nodes.flatMap((raw) => whatDoesNotAddUp(toOrder(raw)))).toEqual([])
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
    ['AUTHORIZED', 'UNFULFILLED', 'open', 'authorized', 'unfulfilled'],
    ['PAID', 'UNFULFILLED', 'open', 'paid', 'unfulfilled'],
    ['PAID', 'ON_HOLD', 'on_hold', 'paid', 'unfulfilled'],
    ['PENDING', 'PARTIALLY_FULFILLED', 'open', 'pending', 'partial'],
    ['REFUNDED', 'FULFILLED', 'completed', 'refunded', 'fulfilled'],
    ['EXPIRED', 'IN_PROGRESS', 'on_hold', 'voided', 'unfulfilled'],
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
    expect(toOrder({ ...fewOrders[0], displayFinancialStatus: 'NEW_WORD' })).toMatchObject({ status: 'on_hold' })
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
    const { sentAs, shop: opened } = openShopify({ variant: { max_cost: '300' } })
    const page = await orders.list(opened, query)
    expect(page.items).toHaveLength(7)
    expect(page.total).toBe(60)
    const next = await orders.list(opened, { ...query, cursor: page.next })
    expect(next.items).toHaveLength(7)
    const firsts = sentAs('query Orders').map(({ first }) => first)
    expect(firsts).toEqual([50, 19, 12, 9, 8, 7, 7])
  })

  test('lines and parcels beyond the first are asked for', async () => {
    const { shop: opened, sentAs, ids } = openShopify()
    const line = { sku: 'SKU-00001-1', quantity: 1 }
    const draft = { reference: 'long', currency: 'EUR', lines: Array.from({ length: 33 }, () => line) }
    const long = await orders.create?.send(opened, draft, { id: 'a' })
    const [remoteId = '', lines = []] = [long?.remote_id, long?.lines]
    for (const [n, { remote_id: id }] of lines.slice(0, 6).entries()) {
      const parcel = { order_remote_id: remoteId, tracking_number: `T-${n}`, carrier: 'UPS' }
      const packed = [{ order_line_remote_id: id, quantity: 1 }]
      await shipments.create.send(opened, { ...parcel, lines: packed }, { id: `parcel ${n}` })
    }
    const all = (await readAll(opened)).map((raw) => toOrder(raw))
    const sent = all.find((order) => order.remote_id === remoteId)
    expect(sent?.lines).toHaveLength(33)
    expect(sent?.shipments.map(({ lines }) => lines.length)).toEqual([1, 1, 1, 1, 1, 1])
    expect(sentAs('query Lines')).not.toEqual([])
    expect(sentAs('query Parcels')).not.toEqual([])
    expect(all.map((order) => order.remote_id).sort()).toEqual(ids().sort())
  })

  test('times are asked for by the second, in which a fraction would lose some', async () => {
    const { sentAs, shop: opened } = openShopify()
    await orders.list(opened, { ...query, updatedSince: '2026-10-01T10:00:00.999999Z' })
    expect(sentAs('query Orders')[0]?.['query']).toBe("updated_at:>='2026-10-01T10:00:00Z'")
  })

  test('ids and versions alone are cheap', async () => {
    const { shop: opened } = openShopify()
    const window = { from: '2025-01-01T00:00:00.000000Z', to: '2027-01-01T00:00:00.000000Z', cursor: null }
    const page = await orders.index?.(opened, window)
    const [first] = page?.items ?? []
    expect(page?.items).toHaveLength(60)
    expect(toOrder(await orders.get(opened, first?.remoteId ?? '')).remote_version).toBe(first?.version)
  })

  test('a reason in the merchant’s words becomes a note; money goes back only if that is set', async () => {
    const { openOrder, sentAs, shop: opened } = openShopify({ settings: { refund_cancelled: true } })
    await orders.cancel?.send(opened, { remoteId: openOrder(), reason: 'Sold out' }, { id: 'a' })
    const sent = sentAs('mutation Cancel')[0]
    expect(sent).toMatchObject({ reason: 'OTHER', note: 'Sold out', refund: { originalPaymentMethodsRefund: true } })
  })

  test('a cancellation that takes its time is not called done', async () => {
    // The platform takes it on, says that the job is done, and has not done it yet.
    const job = { id: gid('Job', 1), done: false }
    const { openOrder, shop: opened } = openShopify({
      before: (call) =>
        textIn(call).startsWith('mutation Cancel')
          ? said({ orderCancel: { job, orderCancelUserErrors: [] } })
          : textIn(call).startsWith('query Job')
            ? said({ job: { ...job, done: true } })
            : null,
    })
    const id = openOrder()
    await expect(orders.cancel?.send(opened, { remoteId: id, reason: null }, { id: 'a' })).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
  })

  test('an order that was just made is found, though no search knows it', async () => {
    const { simulator, shop: opened } = openShopify()
    const draft = { reference: 'R-1', currency: 'EUR', lines: [{ sku: 'SKU-00001-1', quantity: 1 }] }
    const made = await orders.create?.send(opened, draft, { id: 'a' })
    expect(made).toMatchObject({ external_reference: 'R-1', lines: [{ requires_shipping: true }] })
    expect(await orders.create?.send(opened, draft, { id: 'a' })).toMatchObject({ remote_id: made?.remote_id })
    const unknown = { currency: 'EUR', lines: [{ sku: 'NOBODY', quantity: 1 }] }
    await expect(orders.create?.send(opened, unknown, { id: 'b' })).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(simulator.doubles()).toEqual([])
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
