import { describe, expect, test } from 'vitest'
import type { RemoteOrder } from '../../commerce/order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { changedAt, quantityIn, toOrder, toShipment, versionOf } from './translate-order.ts'

const facts = { shop: 'shop.example', settings: {} }
const is = (amount: string) => ({ amount, currency: 'EUR' })

const parcel = (id: string, state: string, quantities: Record<string, number>) => ({
  id,
  state,
  method: 'DHL Paket',
  trackingCode: `TRACK-${id}`,
  updatedAt: '2026-10-03T08:00:00.000Z',
  lines: Object.entries(quantities).map(([orderLineId, quantity]) => ({ orderLineId, quantity })),
})

const line = (id: string, quantity: number, placed: number, fields: object = {}) => ({
  id,
  quantity,
  orderPlacedQuantity: placed,
  unitPriceWithTax: 1190,
  linePriceWithTax: 1190 * quantity,
  discountedLinePriceWithTax: 1190 * quantity - 40,
  proratedLinePriceWithTax: 1190 * quantity - 90,
  lineTax: 190 * quantity,
  productVariant: { id: `V${id}`, sku: `SKU-${id}`, name: `Cup ${id}`, product: { id: `P${id}` } },
  ...fields,
})

const order = {
  id: '17',
  code: 'T3EPWHX9',
  state: 'PartiallyShipped',
  currencyCode: 'EUR',
  createdAt: '2026-10-01T08:00:00.000Z',
  updatedAt: '2026-10-02T08:00:00.000Z',
  orderPlacedAt: '2026-10-01T09:30:00.000Z',
  subTotalWithTax: 3490,
  shippingWithTax: 500,
  total: 3353,
  totalWithTax: 3990,
  lines: [line('1', 2, 3), line('2', 1, 1)],
  surcharges: [{ priceWithTax: 100 }],
  customer: {
    id: '4',
    emailAddress: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    phoneNumber: '+49 30 1',
    user: { id: '9' },
  },
  billingAddress: { fullName: '', streetLine1: null },
  shippingAddress: {
    fullName: 'Ada Lovelace',
    company: 'Analytical Ltd',
    streetLine1: 'Ring 1',
    streetLine2: 'Floor 2',
    city: 'Berlin',
    province: 'BE',
    postalCode: '10115',
    countryCode: 'de',
    phoneNumber: '+49 30 2',
  },
  shippingLines: [{ shippingMethod: { name: 'Standard' } }, { shippingMethod: { name: 'Express' } }],
  fulfillments: [parcel('5', 'Shipped', { 1: 1 }), parcel('6', 'Pending', { 1: 1 })],
  payments: [
    {
      state: 'Settled',
      amount: 3990,
      refunds: [
        { state: 'Settled', total: 90 },
        { state: 'Failed', total: 7 },
      ],
    },
    { state: 'Declined', amount: 3990 },
  ],
  history: {
    totalItems: 12,
    items: [{ createdAt: '2026-10-04T07:00:00.000Z' }, { createdAt: '2026-10-03T08:00:00.000Z' }],
  },
  cancellation: { items: [{ createdAt: '2026-10-05T07:00:00.000Z', data: { reason: 'Changed my mind' } }] },
}

test('is the same in whatever order the server tells its lines', () => {
  const lines = [line('9', 1, 1), line('10', 2, 2), line('11', 3, 3)]
  const read = (rows: readonly object[]) => toOrder({ ...order, lines: rows }, facts)
  expect(read(lines.toReversed())).toEqual(read(lines))
  expect(read(lines.toReversed()).lines.map(({ remote_id: id }) => id)).toEqual(['9', '10', '11'])
})

const paidBy = (...payments: { state: string; amount?: number; refunds?: object[] }[]) => ({
  payments: payments.map((one) => ({ amount: 3990, refunds: [], ...one })),
})
const all = { fulfillments: [parcel('5', 'Shipped', { 1: 2, 2: 1 })] }

test('an order with everything', () => {
  expect(toOrder(order, facts)).toEqual({
    remote_id: '17',
    number: 'T3EPWHX9',
    channel: 'vendure',
    marketplace: null,
    status: 'open',
    fulfillment_status: 'partial',
    remote_status: 'PartiallyShipped',
    hold_reason: null,
    fee_total: is('1.00'),
    fees: [{ remote_id: null, title: 'Surcharge', amount: is('1.00'), tax: is('0.00') }],
    refunds: [{ remote_id: null, amount: is('0.90'), reason: null, refunded_at: null, lines: [] }],
    admin_url: null,
    payment_status: 'partially_refunded',
    currency: 'EUR',
    subtotal: is('35.70'),
    discount_total: is('1.80'),
    shipping_total: is('5.00'),
    tax_total: is('6.37'),
    total: is('39.90'),
    refunded_total: is('0.90'),
    prices_include_tax: true,
    customer: {
      remote_id: '4',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+49 30 1',
      is_guest: false,
    },
    billing_address: null,
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: null,
      last_name: null,
      company: 'Analytical Ltd',
      line1: 'Ring 1',
      line2: 'Floor 2',
      line3: null,
      city: 'Berlin',
      region: 'BE',
      region_code: null,
      postal_code: '10115',
      country_code: 'DE',
      phone: '+49 30 2',
      email: null,
    },
    shipping_method: 'Standard, Express',
    lines: [
      {
        remote_id: '1',
        sku: 'SKU-1',
        product_remote_id: 'P1',
        variant_remote_id: 'V1',
        title: 'Cup 1',
        variant_title: null,
        quantity: 3,
        quantity_fulfilled: 1,
        quantity_cancelled: 1,
        quantity_refunded: 0,
        unit_price: is('11.90'),
        discount: is('0.90'),
        tax: is('3.80'),
        total: is('22.90'),
        ...lineDefaults,
        requires_shipping: null,
      },
      expect.objectContaining({ remote_id: '2', quantity: 1, quantity_fulfilled: 0, quantity_cancelled: 0 }),
    ],
    shipments: [
      {
        remote_id: '5',
        status: 'shipped',
        carrier_code: null,
        carrier_name: 'DHL Paket',
        service: null,
        tracking_number: 'TRACK-5',
        tracking_url: null,
        shipped_at: '2026-10-03T08:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [{ order_line_remote_id: '1', quantity: 1 }],
      },
      expect.objectContaining({ remote_id: '6', status: 'pending', shipped_at: null, delivered_at: null }),
    ],
    note: null,
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T09:30:00.000000Z',
    ...orderDefaults,
    ship_by: null,
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-04T07:00:00.000000Z',
    remote_version: '2026-10-04T07:00:00.000000Z/000012',
    raw: order,
  })
})

test('an order of which little is known', () => {
  const { surcharges, fulfillments, payments, history, cancellation, ...bare } = order
  const little = { ...bare, customer: null, shippingAddress: null, shippingLines: [], orderPlacedAt: null }
  expect(toOrder({ ...little, state: 'AddingItems' }, facts)).toMatchObject({
    status: 'pending',
    fulfillment_status: 'unfulfilled',
    payment_status: 'pending',
    subtotal: is('35.70'),
    refunded_total: is('0.00'),
    customer: null,
    shipping_address: null,
    shipping_method: null,
    shipments: [],
    placed_at: '2026-10-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-02T08:00:00.000000Z',
    remote_version: '2026-10-02T08:00:00.000000Z/000000',
  })
})

describe('an order', () => {
  const cases: [string, object, Partial<RemoteOrder>][] = [
    ['whose goods are all on their way is fulfilled', all, { fulfillment_status: 'fulfilled', status: 'open' }],
    [
      'some of whose parcels have arrived and the rest are on their way is complete',
      { ...all, state: 'PartiallyDelivered' },
      { fulfillment_status: 'fulfilled', status: 'completed' },
    ],
    [
      'of which all has arrived is complete',
      { fulfillments: [parcel('5', 'Delivered', { 1: 2, 2: 1 })], state: 'PartiallyDelivered' },
      { fulfillment_status: 'delivered', status: 'completed' },
    ],
    [
      'of which a part has arrived is open',
      { fulfillments: [parcel('5', 'Delivered', { 1: 1 })], state: 'PartiallyDelivered' },
      { fulfillment_status: 'partial', status: 'open' },
    ],
    [
      'whose parcels wait is not fulfilled',
      { fulfillments: [parcel('6', 'Pending', { 1: 2 })] },
      { fulfillment_status: 'unfulfilled' },
    ],
    [
      'that is cancelled says when and why',
      { state: 'Cancelled' },
      { status: 'cancelled', cancelled_at: '2026-10-05T07:00:00.000000Z', cancel_reason: 'Changed my mind' },
    ],
    [
      'that is cancelled without an entry',
      { state: 'Cancelled', cancellation: { items: [] } },
      { cancelled_at: null, cancel_reason: null },
    ],
    [
      'of somebody without an account',
      { customer: { ...order.customer, user: null } },
      {
        customer: {
          remote_id: '4',
          email: 'ada@example.com',
          first_name: 'Ada',
          last_name: 'Lovelace',
          phone: '+49 30 1',
          is_guest: true,
        },
      },
    ],
    ['that is settled', paidBy({ state: 'Settled' }), { payment_status: 'paid' }],
    ['that is settled in part', paidBy({ state: 'Settled', amount: 3989 }), { payment_status: 'partially_paid' }],
    [
      'whose money went back',
      paidBy({ state: 'Settled', refunds: [{ state: 'Settled', total: 3990 }] }),
      { payment_status: 'refunded', refunded_total: is('39.90') },
    ],
    ['that is authorised', paidBy({ state: 'Error' }, { state: 'Authorized' }), { payment_status: 'authorized' }],
    ['whose payment has begun', paidBy({ state: 'Declined' }, { state: 'Created' }), { payment_status: 'pending' }],
    ['whose payment was declined', paidBy({ state: 'Declined' }, { state: 'Cancelled' }), { payment_status: 'failed' }],
    ['whose payment went wrong', paidBy({ state: 'Error' }), { payment_status: 'failed' }],
    ['whose payment was called off', paidBy({ state: 'Cancelled' }), { payment_status: 'voided' }],
    ['that costs nothing', { payments: [], state: 'PaymentSettled' }, { payment_status: 'paid' }],
    [
      'with a payment of a kind of its own',
      { ...paidBy({ state: 'Odd' }), state: 'PaymentSettled' },
      { payment_status: 'pending' },
    ],
    ['that nobody has paid', { payments: [], state: 'ArrangingPayment' }, { payment_status: 'pending' }],
  ]
  test.each(cases)('%s', (_, changes, expected) => {
    expect(toOrder({ ...order, ...changes }, facts)).toMatchObject(expected)
  })
})

test('what was taken off a line alone counts where the share of the order was not asked for', () => {
  const { proratedLinePriceWithTax, ...own } = line('1', 2, 2)
  const { lines } = toOrder({ ...order, lines: [own] }, facts)
  expect(lines).toMatchObject([{ quantity: 2, quantity_cancelled: 0, discount: is('0.40'), total: is('23.40') }])
})

test('a line that has grown since the order was placed has nothing cancelled', () => {
  expect(toOrder({ ...order, lines: [line('1', 3, 1)] }, facts).lines).toMatchObject([
    { quantity: 3, quantity_cancelled: 0 },
  ])
})

test('an article without a number has none', () => {
  const variant = { ...line('1', 1, 1).productVariant, sku: '' }
  expect(toOrder({ ...order, lines: [line('1', 1, 1, { productVariant: variant })] }, facts).lines[0]?.sku).toBeNull()
})

test('states and money of the server’s own', () => {
  const own = {
    shop: 'shop.example',
    settings: { custom_states: [{ state: 'Picking', means: 'on_hold' as const }], money_precision: 3 },
  }
  expect(toOrder({ ...order, state: 'Picking' }, own)).toMatchObject({ status: 'on_hold', total: is('3.990') })
  expect(toOrder({ ...order, state: 'Picking' }, facts)).toMatchObject({
    status: 'on_hold',
    hold_reason: 'unknown status: Picking (custom_states can say what it means)',
  })
})

test('the last of what has changed is when an order has', () => {
  expect(changedAt(order)).toBe('2026-10-04T07:00:00.000000Z')
  expect(changedAt({ ...order, updatedAt: '2026-10-06T00:00:00Z' })).toBe('2026-10-06T00:00:00.000000Z')
  expect(versionOf({ ...order, history: null })).toBe('2026-10-02T08:00:00.000000Z/000000')
})

test('how many of a line parcels hold', () => {
  expect(quantityIn([parcel('1', 'Shipped', { 1: 2, 2: 1 }), parcel('2', 'Pending', { 1: 1 })], '1')).toBe(3)
  expect(quantityIn([], '1')).toBe(0)
})

test.each([
  ['Created', 'pending', null, null],
  ['Shipped', 'shipped', '2026-10-03T08:00:00.000000Z', null],
  ['Delivered', 'delivered', null, '2026-10-03T08:00:00.000000Z'],
  ['Cancelled', 'cancelled', null, null],
])('a parcel that is %s', (state, status, shipped, delivered) => {
  expect(toShipment(parcel('1', state, {}))).toMatchObject({ status, shipped_at: shipped, delivered_at: delivered })
})

test('a parcel in a state that nobody knows is refused', () => {
  expect(() => toShipment(parcel('1', 'Lost', {}))).toThrow('Unknown value of "status": Lost.')
})

test.each(['https://shop.example/dashboard', 'https://shop.example/admin/'])(
  'the order’s page in the dashboard, or the admin UI before it, is known where the merchant says where that is: %s',
  (address) => {
    const settings = { admin_address: address }
    expect(toOrder(order, { ...facts, settings }).admin_url).toBe(`${address.replace(/\/$/, '')}/orders/${order.id}`)
  },
)
