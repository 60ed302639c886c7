import { describe, expect, test } from 'vitest'
import {
  address,
  facts,
  fulfillment,
  is,
  order,
  place,
  shipment,
  tea,
} from '../../../test/support/samples/woocommerce-order.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { toOrder } from './translate-order.ts'

test('an order with everything', () => {
  expect(toOrder(order, facts)).toEqual({
    remote_id: '727',
    number: '727-A',
    channel: 'woocommerce',
    marketplace: null,
    status: 'open',
    payment_status: 'partially_refunded',
    fulfillment_status: 'unfulfilled',
    remote_status: 'processing',
    hold_reason: null,
    currency: 'EUR',
    subtotal: is('31.00'),
    discount_total: is('3.00'),
    shipping_total: is('4.90'),
    tax_total: is('6.06'),
    total: is('37.96'),
    fee_total: is('0.00'),
    refunded_total: is('10.50'),
    prices_include_tax: false,
    customer: {
      remote_id: '26',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+49 30 1',
      is_guest: false,
    },
    billing_address: address,
    shipping_address: { ...address, phone: null, email: null, company: null },
    shipping_method: 'Parcel, Letter',
    lines: [
      {
        remote_id: '31',
        sku: 'TEA-S',
        product_remote_id: '93',
        variant_remote_id: '94',
        title: 'Tea',
        // Neither notes of plug-ins nor what is empty or no text.
        variant_title: 'Small, Green',
        quantity: 3,
        // What is packed has not left.
        quantity_fulfilled: 1,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('10.00'),
        discount: is('3.00'),
        tax: is('5.13'),
        total: is('27.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
      {
        remote_id: '32',
        sku: null,
        product_remote_id: null,
        variant_remote_id: null,
        title: 'Gone',
        variant_title: null,
        quantity: 0,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('1.00'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('1.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
    ],
    fees: [],
    refunds: [
      { remote_id: null, amount: is('9.00'), reason: null, refunded_at: null, lines: [] },
      { remote_id: null, amount: is('1.50'), reason: null, refunded_at: null, lines: [] },
    ],
    admin_url: 'https://tea.example/wp-admin/admin.php?page=wc-orders&action=edit&id=727',
    shipments: [
      {
        ...shipment,
        remote_id: '1',
        status: 'shipped',
        tracking_number: 'T-1',
        shipped_at: '2026-10-02T09:00:00.000000Z',
        lines: [{ order_line_remote_id: '31', quantity: 1 }],
      },
      {
        ...shipment,
        remote_id: '2',
        status: 'pending',
        tracking_number: 'T-2',
        shipped_at: null,
        lines: [{ order_line_remote_id: '31', quantity: 2 }],
      },
    ],
    note: 'Ring twice',
    tags: [],
    external_reference: 'ours-1',
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

test('fees are beside the goods, and refunds name lines, pieces and money with its tax', () => {
  const refund = {
    ...{ id: 900, date_created_gmt: '2026-10-04T08:00:00', amount: '14.28', reason: 'Broken' },
    line_items: [
      {
        ...{ id: 77, quantity: -2, total: '-12.00', total_tax: '-2.28' },
        meta_data: [{ key: '_refunded_item_id', value: '31' }],
      },
      { id: 78, quantity: 0, total: '0.00', total_tax: '0.00', meta_data: [] },
    ],
  }
  const { fees, fee_total, refunds, refunded_total, lines } = toOrder(
    {
      ...order,
      fee_lines: [{ id: 5, name: 'Small order', total: '2.50', total_tax: '0.48' }],
      refunds: [{ id: 900, reason: 'Broken', total: '-14.28' }],
      refund_records: [refund],
    },
    facts,
  )
  expect([fees, fee_total]).toEqual([
    [{ remote_id: '5', title: 'Small order', amount: is('2.50'), tax: is('0.48') }],
    is('2.50'),
  ])
  expect(refunded_total).toEqual(is('14.28'))
  expect(refunds).toEqual([
    {
      ...{ remote_id: '900', amount: is('14.28'), reason: 'Broken', refunded_at: '2026-10-04T08:00:00.000000Z' },
      lines: [{ order_line_remote_id: '31', quantity: 2, amount: is('14.28') }],
    },
  ])
  expect(lines.map((line) => line.quantity_refunded)).toEqual([2, 0])
})

test('refunds of one second are the newest first, in whatever order the shop lists them', () => {
  const listed = [
    { id: 425, reason: '', total: '-0.50' },
    { id: 424, reason: '', total: '-1.11' },
  ]
  const refundsIn = (refunds: object[]) => toOrder({ ...order, refunds }, facts).refunds.map((one) => one.remote_id)
  expect([refundsIn(listed), refundsIn(listed.toReversed())]).toEqual([
    ['425', '424'],
    ['425', '424'],
  ])
})

test('what was chosen is told as the shop shows it, and names without the signs of HTML', () => {
  const chosen = [
    { key: 'pa_colour', value: 'red-gold', display_key: 'Colour', display_value: 'Red &amp; Gold' },
    { key: 'pa_leaf', value: '%e9%9d%92', display_key: 'Leaf', display_value: '青' },
    { key: 'size', value: 'XL 5"', display_key: 'Size', display_value: 'XL 5"' },
    { key: '_reduced_stock', value: '5', display_key: '_reduced_stock', display_value: '5' },
  ]
  const line = { ...tea, name: 'Shirt 5 - Red &amp; Gold, XL 5"', meta_data: chosen }
  const told = toOrder(
    {
      ...order,
      line_items: [line],
      shipping_lines: [{ method_title: 'Post &amp; &#8220;Express&#8221;' }],
      fee_lines: [{ id: 5, name: 'Wrap &amp; card', total: '2.50', total_tax: '0.48' }],
    },
    facts,
  )
  expect(told).toMatchObject({
    lines: [{ title: 'Shirt 5 - Red & Gold, XL 5"', variant_title: 'Red & Gold, 青, XL 5"' }],
    shipping_method: 'Post & “Express”',
    fees: [{ title: 'Wrap & card' }],
  })
})

test.each([true, false])(
  'amounts are without tax and the tax makes up the total, prices being entered with it: %s',
  (withTax) => {
    const told = toOrder({ ...order, prices_include_tax: withTax, total: '38.96' }, facts)
    expect([told.prices_include_tax, told.subtotal, told.tax_total]).toEqual([false, is('31.00'), is('6.06')])
    expect(whatDoesNotAddUp(told)).toEqual([])
  },
)

test('a guest’s order that is sent nowhere', () => {
  const empty = Object.fromEntries(Object.keys(place).map((name) => [name, '']))
  const bare = {
    ...order,
    customer_id: 0,
    shipping: empty,
    shipping_lines: [],
    meta_data: [],
    prices_include_tax: true,
  }
  expect(toOrder({ ...bare, billing: { ...place, last_name: '' } }, facts)).toMatchObject({
    customer: { remote_id: null, is_guest: true, last_name: null },
    billing_address: { name: 'Ada' },
    shipping_address: null,
    shipping_method: null,
    external_reference: null,
    prices_include_tax: false,
  })
  expect(toOrder({ ...bare, billing: empty, shipping: null }, facts)).toMatchObject({
    billing_address: null,
    shipping_address: null,
  })
})

test('an article without variations is its own only variant', () => {
  const translated = toOrder({ ...order, line_items: [{ ...tea, variation_id: 0 }] }, facts)
  expect(translated.lines).toMatchObject([{ product_remote_id: '93', variant_remote_id: '93', variant_title: null }])
})

test('parcels that sum up to more than was ordered count as what was ordered', () => {
  const translated = toOrder({ ...order, fulfillments: [1, 2].map((id) => fulfillment(id, true, [[31, 2]])) }, facts)
  expect(translated.lines[0]?.quantity_fulfilled).toBe(3)
})

test('a price that does not divide is rounded to a part of a cent', () => {
  const translated = toOrder({ ...order, line_items: [{ ...tea, subtotal: '10.00', total: '10.00' }] }, facts)
  expect(translated.lines[0]?.unit_price).toEqual(is('3.333333'))
})

describe('what was paid', () => {
  const paid = (fields: object) => toOrder({ ...order, refunds: [], ...fields }, facts).payment_status

  test.each([
    ['of a cent less than everything', '37.95', 'partially_refunded'],
    ['of everything', '37.96', 'refunded'],
    ['of more than everything', '40.00', 'refunded'],
  ])('a refund by hand %s', (_, amount, status) => {
    const refunded = {
      status: 'completed',
      date_completed_gmt: '2026-10-03T00:00:00',
      refunds: [{ total: `-${amount}` }],
    }
    expect(paid(refunded)).toBe(status)
  })

  test.each([
    ['refunded', '2026-10-01T10:01:00', 'refunded'],
    ['completed', null, 'paid'],
    ['processing', '2026-10-01T10:01:00', 'paid'],
    ['processing', null, 'pending'],
    ['failed', null, 'failed'],
    ['cancelled', null, 'voided'],
    ['trash', null, 'voided'],
    ['on-hold', null, 'pending'],
  ])('%s, paid at %s', (status, date_paid_gmt, expected) => {
    expect(paid({ status, date_paid_gmt })).toBe(expected)
  })
})

describe('how far it is', () => {
  const words = (fields: object, settings: object = {}) => {
    const {
      status,
      fulfillment_status: sent,
      cancelled_at: at,
      lines,
    } = toOrder({ ...order, fulfillments: [], ...fields }, { ...facts, settings })
    return [status, sent, at, lines[0]?.quantity_fulfilled, lines[0]?.quantity_cancelled]
  }
  const changed = '2026-10-05T11:30:00.000000Z'

  test.each([
    ['pending', 'pending', 'unfulfilled', null, 0, 0],
    ['checkout-draft', 'pending', 'unfulfilled', null, 0, 0],
    ['on-hold', 'on_hold', 'unfulfilled', null, 0, 0],
    ['processing', 'open', 'unfulfilled', null, 0, 0],
    ['completed', 'completed', 'fulfilled', null, 3, 0],
    ['cancelled', 'cancelled', 'unfulfilled', changed, 0, 3],
    ['failed', 'pending', 'unfulfilled', null, 0, 0],
    ['trash', 'cancelled', 'unfulfilled', null, 0, 3],
  ])('%s', (status, ...expected) => {
    expect(words({ status })).toEqual(expected)
  })

  test('paid back in full: what had left before stays sold', () => {
    expect(words({ status: 'refunded', date_completed_gmt: '2026-10-03T00:00:00' })[0]).toBe('completed')
    expect(words({ status: 'refunded' })[0]).toBe('open')
  })

  test('a status of a plug-in means what the settings say', () => {
    const settings = { order_statuses: [{ status: 'packed', means: 'on_hold' as const }] }
    expect(words({ status: 'packed' }, settings)[0]).toBe('on_hold')
  })

  test('a status that nobody has explained is held, and says where its meaning can be said', () => {
    expect(toOrder({ ...order, status: 'packed' }, facts)).toMatchObject({
      status: 'on_hold',
      hold_reason: 'unknown status: packed (order_statuses can say what it means)',
      remote_status: 'packed',
    })
  })

  test.each([
    ['fulfilled', 'fulfilled', 3],
    ['partially_fulfilled', 'partial', 0],
    ['unfulfilled', 'unfulfilled', 0],
  ])('noted as %s', (value, sent, count) => {
    const noted = words({ meta_data: [{ key: '_fulfillment_status', value }] })
    expect([noted[1], noted[3]]).toEqual([sent, count])
  })
})

describe('parcels of older shops', () => {
  const parcelsOf = (meta_data: readonly object[]) =>
    toOrder({ ...order, fulfillments: undefined, meta_data }, facts).shipments

  test('the plug-in notes a day, in words or as a number', () => {
    const tracked = (fields: object) => parcelsOf([{ key: '_wc_shipment_tracking_items', value: [fields] }])
    const known = {
      tracking_id: 'a1',
      tracking_provider: 'ups',
      tracking_number: '1Z',
      tracking_link: 'https://ups.example',
    }
    expect(tracked({ ...known, date_shipped: '2026-10-02' })).toEqual([
      {
        ...{ remote_id: 'a1', status: 'shipped', carrier_code: null, carrier_name: 'ups', service: null },
        ...{ tracking_number: '1Z', tracking_url: 'https://ups.example', shipped_at: '2026-10-02T00:00:00.000000Z' },
        ...{ delivered_at: null, location_remote_id: null, lines: [] },
      },
    ])
    expect(tracked({ ...known, date_shipped: '1790899200' })[0]?.shipped_at).toBe('2026-10-02T00:00:00.000000Z')
    expect(tracked({ ...known, date_shipped: '' })[0]?.shipped_at).toBeNull()
    const custom = { custom_tracking_provider: 'Bike', tracking_link: '', custom_tracking_link: 'https://bike.example' }
    expect(tracked({ ...known, ...custom })).toMatchObject([
      { carrier_name: 'Bike', tracking_url: 'https://bike.example' },
    ])
  })

  test('we note ours as a text', () => {
    const own = (value: unknown) => parcelsOf([{ key: '_entrepot_shipments', value }])
    const known = {
      carrier_name: 'DHL',
      tracking_number: '00340',
      lines: [{ order_line_remote_id: '31', quantity: 2 }],
    }
    expect(own(JSON.stringify([known]))).toMatchObject([{ remote_id: null, status: 'shipped', ...known }])
    expect(own('{}')).toEqual([])
    expect(own(7)).toEqual([])
  })
})
