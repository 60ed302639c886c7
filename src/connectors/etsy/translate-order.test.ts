import { describe, expect, test } from 'vitest'
import type { RemoteOrder } from '../../commerce/order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { changedAt, shipmentsOf, toOrder } from './translate-order.ts'

const is = (amount: string) => ({ amount, currency: 'EUR' })
const money = (amount: number) => ({ amount, divisor: 100, currency_code: 'EUR' })
const seconds = (time: string) => Date.parse(time) / 1000

const transaction = (id: number, fields: object = {}) => ({
  transaction_id: id,
  sku: `SKU-${id}`,
  listing_id: 500,
  product_id: 600,
  title: `Cup ${id}`,
  variations: [{ formatted_value: 'Blue' }, { formatted_value: 'Large' }],
  quantity: 3,
  price: money(1190),
  shop_coupon: 1.5,
  buyer_coupon: 0.25,
  is_digital: false,
  shipping_method: null,
  expected_ship_date: seconds('2026-10-06T08:00:00Z'),
  ...fields,
})

const parcel = {
  receipt_shipping_id: 77,
  carrier_name: 'dhl',
  tracking_code: 'TRACK-1',
  shipment_notification_timestamp: seconds('2026-10-03T08:00:00Z'),
}

const receipt = {
  receipt_id: 3001,
  status: 'Paid',
  is_paid: true,
  is_shipped: false,
  buyer_user_id: 9,
  buyer_email: 'ada@example.com',
  name: 'Ada Lovelace',
  first_line: 'Ring 1',
  second_line: 'Floor 2',
  city: 'Berlin',
  state: 'BE',
  zip: '10115',
  country_iso: 'DE',
  message_from_buyer: 'Ring twice',
  grandtotal: money(4100),
  total_price: money(3570),
  discount_amt: money(175),
  total_shipping_cost: money(500),
  total_tax_cost: money(100),
  total_vat_cost: money(105),
  refunds: [{ amount: money(200) }, { amount: money(50) }],
  transactions: [
    transaction(1),
    transaction(2, { shipping_method: 'Express', expected_ship_date: seconds('2026-10-05T08:00:00Z') }),
    transaction(3, { shipping_method: 'Slow', expected_ship_date: null }),
  ],
  shipments: [parcel],
  created_timestamp: seconds('2026-10-01T08:00:00Z'),
  create_timestamp: 1,
  updated_timestamp: seconds('2026-10-02T08:00:00Z'),
  update_timestamp: 2,
}

test('a receipt with everything', () => {
  expect(toOrder(receipt)).toEqual({
    remote_id: '3001',
    number: '3001',
    channel: 'etsy',
    marketplace: null,
    status: 'open',
    payment_status: 'paid',
    fulfillment_status: 'unfulfilled',
    remote_status: 'Paid',
    hold_reason: null,
    fee_total: is('0.00'),
    fees: [],
    refunds: [
      { remote_id: null, amount: is('2.00'), reason: null, refunded_at: null, lines: [] },
      { remote_id: null, amount: is('0.50'), reason: null, refunded_at: null, lines: [] },
    ],
    admin_url: 'https://www.etsy.com/your/orders/sold?order_id=3001',
    currency: 'EUR',
    subtotal: is('35.70'),
    discount_total: is('1.75'),
    shipping_total: is('5.00'),
    tax_total: is('2.05'),
    total: is('41.00'),
    refunded_total: is('2.50'),
    prices_include_tax: null,
    customer: {
      remote_id: '9',
      email: 'ada@example.com',
      first_name: null,
      last_name: null,
      phone: null,
      is_guest: false,
    },
    billing_address: null,
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: null,
      last_name: null,
      company: null,
      line1: 'Ring 1',
      line2: 'Floor 2',
      line3: null,
      city: 'Berlin',
      region: 'BE',
      region_code: null,
      postal_code: '10115',
      country_code: 'DE',
      phone: null,
      email: 'ada@example.com',
    },
    shipping_method: 'Express, Slow',
    lines: [
      {
        remote_id: '1',
        sku: 'SKU-1',
        product_remote_id: '500',
        variant_remote_id: '600',
        title: 'Cup 1',
        variant_title: 'Blue / Large',
        quantity: 3,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('11.90'),
        discount: is('1.75'),
        tax: is('0.00'),
        total: is('33.95'),
        ...lineDefaults,
        requires_shipping: true,
      },
      expect.objectContaining({ remote_id: '2' }),
      expect.objectContaining({ remote_id: '3' }),
    ],
    shipments: [
      {
        remote_id: '77',
        status: 'shipped',
        carrier_code: 'dhl',
        carrier_name: 'dhl',
        service: null,
        tracking_number: 'TRACK-1',
        tracking_url: null,
        shipped_at: '2026-10-03T08:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [
          { order_line_remote_id: '1', quantity: 3 },
          { order_line_remote_id: '2', quantity: 3 },
          { order_line_remote_id: '3', quantity: 3 },
        ],
      },
    ],
    note: 'Ring twice',
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T08:00:00.000000Z',
    ...orderDefaults,
    fulfilled_by: 'merchant',
    ship_by: '2026-10-05T08:00:00.000000Z',
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-02T08:00:00.000000Z',
    remote_version: '2026-10-02T08:00:00.000000Z',
    raw: receipt,
  })
})

describe('a receipt', () => {
  const digital = transaction(1, { is_digital: true })
  const cases: [string, object, Partial<RemoteOrder>][] = [
    ['of downloads', { transactions: [digital] }, { fulfillment_status: 'not_required' }],
    ['of downloads and goods', { transactions: [digital, transaction(2)] }, { fulfillment_status: 'unfulfilled' }],
    ['of nothing', { transactions: [] }, { fulfillment_status: 'unfulfilled', shipping_method: null, ship_by: null }],
    ['without an address', { first_line: null, country_iso: null }, { shipping_address: null }],
    [
      'of a buyer that is gone',
      { buyer_user_id: null },
      {
        customer: {
          remote_id: null,
          email: 'ada@example.com',
          first_name: null,
          last_name: null,
          phone: null,
          is_guest: false,
        },
      },
    ],
    [
      'of which nothing went back',
      { refunds: null, total_vat_cost: null },
      { refunded_total: is('0.00'), tax_total: is('1.00') },
    ],
    [
      'that is called off after money went back',
      { status: 'Canceled' },
      { status: 'cancelled', payment_status: 'refunded' },
    ],
    [
      'that was paid back after it had left',
      { status: 'Fully Refunded', is_shipped: true },
      { status: 'completed', payment_status: 'refunded', fulfillment_status: 'fulfilled' },
    ],
    [
      'that was paid back before it left',
      { status: 'Fully Refunded', is_shipped: false },
      { status: 'open', payment_status: 'refunded', fulfillment_status: 'unfulfilled' },
    ],
    ['that is called off', { status: 'Canceled', refunds: [] }, { status: 'cancelled', payment_status: 'paid' }],
    [
      'with the older names of times',
      { created_timestamp: null, updated_timestamp: null },
      { placed_at: '1970-01-01T00:00:01.000000Z', remote_updated_at: '1970-01-01T00:00:02.000000Z' },
    ],
  ]
  test.each(cases)('%s', (_, changes, expected) => {
    expect(toOrder({ ...receipt, ...changes })).toMatchObject(expected)
  })

  test('with an address of which a part is known', () => {
    expect(toOrder({ ...receipt, first_line: null }).shipping_address).toMatchObject({
      line1: null,
      country_code: 'DE',
    })
    expect(toOrder({ ...receipt, country_iso: null }).shipping_address).toMatchObject({ line1: 'Ring 1' })
  })
})

test('lines of what is sent, and of what is called off', () => {
  expect(toOrder({ ...receipt, is_shipped: true }).lines[0]).toMatchObject({
    quantity_fulfilled: 3,
    quantity_cancelled: 0,
  })
  expect(toOrder({ ...receipt, status: 'Canceled' }).lines[0]).toMatchObject({
    quantity_fulfilled: 0,
    quantity_cancelled: 3,
  })
})

test('a line of which little is known', () => {
  const { variations, shop_coupon, buyer_coupon, is_digital, ...bare } = transaction(1, {
    sku: '',
    listing_id: null,
    product_id: null,
  })
  expect(toOrder({ ...receipt, transactions: [bare] }).lines).toMatchObject([
    {
      sku: null,
      product_remote_id: null,
      variant_remote_id: null,
      variant_title: null,
      discount: is('0.00'),
      total: is('35.70'),
      requires_shipping: null,
    },
  ])
})

test('in yen there are no parts', () => {
  const yen = (amount: number) => ({ amount, divisor: 1, currency_code: 'JPY' })
  const { discount_amt, total_shipping_cost, total_tax_cost, total_vat_cost, refunds, ...rest } = receipt
  const order = toOrder({
    ...rest,
    grandtotal: yen(100),
    total_price: yen(100),
    transactions: [transaction(1, { price: yen(50), shop_coupon: 4.6 })],
  })
  expect(order).toMatchObject({
    discount_total: { amount: '0', currency: 'JPY' },
    tax_total: { amount: '0', currency: 'JPY' },
    refunded_total: { amount: '0', currency: 'JPY' },
    lines: [
      { unit_price: { amount: '50' }, discount: { amount: '5' }, tax: { amount: '0' }, total: { amount: '145' } },
    ],
  })
})

test('what is in which of several parcels nobody knows', () => {
  const little = { carrier_name: null, tracking_code: null }
  expect(shipmentsOf({ ...receipt, shipments: [parcel, little] })).toMatchObject([
    { remote_id: '77', lines: [] },
    { remote_id: null, carrier_code: null, carrier_name: null, tracking_number: null, shipped_at: null, lines: [] },
  ])
  expect(shipmentsOf({ ...receipt, shipments: null })).toEqual([])
})

test('when a receipt last changed', () => {
  expect(changedAt(receipt)).toBe('2026-10-02T08:00:00.000000Z')
})

test('what a buyer has written is told by itself, and not as a kind that the listing is sold in', () => {
  const [line] = receipt.transactions
  const variations = [
    { property_id: 200, value_id: 5, formatted_name: 'Colour', formatted_value: 'Red', question_id: null },
    { property_id: 54, value_id: null, formatted_name: 'Personalization', formatted_value: 'Happy birthday Ada' },
    { property_id: 0, value_id: null, formatted_name: 'Initials', formatted_value: 'AL', question_id: 7 },
  ]
  const order = toOrder({
    ...receipt,
    ...{ is_gift: true, gift_message: 'With love', gift_sender: 'Byron', transactions: [{ ...line, variations }] },
  })
  expect(order.attributes).toEqual([
    { name: 'gift_message', value: 'With love' },
    { name: 'gift_sender', value: 'Byron' },
  ])
  expect(order.lines).toMatchObject([
    {
      variant_title: 'Red',
      attributes: [
        { name: 'Personalization', value: 'Happy birthday Ada' },
        { name: 'Initials', value: 'AL' },
      ],
    },
  ])
  expect(toOrder({ ...receipt, gift_message: '' }).attributes).toEqual([])
})
