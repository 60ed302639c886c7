import { describe, expect, test } from 'vitest'
import type { RemoteOrder } from '../../commerce/order.ts'
import { orderDefaults } from '../../commerce/order.ts'
import { linesIn, toOrder, toShipment } from './translate-order.ts'

const is = (amount: string) => ({ amount, currency: 'EUR' })

const place = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Analytical Ltd',
  street_1: 'Ring 1',
  street_2: 'Floor 2',
  city: 'Berlin',
  state: 'Brandenburg',
  zip: '10115',
  country_iso2: 'DE',
  phone: '+49 30 1',
  email: 'ada@example.com',
}

const line = (id: number, fields: object = {}) => ({
  id,
  sku: `SKU-${id}`,
  product_id: 70,
  variant_id: 80,
  name: `Cup ${id}`,
  type: 'physical',
  product_options: [
    { display_name: 'Colour', display_value: 'Blue' },
    { display_name: 'Notes', display_value: '' },
    { display_name: 'Size', display_value: 'Large' },
  ],
  wrapping_name: 'Silk paper',
  wrapping_message: 'For Mary',
  quantity: 3,
  quantity_shipped: 2,
  quantity_refunded: 1,
  price_ex_tax: '10.0000',
  price_inc_tax: '11.9000',
  total_ex_tax: '30.0000',
  total_inc_tax: '35.7000',
  total_tax: '5.7000',
  applied_discounts: [{ amount: '1.5' }, { amount: '0.5' }],
  ...fields,
})

const parcel = {
  id: 31,
  shipping_provider: 'dhl',
  shipping_provider_display_name: 'DHL Paket',
  tracking_carrier: 'dhl-de',
  shipping_method: 'Express',
  tracking_number: 'TRACK-1',
  tracking_link: 'https://dhl.example/1',
  generated_tracking_link: 'https://track.example/1',
  date_created: 'Fri, 02 Oct 2026 09:00:00 +0000',
  items: [{ order_product_id: 1, quantity: 2 }],
}

const order = {
  id: 118,
  status_id: 3,
  status: 'Partially Shipped',
  payment_status: 'captured',
  currency_code: 'USD',
  default_currency_code: 'EUR',
  is_tax_inclusive_pricing: true,
  items_total: 5,
  items_shipped: 2,
  customer_id: 12,
  subtotal_ex_tax: '34.00',
  subtotal_inc_tax: '40.46',
  discount_amount: '2.00',
  coupon_discount: '0.46',
  shipping_cost_inc_tax: '5.0000',
  total_tax: '6.86',
  total_inc_tax: '43.00',
  refunded_amount: '3.5',
  billing_address: { ...place, city: 'Hamburg' },
  consignments: {
    shipping: [{ ...place, shipping_method: 'Standard', line_items: [line(1)] }],
    pickups: [{ line_items: [line(2)] }],
    downloads: [{ line_items: [line(3, { type: 'digital' })] }],
    email: { gift_certificates: [{ line_items: [line(4, { type: 'gift' })] }] },
  },
  shipments: [parcel],
  customer_message: 'Ring twice',
  staff_notes: 'Be kind',
  external_order_id: 'EXT-1',
  date_created: 'Thu, 01 Oct 2026 08:00:00 +0000',
  date_modified: 'Sat, 03 Oct 2026 10:00:00 +0200',
}

/** As a store reckons that enters its prices without tax. */
const withoutTax = { is_tax_inclusive_pricing: false, shipping_cost_ex_tax: '4.20', total_tax: '7.26' }

const sentTo = (fields: object) => ({ consignments: { shipping: [{ ...place, line_items: [], ...fields }] } })

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    remote_id: '118',
    number: '118',
    channel: 'bigcommerce',
    marketplace: null,
    status: 'open',
    payment_status: 'paid',
    fulfillment_status: 'partial',
    remote_status: 'Partially Shipped',
    hold_reason: null,
    fee_total: is('0.00'),
    fees: [],
    refunds: [],
    admin_url: null,
    currency: 'EUR',
    subtotal: is('40.46'),
    discount_total: is('2.46'),
    shipping_total: is('5.00'),
    tax_total: is('6.86'),
    total: is('43.00'),
    refunded_total: is('3.50'),
    prices_include_tax: true,
    customer: {
      remote_id: '12',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+49 30 1',
      is_guest: false,
    },
    billing_address: expect.objectContaining({ city: 'Hamburg' }),
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      company: 'Analytical Ltd',
      line1: 'Ring 1',
      line2: 'Floor 2',
      line3: null,
      city: 'Berlin',
      region: 'Brandenburg',
      region_code: null,
      postal_code: '10115',
      country_code: 'DE',
      phone: '+49 30 1',
      email: 'ada@example.com',
    },
    shipping_method: 'Standard',
    lines: [
      {
        remote_id: '1',
        sku: 'SKU-1',
        product_remote_id: '70',
        variant_remote_id: '80',
        title: 'Cup 1',
        variant_title: 'Blue, Large',
        quantity: 3,
        quantity_fulfilled: 2,
        quantity_cancelled: 0,
        quantity_refunded: 1,
        unit_price: is('11.90'),
        discount: is('2.00'),
        tax: is('5.70'),
        total: is('33.70'),
        requires_shipping: true,
        attributes: [
          { name: 'Colour', value: 'Blue' },
          { name: 'Size', value: 'Large' },
          { name: 'Gift wrapping', value: 'Silk paper' },
          { name: 'Gift message', value: 'For Mary' },
        ],
      },
      expect.objectContaining({ remote_id: '2', requires_shipping: true }),
      expect.objectContaining({ remote_id: '3', requires_shipping: false }),
      expect.objectContaining({ remote_id: '4', requires_shipping: false }),
    ],
    shipments: [
      {
        remote_id: '31',
        status: 'shipped',
        carrier_code: 'dhl',
        carrier_name: 'DHL Paket',
        service: 'Express',
        tracking_number: 'TRACK-1',
        tracking_url: 'https://dhl.example/1',
        shipped_at: '2026-10-02T09:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [{ order_line_remote_id: '1', quantity: 2 }],
      },
    ],
    note: 'Ring twice',
    tags: [],
    external_reference: 'EXT-1',
    acknowledged: null,
    test: false,
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

describe('an order', () => {
  const { refunded_amount, customer_message, staff_notes, ...quiet } = order
  const cases: [string, object, object, Partial<RemoteOrder>][] = [
    ['in the shop’s one currency', order, { default_currency_code: '' }, { currency: 'USD' }],
    [
      'whose prices are without tax',
      order,
      { ...withoutTax },
      { prices_include_tax: false, subtotal: is('34.00'), shipping_total: is('4.20'), total: is('43.00') },
    ],
    ['of a storefront', order, { order_source: 'www', channel_id: 3 }, { sales_channel: 'www:3' }],
    ['of a storefront with a name', order, { channel_id: 3, channel_name: 'Outlet' }, { sales_channel: 'Outlet' }],
    ['of a till with a name', order, { external_source: 'POS', channel_name: 'Quay' }, { sales_channel: 'POS:Quay' }],
    ['of a till', order, { order_source: 'external', external_source: 'POS' }, { sales_channel: 'POS' }],
    ['of which nothing went back, and nobody said anything', quiet, {}, { refunded_total: is('0.00'), note: null }],
    ['that the staff has written about', quiet, { staff_notes: 'Be kind' }, { note: 'Be kind' }],
    [
      'that is cancelled',
      order,
      { status_id: 5 },
      { status: 'cancelled', cancelled_at: '2026-10-03T08:00:00.000000Z' },
    ],
    ['that is declined', order, { status_id: 6 }, { status: 'cancelled', cancelled_at: '2026-10-03T08:00:00.000000Z' }],
    [
      'that is fetched',
      order,
      { consignments: { shipping: [], pickups: null } },
      { shipping_address: null, shipping_method: null, lines: [] },
    ],
    [
      'without a bill',
      order,
      { billing_address: null },
      {
        billing_address: null,
        customer: { remote_id: '12', email: null, first_name: null, last_name: null, phone: null, is_guest: false },
      },
    ],
    [
      'of a guest',
      order,
      { customer_id: 0 },
      {
        customer: {
          remote_id: null,
          email: 'ada@example.com',
          first_name: 'Ada',
          last_name: 'Lovelace',
          phone: '+49 30 1',
          is_guest: true,
        },
      },
    ],
  ]
  test.each(cases)('%s', (_, base, changes, expected) => {
    expect(toOrder({ ...base, ...changes })).toMatchObject(expected)
  })
})

test('somebody with one name, and nobody', () => {
  const named = (fields: object) => toOrder({ ...order, ...sentTo(fields) }).shipping_address?.name
  expect(named({ first_name: '' })).toBe('Lovelace')
  expect(named({ first_name: '', last_name: null })).toBeNull()
})

test('lines are without tax where prices are, and may have little else', () => {
  const { applied_discounts, product_options, ...bare } = line(1, { product_id: 0, variant_id: null, sku: '' })
  const { lines } = toOrder({ ...order, ...withoutTax, ...sentTo({ line_items: [line(1), bare] }) })
  expect(lines).toMatchObject([
    { unit_price: is('10.00'), total: is('28.00'), discount: is('2.00') },
    {
      unit_price: is('10.00'),
      total: is('30.00'),
      discount: is('0.00'),
      sku: null,
      product_remote_id: null,
      variant_remote_id: null,
      variant_title: null,
    },
  ])
})

test('each way that goods take has lines', () => {
  expect(linesIn(order).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect(linesIn({ consignments: { shipping: [{ line_items: [line(9)] }] } }).map(({ id }) => id)).toEqual([9])
})

describe('a parcel', () => {
  test.each([
    [
      'of a carrier with a code alone',
      { shipping_provider_display_name: '' },
      { carrier_code: 'dhl', carrier_name: 'dhl' },
    ],
    [
      'of a carrier that is known by its tracking',
      { shipping_provider: '', shipping_provider_display_name: '' },
      { carrier_code: 'dhl-de', carrier_name: 'dhl-de' },
    ],
    [
      'of a way alone',
      { shipping_provider: '', tracking_carrier: '', shipping_provider_display_name: '' },
      { carrier_code: null, carrier_name: 'Express' },
    ],
    ['whose link was made for it', { tracking_link: '' }, { tracking_url: 'https://track.example/1' }],
  ])('%s', (_, changes, expected) => {
    expect(toShipment({ ...parcel, ...changes })).toMatchObject(expected)
  })
})
