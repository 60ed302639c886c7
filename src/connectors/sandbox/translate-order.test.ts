import { expect, test } from 'vitest'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { toOrder } from './translate-order.ts'

const is = (amount: string) => ({ amount, currency: 'EUR' })
const place = { name: 'Ada Lovelace', street: 'Ring 1', city: 'Berlin', zip: '10115', country: 'DE' }

const line = {
  id: 'L1',
  sku: 'CUP',
  title: 'Cup',
  quantity: 3,
  shipped: 1,
  cancelled: 2,
  unit_price: 1190,
  discount: 70,
  tax: 570,
  total: 3500,
}

const parcel = {
  id: 'S1',
  carrier: 'DHL',
  tracking_number: 'TRACK-1',
  tracking_url: 'https://dhl.example/1',
  shipped_at: '2026-10-02T08:00:00.000000Z',
  delivered: false,
  lines: [{ line: 'L1', quantity: 1 }],
}

const order = {
  id: '17',
  number: 'SB-17',
  status: 'partly_shipped',
  currency: 'EUR',
  goods_total: 3570,
  discount: 70,
  shipping: 500,
  tax: 639,
  total: 4000,
  refunded: 0,
  tax_included: true,
  buyer: { id: 'B1', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', phone: '+49 30 1' },
  bill_to: { ...place, city: 'Hamburg' },
  ship_to: place,
  shipping_method: 'Standard',
  lines: [line],
  shipments: [parcel],
  note: 'Ring twice',
  reference: 'EXT-1',
  acknowledged: true,
  placed_at: '2026-10-01T08:00:00.000000Z',
  updated_at: '2026-10-03T08:00:00.000000Z',
  cancelled_at: null,
  cancel_reason: null,
}

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    remote_id: '17',
    number: 'SB-17',
    channel: 'sandbox',
    marketplace: null,
    status: 'open',
    payment_status: 'paid',
    fulfillment_status: 'partial',
    remote_status: 'partly_shipped',
    hold_reason: null,
    fee_total: is('0.00'),
    fees: [],
    refunds: [],
    admin_url: null,
    currency: 'EUR',
    subtotal: is('35.70'),
    discount_total: is('0.70'),
    shipping_total: is('5.00'),
    tax_total: is('6.39'),
    total: is('40.00'),
    refunded_total: null,
    prices_include_tax: true,
    customer: {
      remote_id: 'B1',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+49 30 1',
      is_guest: false,
    },
    billing_address: expect.objectContaining({ city: 'Hamburg' }),
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: null,
      last_name: null,
      company: null,
      line1: 'Ring 1',
      line2: null,
      line3: null,
      city: 'Berlin',
      region: null,
      region_code: null,
      postal_code: '10115',
      country_code: 'DE',
      phone: null,
      email: null,
    },
    shipping_method: 'Standard',
    lines: [
      {
        remote_id: 'L1',
        sku: 'CUP',
        product_remote_id: null,
        variant_remote_id: null,
        title: 'Cup',
        variant_title: null,
        quantity: 3,
        quantity_fulfilled: 1,
        quantity_cancelled: 2,
        quantity_refunded: 0,
        unit_price: is('11.90'),
        discount: is('0.70'),
        tax: is('5.70'),
        total: is('35.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
    ],
    shipments: [
      {
        remote_id: 'S1',
        status: 'shipped',
        carrier_code: null,
        carrier_name: 'DHL',
        service: null,
        tracking_number: 'TRACK-1',
        tracking_url: 'https://dhl.example/1',
        shipped_at: '2026-10-02T08:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [{ order_line_remote_id: 'L1', quantity: 1 }],
      },
    ],
    note: 'Ring twice',
    tags: [],
    external_reference: 'EXT-1',
    acknowledged: true,
    test: true,
    placed_at: '2026-10-01T08:00:00.000000Z',
    ...orderDefaults,
    ship_by: null,
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-03T08:00:00.000000Z',
    remote_version: '2026-10-03T08:00:00.000000Z',
    raw: order,
  })
})

test.each([
  ['awaiting_payment', 'pending', 'pending', 'unfulfilled'],
  ['on_hold', 'on_hold', 'authorized', 'unfulfilled'],
  ['awaiting_shipment', 'open', 'paid', 'unfulfilled'],
  ['partly_shipped', 'open', 'paid', 'partial'],
  ['shipped', 'completed', 'paid', 'fulfilled'],
  ['delivered', 'completed', 'paid', 'delivered'],
  ['cancelled', 'cancelled', 'voided', 'unfulfilled'],
])('one that is %s is %s, %s and %s', (status, ours, payment, fulfillment) => {
  expect(toOrder({ ...order, status })).toMatchObject({
    status: ours,
    payment_status: payment,
    fulfillment_status: fulfillment,
  })
})

test.each([
  [1, 'partially_refunded', '0.01'],
  [3999, 'partially_refunded', '39.99'],
  [4000, 'refunded', '40.00'],
])('%d cents that went back make it %s', (refunded, payment, amount) => {
  expect(toOrder({ ...order, refunded })).toMatchObject({ payment_status: payment, refunded_total: is(amount) })
})

test('an order of which little is known', () => {
  const little = { buyer: { id: '' }, bill_to: null, ship_to: 'home', tax_included: false, acknowledged: false }
  const { customer, ...rest } = toOrder({ ...order, ...little, note: '', reference: null })
  expect(customer).toEqual({
    remote_id: null,
    email: null,
    first_name: null,
    last_name: null,
    phone: null,
    is_guest: true,
  })
  expect(rest).toMatchObject({
    billing_address: null,
    shipping_address: null,
    prices_include_tax: false,
    acknowledged: false,
    note: null,
    external_reference: null,
  })
})

test('one that was cancelled says when and why', () => {
  const gone = { cancelled_at: '2026-10-04T08:00:00.000000Z', cancel_reason: 'Out of stock' }
  expect(toOrder({ ...order, ...gone })).toMatchObject(gone)
})

test('a parcel that has arrived', () => {
  const { shipments } = toOrder({ ...order, shipments: [{ ...parcel, delivered: true, tracking_url: null }] })
  expect(shipments).toMatchObject([{ status: 'delivered', tracking_url: null }])
})

test('a status that nobody knows holds the order', () => {
  const held = { status: 'on_hold', hold_reason: 'unknown status: odd', payment_status: 'unknown' }
  expect(toOrder({ ...order, status: 'odd' })).toMatchObject(held)
})
