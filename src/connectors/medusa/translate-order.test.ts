import { describe, expect, test } from 'vitest'
import { is, item, order, paid, sent } from '../../../test/support/samples/medusa-order.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { changedAt, markOf, piecesIn, toOrder, toShipment, versionOf } from './translate-order.ts'

test('is the same in whatever order the server tells what belongs to it', () => {
  const items = [item('item_1', 1, null), item('item_2', 2, null), item('item_3', 3, null)]
  const metadata = { wishes: [{ id: 'b' }, { id: 'a' }] }
  const read = (rows: readonly unknown[]) => toOrder({ ...order, items: rows, metadata })
  expect(read(items.toReversed())).toEqual(read(items))
  expect(read(items).raw).toMatchObject({ metadata })
})

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    returns: [],
    remote_id: 'order_1',
    number: '42',
    channel: 'medusa',
    marketplace: null,
    status: 'open',
    fulfillment_status: 'partial',
    remote_status: 'pending',
    hold_reason: null,
    fee_total: is('0.00'),
    fees: [],
    refunds: [],
    admin_url: null,
    payment_status: 'paid',
    currency: 'EUR',
    subtotal: is('23.80'),
    discount_total: is('1.00'),
    shipping_total: is('5.00'),
    tax_total: is('3.99'),
    total: is('31.79'),
    refunded_total: is('2.50'),
    prices_include_tax: true,
    customer: {
      remote_id: 'cus_1',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+49 30 1',
      is_guest: false,
    },
    billing_address: null,
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
      phone: '+49 30 2',
      email: null,
    },
    shipping_method: 'Standard, Express',
    lines: [
      {
        remote_id: 'item_1',
        sku: 'SKU-item_1',
        product_remote_id: 'prod_item_1',
        variant_remote_id: 'variant_item_1',
        title: 'Cup item_1',
        variant_title: 'Blue',
        quantity: 2,
        quantity_fulfilled: 1,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('11.904762'),
        discount: is('0.50'),
        tax: is('2.00'),
        total: is('11.40'),
        ...lineDefaults,
        requires_shipping: true,
      },
      expect.objectContaining({ remote_id: 'item_2', quantity_fulfilled: 0 }),
    ],
    shipments: [
      {
        remote_id: 'ful_1',
        status: 'shipped',
        carrier_code: null,
        carrier_name: 'DHL',
        service: null,
        tracking_number: 'TRACK-1',
        tracking_url: 'https://dhl.example/1',
        shipped_at: '2026-10-03T08:00:00.000000Z',
        delivered_at: null,
        location_remote_id: 'sloc_1',
        lines: [{ order_line_remote_id: 'item_1', quantity: 1 }],
      },
    ],
    note: null,
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T08:00:00.000000Z',
    ...orderDefaults,
    ship_by: null,
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-04T12:00:00.000000Z',
    remote_version: '2026-10-04T12:00:00.000000Z/000007',
    raw: order,
  })
})

test('an order of which little is known', () => {
  const { summary, customer, customer_id, email, shipping_address, shipping_methods, fulfillments, ...bare } = order
  const little = { ...bare, items: [], payment_collections: null, payment_status: 'not_paid' }
  expect(toOrder(little)).toMatchObject({
    status: 'open',
    fulfillment_status: 'unfulfilled',
    payment_status: 'pending',
    refunded_total: null,
    prices_include_tax: null,
    customer: null,
    shipping_address: null,
    shipping_method: null,
    lines: [],
    shipments: [],
    remote_updated_at: '2026-10-02T08:00:00.000000Z',
    remote_version: '2026-10-02T08:00:00.000000Z/000007',
  })
})

describe('an order', () => {
  const cases: [string, object, Partial<RemoteOrder>][] = [
    ['of which all is sent is complete', sent(2, 1), { status: 'completed', fulfillment_status: 'fulfilled' }],
    ['of which all has arrived', sent(2, 2), { status: 'completed', fulfillment_status: 'delivered' }],
    ['of which nothing is sent', sent(0), { status: 'open', fulfillment_status: 'unfulfilled' }],
    ['that asks for something', { status: 'requires_action' }, { status: 'pending', remote_status: 'requires_action' }],
    [
      'that waits for something and is sent all the same',
      { status: 'draft', ...sent(2) },
      { status: 'pending', fulfillment_status: 'fulfilled' },
    ],
    [
      'that is cancelled has the rest of its goods cancelled',
      { status: 'canceled', canceled_at: '2026-10-05T08:00:00Z', ...sent(1) },
      { status: 'cancelled', cancelled_at: '2026-10-05T08:00:00.000000Z' },
    ],
    ['whose money went back', paid('refunded', 10, 10), { payment_status: 'refunded' }],
    ['whose money went back in part', paid('refunded', 10, 9.99), { payment_status: 'partially_refunded' }],
    ['whose money went back, as far as it says', paid('refunded', null, null), { payment_status: 'refunded' }],
    ['that is authorised', paid('authorized', 0, 3), { payment_status: 'authorized' }],
    [
      'without tax in its prices',
      { items: [item('1', 1, null, { is_tax_inclusive: false })] },
      { prices_include_tax: false },
    ],
    ['in yen', { currency_code: 'jpy', total: 31 }, { currency: 'JPY', total: { amount: '31', currency: 'JPY' } }],
  ]
  test.each(cases)('%s', (_, changes, expected) => {
    expect(toOrder({ ...order, ...changes })).toMatchObject(expected)
  })
})

test('the rest of a cancelled line is cancelled', () => {
  expect(toOrder({ ...order, status: 'canceled', ...sent(1) }).lines).toMatchObject([
    { quantity: 2, quantity_fulfilled: 1, quantity_cancelled: 1 },
  ])
})

test('a line that no product stands behind', () => {
  const gone = { product_title: null, variant_sku: null, product_id: null, variant_id: null, variant_title: null }
  expect(toOrder({ ...order, items: [item('1', 1, null, { ...gone, requires_shipping: false })] }).lines).toMatchObject(
    [
      {
        title: 'Line 1',
        sku: null,
        product_remote_id: null,
        variant_remote_id: null,
        variant_title: null,
        ...lineDefaults,
        requires_shipping: false,
      },
    ],
  )
})

describe('who has bought', () => {
  const nobody = { customer: null, customer_id: null, email: null }
  const blank = { first_name: null, last_name: null, phone: null }
  test.each([
    [
      'an account',
      { customer: { ...blank, has_account: true } },
      { is_guest: false, remote_id: 'cus_1', first_name: null },
    ],
    ['no account', { customer: { ...blank, has_account: false } }, { is_guest: true, remote_id: 'cus_1' }],
    [
      'an id alone',
      { ...nobody, customer_id: 'cus_2' },
      { is_guest: false, remote_id: 'cus_2', email: null, ...blank },
    ],
    [
      'an address alone',
      { ...nobody, email: 'x@example.com' },
      { is_guest: true, remote_id: null, email: 'x@example.com' },
    ],
    ['a record alone', { ...nobody, customer: { ...blank, has_account: true } }, { is_guest: false, remote_id: null }],
    ['nothing', nobody, null],
  ])('%s', (_, changes, customer) => {
    const { customer: read } = toOrder({ ...order, ...changes })
    if (customer === null) expect(read).toBeNull()
    else expect(read).toMatchObject(customer)
  })
})

describe('an address', () => {
  test.each([
    ['us-ca', { region: null, region_code: 'CA' }],
    ['AU-NSW', { region: null, region_code: 'NSW' }],
    ['xus-ca', { region: 'xus-ca', region_code: null }],
    ['us-cali', { region: 'us-cali', region_code: null }],
    [null, { region: null, region_code: null }],
  ])('of the province %s', (province, expected) => {
    const place = { ...order.shipping_address, province }
    expect(toOrder({ ...order, shipping_address: place }).shipping_address).toMatchObject(expected)
  })

  test('of somebody with one name, and of nobody', () => {
    const named = (fields: object) =>
      toOrder({ ...order, billing_address: { ...order.shipping_address, ...fields } }).billing_address
    expect(named({ first_name: null })).toMatchObject({ name: 'Lovelace', first_name: null, last_name: 'Lovelace' })
    expect(named({ first_name: null, last_name: '', country_code: null })).toMatchObject({
      name: null,
      country_code: null,
    })
  })
})

test.each([
  ['nothing', {}, 'pending'],
  ['shipped', { shipped_at: '2026-10-03T08:00:00Z' }, 'shipped'],
  ['arrived', { shipped_at: '2026-10-03T08:00:00Z', delivered_at: '2026-10-04T08:00:00Z' }, 'delivered'],
  ['called off', { canceled_at: '2026-10-03T08:00:00Z', delivered_at: '2026-10-04T08:00:00Z' }, 'cancelled'],
])('a parcel with %s', (_, times, status) => {
  const bare = { id: 'ful_2', shipped_at: null, delivered_at: null, canceled_at: null }
  expect(toShipment({ ...bare, ...times })).toMatchObject({
    status,
    carrier_name: null,
    tracking_number: null,
    tracking_url: null,
    location_remote_id: null,
    lines: [],
  })
})

test('words that nobody knows hold the order', () => {
  const held = { status: 'on_hold', hold_reason: 'unknown status: odd' }
  expect(toOrder({ ...order, status: 'odd' })).toMatchObject({ ...held, remote_status: 'odd' })
  expect(toOrder({ ...order, payment_status: 'odd' })).toMatchObject({ ...held, payment_status: 'unknown' })
})

test('when an order last changed', () => {
  expect(changedAt({ ...order, updated_at: '2026-10-09T08:00:00Z' })).toBe('2026-10-09T08:00:00.000000Z')
  expect(versionOf({ ...order, payment_collections: [] })).toBe('2026-10-02T08:00:00.000000Z/000007')
})

test('pieces and marks that are not there', () => {
  expect(piecesIn({ detail: null }, 'fulfilled_quantity')).toBe(0)
  expect(piecesIn({ detail: { fulfilled_quantity: 3 } }, 'fulfilled_quantity')).toBe(3)
  expect(markOf({ metadata: null })).toEqual({})
  expect(markOf({ metadata: { carrier: 'UPS' } })).toEqual({ carrier: 'UPS' })
})

test.each(['https://shop.example/app', 'https://admin.shop.example/'])(
  'the order’s page in the dashboard is known where the merchant says where that is: %s',
  (address) => {
    const facts = { shop: 'shop.example', settings: { admin_address: address } }
    expect(toOrder(order, facts).admin_url).toBe(`${address.replace(/\/$/, '')}/orders/${order.id}`)
  },
)

test('what payments belong to may change alone: another version, and no other time by which orders are listed', () => {
  const [collection] = order.payment_collections
  const later = { ...order, payment_collections: [{ ...collection, updated_at: '2026-10-09T12:00:00.000Z' }] }
  expect(toOrder(later).remote_updated_at).toBe(toOrder(order).remote_updated_at)
  expect(toOrder(later).remote_version > toOrder(order).remote_version).toBe(true)
})

describe('returns', () => {
  const back = (status: string, more: object = {}) => ({
    ...{ id: 'return_1', status, requested_at: '2026-10-05T08:00:00.000Z', created_at: '2026-10-04T08:00:00.000Z' },
    items: [
      { item_id: 'item_1', quantity: 1, note: 'Broken handle', reason: { label: 'Damaged' } },
      { item_id: 'item_2', quantity: 1, note: null, reason: { label: 'Too big' } },
      { item_id: 'item_2', quantity: 1, note: '', reason: null },
    ],
    ...more,
  })
  const returnsOf = (...returns: object[]) => toOrder({ ...order, returns }).returns

  test('have their lines, with what was written about it, or the reason that was chosen', () => {
    expect(returnsOf(back('requested'))).toEqual([
      {
        remote_id: 'return_1',
        status: 'requested',
        remote_status: 'requested',
        requested_at: '2026-10-05T08:00:00.000000Z',
        lines: [
          { order_line_remote_id: 'item_1', quantity: 1, reason: 'Broken handle' },
          { order_line_remote_id: 'item_2', quantity: 1, reason: 'Too big' },
          { order_line_remote_id: 'item_2', quantity: 1, reason: null },
        ],
      },
    ])
    expect(returnsOf(back('requested', { requested_at: null }))).toMatchObject([
      { requested_at: '2026-10-04T08:00:00.000000Z' },
    ])
  })

  test('have a status of ours; one that is being put together is none yet', () => {
    const words = ['open', 'requested', 'partially_received', 'received', 'canceled', 'new']
    expect(returnsOf(...words.map((word) => back(word)))?.map(({ status }) => status)).toEqual([
      'requested',
      'partially_received',
      'received',
      'cancelled',
      'unknown',
    ])
  })
})
