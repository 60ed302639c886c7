import { describe, expect, test } from 'vitest'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { toOrder } from './translate-order.ts'

const is = (amount: string) => ({ amount, currency: 'USD' })

const item = {
  item_id: 1,
  parent_item_id: null,
  product_type: 'configurable',
  product_id: 50,
  sku: 'TEE-S',
  name: 'Tee',
  is_virtual: 0,
  qty_ordered: 3,
  qty_shipped: 1,
  qty_canceled: 1,
  price: 10,
  discount_amount: 3,
  tax_amount: 2.2275,
  row_total: 30,
}
const child = {
  ...item,
  item_id: 2,
  parent_item_id: 1,
  product_type: 'simple',
  product_id: 51,
  sku: 'TEE-S-RED',
  name: 'Tee, red',
  qty_shipped: 2,
  price: 0,
}
const download = {
  item_id: 3,
  product_type: 'virtual',
  product_id: null,
  sku: 'BOOK',
  name: null,
  is_virtual: 1,
  qty_ordered: 1,
  price: 5,
  row_total: 5,
}
const bundle = {
  item_id: 4,
  product_type: 'bundle',
  product_id: 60,
  sku: 'SET',
  name: 'Set',
  qty_ordered: 1,
  price: 7,
  row_total: 7,
}

const place = {
  firstname: 'Ada',
  middlename: 'King',
  lastname: 'Lovelace',
  company: 'Engines',
  street: ['1 Test Street', 'Unit 2', 'Door 3', 'Bell 4'],
  city: 'Austin',
  region: 'Texas',
  region_code: 'TX',
  postcode: '73301',
  country_id: 'US',
  telephone: '512-555-0100',
  email: 'ada@example.com',
}

const order = {
  entity_id: 9,
  increment_id: '000000009',
  state: 'processing',
  status: 'packing',
  order_currency_code: 'USD',
  is_virtual: 0,
  subtotal: 42,
  discount_amount: -3,
  shipping_amount: 5.5,
  tax_amount: 2.2275,
  grand_total: 46.7275,
  total_paid: 46.7275,
  total_refunded: 10,
  customer_id: 7,
  customer_is_guest: 0,
  customer_email: 'ada@example.com',
  customer_firstname: 'Ada',
  customer_lastname: 'Lovelace',
  customer_note: 'Ring twice',
  billing_address: place,
  extension_attributes: {
    shipping_assignments: [{ shipping: { address: { ...place, street: ['2 Other Street'], middlename: null } } }],
  },
  shipping_description: 'Flat Rate',
  ext_order_id: 'ERP-1',
  items: [item, child, download, bundle],
  shipments: [
    {
      entity_id: 71,
      created_at: '2026-10-02 09:00:00',
      extension_attributes: { source_code: 'east' },
      items: [{ order_item_id: 1, qty: 2 }],
      tracks: [
        { entity_id: 81, carrier_code: 'ups', title: 'UPS', track_number: '1Z1' },
        { entity_id: 82, carrier_code: 'ups', title: 'UPS', track_number: '1Z2' },
      ],
    },
    { entity_id: 72, created_at: '2026-10-03 09:00:00', items: [{ order_item_id: 4, qty: 1 }], tracks: [] },
  ],
  created_at: '2026-10-01 10:00:00',
  updated_at: '2026-10-05 11:30:00',
}

const address = {
  name: 'Ada King Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  line1: '1 Test Street',
  line2: 'Unit 2',
  line3: 'Door 3, Bell 4',
  city: 'Austin',
  region: 'Texas',
  region_code: 'TX',
  postal_code: '73301',
  country_code: 'US',
  phone: '512-555-0100',
  email: 'ada@example.com',
}

const shipment = {
  status: 'shipped',
  service: null,
  tracking_url: null,
  delivered_at: null,
  shipped_at: '2026-10-02T09:00:00.000000Z',
  location_remote_id: 'east',
}

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    remote_id: '9',
    number: '000000009',
    channel: 'magento',
    marketplace: null,
    status: 'open',
    payment_status: 'partially_refunded',
    fulfillment_status: 'partial',
    remote_status: 'packing',
    hold_reason: null,
    currency: 'USD',
    subtotal: is('42.00'),
    discount_total: is('3.00'),
    shipping_total: is('5.50'),
    tax_total: is('2.2275'),
    total: is('46.7275'),
    fee_total: is('0.00'),
    refunded_total: is('10.00'),
    prices_include_tax: false,
    customer: {
      remote_id: '7',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '512-555-0100',
      is_guest: false,
    },
    billing_address: address,
    shipping_address: { ...address, name: 'Ada Lovelace', line1: '2 Other Street', line2: null, line3: null },
    shipping_method: 'Flat Rate',
    lines: [
      {
        remote_id: '1',
        sku: 'TEE-S-RED',
        product_remote_id: '50',
        variant_remote_id: '51',
        title: 'Tee',
        variant_title: 'Tee, red',
        quantity: 3,
        // Two are counted on the child.
        quantity_fulfilled: 2,
        quantity_cancelled: 1,
        quantity_refunded: 0,
        unit_price: is('10.00'),
        discount: is('3.00'),
        tax: is('2.2275'),
        total: is('27.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
      {
        remote_id: '3',
        sku: 'BOOK',
        product_remote_id: null,
        variant_remote_id: null,
        title: 'BOOK',
        variant_title: null,
        quantity: 1,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('5.00'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('5.00'),
        ...lineDefaults,
        requires_shipping: false,
      },
      {
        remote_id: '4',
        sku: 'SET',
        product_remote_id: '60',
        variant_remote_id: '60',
        title: 'Set',
        variant_title: null,
        quantity: 1,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('7.00'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('7.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
    ],
    fees: [],
    refunds: [],
    admin_url: null,
    shipments: [
      {
        ...shipment,
        remote_id: '71',
        carrier_code: 'ups',
        carrier_name: 'UPS',
        tracking_number: '1Z1',
        lines: [{ order_line_remote_id: '1', quantity: 2 }],
      },
      // What is in them is reported once.
      { ...shipment, remote_id: '71-82', carrier_code: 'ups', carrier_name: 'UPS', tracking_number: '1Z2', lines: [] },
      {
        ...shipment,
        remote_id: '72',
        carrier_code: null,
        carrier_name: null,
        tracking_number: null,
        shipped_at: '2026-10-03T09:00:00.000000Z',
        location_remote_id: null,
        lines: [{ order_line_remote_id: '4', quantity: 1 }],
      },
    ],
    note: 'Ring twice',
    tags: [],
    external_reference: 'ERP-1',
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T10:00:00.000000Z',
    ...orderDefaults,
    ship_by: null,
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T10:00:00.000000Z',
    remote_updated_at: '2026-10-05T11:30:00.000000Z',
    remote_version: '2026-10-05T11:30:00.000000Z',
    raw: order,
  })
})

test('a guest’s order with as little as there can be', () => {
  const bare = {
    ...order,
    status: null,
    discount_amount: null,
    customer_id: null,
    customer_is_guest: 1,
    billing_address: null,
    extension_attributes: undefined,
    shipments: [],
    items: [{ ...item, discount_amount: undefined, row_total: undefined }],
  }
  expect(toOrder(bare)).toMatchObject({
    remote_status: 'processing',
    discount_total: is('0.00'),
    customer: { remote_id: null, phone: null, is_guest: true },
    billing_address: null,
    shipping_address: null,
    shipments: [],
    // The child is not there, so that the parent is the article.
    lines: [{ sku: 'TEE-S', variant_remote_id: '50', variant_title: null, quantity_fulfilled: 1, total: is('0.00') }],
  })
  const odd = { ...place, street: 'One line', firstname: null, middlename: null, lastname: null }
  expect(
    toOrder({ ...order, billing_address: odd, extension_attributes: { shipping_assignments: [{}] } }),
  ).toMatchObject({
    billing_address: { name: null, line1: null, line2: null, line3: null },
    shipping_address: null,
  })
})

test('what older versions of PHP write is exact again', () => {
  expect(toOrder({ ...order, grand_total: 165.19999999999999, tax_amount: 0.1 + 0.2 })).toMatchObject({
    total: is('165.20'),
    tax_total: is('0.30'),
  })
})

test('goods by weight have parts of a kilogram', () => {
  const cheese = { ...download, is_virtual: 0, is_qty_decimal: 1, qty_ordered: 0.7499999999999999, qty_shipped: 0.25 }
  expect(toOrder({ ...order, items: [cheese], shipments: [] }).lines[0]).toMatchObject({
    quantity: 0.75,
    quantity_fulfilled: 0.25,
  })
})

test.each([{ items: [{ ...item, qty_ordered: '3' }] }, { grand_total: null }, { grand_total: Number.NaN }])(
  '%o is refused rather than rounded',
  (fields) => {
    expect(() => toOrder({ ...order, ...fields })).toThrow(TypeError)
  },
)

describe('words', () => {
  const changed = '2026-10-05T11:30:00.000000Z'

  test.each([
    ['new', 'pending', null],
    ['pending_payment', 'pending', null],
    ['processing', 'open', null],
    ['holded', 'on_hold', null],
    ['payment_review', 'on_hold', null],
    ['complete', 'completed', null],
    ['closed', 'completed', null],
    ['canceled', 'cancelled', changed],
  ])('%s is %s', (state, status, at) => {
    expect(toOrder({ ...order, state })).toMatchObject({ status, cancelled_at: at })
  })

  test('closed before anything has left is paid back, and not cancelled', () => {
    expect(toOrder({ ...order, state: 'closed', items: [download, bundle] }).status).toBe('open')
  })

  test('a state that nobody knows is reported', () => {
    expect(toOrder({ ...order, state: 'asleep' })).toMatchObject({
      status: 'on_hold',
      hold_reason: 'unknown status: asleep',
    })
  })

  const paid = (fields: object) => toOrder({ ...order, total_refunded: 0, total_paid: 0, ...fields }).payment_status

  test('of money', () => {
    expect(paid({ total_refunded: 46.7275 })).toBe('refunded')
    expect(paid({ total_refunded: 46.7274 })).toBe('partially_refunded')
    expect(paid({ total_paid: 46.7275 })).toBe('paid')
    expect(paid({ total_paid: 46.7274 })).toBe('partially_paid')
    expect(paid({ state: 'canceled' })).toBe('voided')
    expect(paid({ payment: { amount_authorized: 46.7275 } })).toBe('authorized')
    expect(paid({ payment: { amount_authorized: 0 } })).toBe('pending')
    expect(paid({ payment: null, total_paid: null })).toBe('pending')
  })

  const sent = (fields: object) => toOrder({ ...order, ...fields }).fulfillment_status
  const simple = (fields: object) => ({ ...item, product_type: 'simple', qty_canceled: 0, qty_shipped: 0, ...fields })

  test('of goods', () => {
    expect(sent({ is_virtual: 1 })).toBe('not_required')
    expect(sent({ state: 'complete' })).toBe('fulfilled')
    expect(sent({ items: [simple({})] })).toBe('unfulfilled')
    expect(sent({ items: [simple({ qty_shipped: 2 })] })).toBe('partial')
    expect(sent({ items: [simple({ qty_shipped: 3 })] })).toBe('fulfilled')
    expect(sent({ items: [simple({ qty_shipped: 2, qty_canceled: 1 })] })).toBe('fulfilled')
    expect(sent({ items: [simple({ qty_shipped: 3 }), download] })).toBe('fulfilled')
    expect(sent({ items: [simple({ qty_shipped: 3 }), simple({ item_id: 8 })] })).toBe('partial')
  })
})

test('The order’s page in the administration is known where the merchant says where that is', () => {
  const settings = { admin_address: 'https://shop.example/back-office/' }
  expect(toOrder(order, { shop: 'shop.example', settings }).admin_url).toBe(
    `https://shop.example/back-office/sales/order/view/order_id/${order.entity_id}/`,
  )
})
