import { describe, expect, test } from 'vitest'
import {
  facts,
  inState,
  is,
  order,
  parcel,
  place,
  row,
  unpaid,
} from '../../../test/support/samples/prestashop-order.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { stateOf } from './statuses.ts'
import { ofParcel, toOrder } from './translate-order.ts'

test('an order with everything', () => {
  expect(toOrder(order, facts)).toEqual({
    remote_id: '5',
    number: 'XKBKNABJK',
    channel: 'prestashop',
    marketplace: null,
    status: 'open',
    payment_status: 'paid',
    fulfillment_status: 'unfulfilled',
    remote_status: 'Payment accepted',
    hold_reason: null,
    fee_total: is('0.00'),
    fees: [],
    refunds: [],
    admin_url: null,
    currency: 'EUR',
    subtotal: is('36.00'),
    discount_total: is('1.50'),
    shipping_total: is('5.00'),
    tax_total: is('6.50'),
    total: is('39.50'),
    refunded_total: null,
    prices_include_tax: true,
    customer: {
      remote_id: '9',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+33 6',
      is_guest: false,
    },
    billing_address: expect.objectContaining({ city: 'Lyon' }),
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      company: 'Analytical Ltd',
      line1: 'Rue 1',
      line2: 'Étage 2',
      line3: null,
      city: 'Paris',
      region: 'Île-de-France',
      region_code: 'IDF',
      postal_code: '75001',
      country_code: 'FR',
      phone: '+33 6',
      email: null,
    },
    shipping_method: 'Colissimo',
    lines: [
      {
        remote_id: '1',
        sku: 'SKU-1',
        product_remote_id: '70',
        variant_remote_id: '80',
        title: 'Cup 1',
        variant_title: null,
        quantity: 3,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('12.00'),
        discount: is('0.00'),
        tax: is('6.00'),
        total: is('36.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
      expect.objectContaining({ remote_id: '2', variant_remote_id: '70' }),
    ],
    shipments: [
      {
        remote_id: '31',
        status: 'shipped',
        carrier_code: null,
        carrier_name: 'Colissimo',
        service: null,
        tracking_number: 'TR 1',
        tracking_url: 'https://track.example/TR%201/end',
        shipped_at: '2026-10-02T08:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [],
      },
    ],
    note: 'Bon anniversaire',
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
    remote_updated_at: '2026-10-02T10:00:00.000000Z',
    remote_version: '2026-10-02T10:00:00.000000Z',
    raw: order,
  })
})

describe('an order', () => {
  const changed = '2026-10-02T10:00:00.000000Z'
  const cases: [string, object, Partial<RemoteOrder>][] = [
    [
      'that is not paid',
      { ...inState(1), ...unpaid },
      { status: 'pending', payment_status: 'pending', remote_status: '1' },
    ],
    [
      'that is paid in part',
      { ...inState(1), total_paid_real: '39.49' },
      { status: 'pending', payment_status: 'partially_paid' },
    ],
    ['that is paid in full before its state says so', inState(1), { status: 'pending', payment_status: 'paid' }],
    [
      'that is paid, by its state',
      { ...inState(2, { paid: '1' }), ...unpaid },
      { status: 'open', payment_status: 'paid' },
    ],
    ['whose payment failed', { ...inState(8), ...unpaid }, { status: 'pending', payment_status: 'failed' }],
    [
      'that is cancelled',
      { ...inState(6), ...unpaid },
      { status: 'cancelled', payment_status: 'voided', cancelled_at: changed },
    ],
    [
      'that is paid back',
      inState(7, { paid: '1' }),
      { status: 'open', payment_status: 'refunded', cancelled_at: null },
    ],
    ['that waits for goods', inState(9, { paid: '1' }), { status: 'on_hold', cancelled_at: null }],
    ['that waits for goods and money', { ...inState(12), ...unpaid }, { status: 'on_hold', payment_status: 'pending' }],
    [
      'that has left',
      inState(4, { paid: '1', shipped: '1' }),
      { status: 'completed', fulfillment_status: 'fulfilled' },
    ],
    [
      'that has arrived',
      inState(5, { paid: '1', shipped: '1' }),
      { status: 'completed', fulfillment_status: 'delivered' },
    ],
    ['without a customer', { customer: null }, { customer: null }],
    [
      'of a guest without a bill',
      { customer: { ...order.customer, is_guest: '1' }, invoice: null },
      {
        billing_address: null,
        customer: {
          remote_id: '9',
          email: 'ada@example.com',
          first_name: 'Ada',
          last_name: 'Lovelace',
          phone: null,
          is_guest: true,
        },
      },
    ],
    [
      'without addresses and carrier',
      { delivery: null, carrier: null },
      { shipping_address: null, shipping_method: null },
    ],
  ]
  test.each(cases)('%s', (_, changes, expected) => {
    expect(toOrder({ ...order, ...changes }, facts)).toMatchObject(expected)
  })
})

describe('a credit slip', () => {
  const paidBack = (change: Record<string, string>) => {
    const slip = {
      ...{ id: '8', total_products_tax_incl: '12.000000', total_products_tax_excl: '10.000000', amount: '12.000000' },
      ...{ total_shipping_tax_incl: '0.000000', order_slip_type: '0', date_add: '2026-10-03 10:00:00' },
      associations: {
        order_slip_details: [{ id: '1', id_order_detail: '1', product_quantity: '1', amount_tax_incl: '12.000000' }],
      },
      ...change,
    }
    return toOrder({ ...order, total_discounts_tax_incl: '4.500000', slips: [slip] }, facts).refunded_total
  }

  test.each([
    ['is for its goods', {}, '12.00'],
    ['is less the vouchers of the order', { order_slip_type: '1' }, '7.50'],
    ['never costs the customer money', { order_slip_type: '1', associations: '' }, '0.00'],
    ['is for the amount that was chosen', { order_slip_type: '2', amount: '5.000000' }, '5.00'],
    ['with postage is for both', { order_slip_type: '2', total_shipping_tax_incl: '1.200000' }, '13.20'],
    [
      'with postage shows its goods without tax to some customers',
      { order_slip_type: '2', amount: '10.000000', total_shipping_tax_incl: '1.200000' },
      '13.20',
    ],
  ])('%s', (_, change, amount) => {
    expect(paidBack(change)).toEqual(is(amount))
  })
})

test('Goods that were taken back count without a slip: they may have been paid with a voucher', () => {
  const details = [{ id: '1', product_quantity_refunded: '1', product_quantity_return: '2' }]
  const associations = { order_rows: [row('1', { product_quantity: '5' })] }
  expect(toOrder({ ...order, details, slips: [], associations }, facts).lines).toMatchObject([{ quantity_refunded: 3 }])
})

test('An order that is still being made is unpaid', () => {
  expect(toOrder({ ...order, current_state: '0', state: null, total_paid_real: '0' }, facts)).toMatchObject({
    ...{ status: 'pending', payment_status: 'pending', hold_reason: null },
  })
})

test('The note is what the customer wrote: not the merchant, nor for the merchant alone', () => {
  const said = (message: string, change = {}) => ({ id: '1', message, private: '0', id_employee: '0', ...change })
  const messages = [said('Ring twice'), said('VIP', { private: '1' }), said('On its way', { id_employee: '3' })]
  expect(toOrder({ ...order, messages }, facts).note).toBe('Ring twice\nBon anniversaire')
  expect(toOrder({ ...order, messages, gift_message: '' }, facts).note).toBe('Ring twice')
})

test('gift wrap is a fee, slips are refunds, and lines have the shop’s own totals', () => {
  const slip = {
    ...{ id: '8', total_products_tax_incl: '12.000000', total_shipping_tax_incl: '1.500000' },
    date_add: '2026-10-03 10:00:00',
    associations: {
      order_slip_details: [{ id: '1', id_order_detail: '1', product_quantity: '1', amount_tax_incl: '12.000000' }],
    },
  }
  const translated = toOrder(
    {
      ...order,
      ...{ total_wrapping_tax_incl: '2.500000', total_wrapping_tax_excl: '2.083333', slips: [slip] },
      associations: { order_rows: [row('1', { unit_price_tax_incl: '5.334965', unit_price_tax_excl: '4.445804' })] },
      details: [{ id: '1', total_price_tax_incl: '15.990000', total_price_tax_excl: '13.330000' }],
    },
    facts,
  )
  expect(translated).toMatchObject({
    payment_status: 'partially_refunded',
    fee_total: is('2.50'),
    fees: [{ remote_id: null, title: 'Gift wrapping', amount: is('2.50'), tax: is('0.42') }],
    refunded_total: is('13.50'),
    refunds: [
      {
        ...{ remote_id: '8', amount: is('13.50'), refunded_at: '2026-10-03T08:00:00.000000Z' },
        lines: [{ order_line_remote_id: '1', quantity: 1, amount: is('12.00') }],
      },
    ],
    lines: [{ quantity_refunded: 1, unit_price: is('5.33'), tax: is('2.66'), total: is('15.99') }],
  })
})

test('a line without the shop’s own total is rounded once', () => {
  const rows = [row('1', { unit_price_tax_incl: '5.334965', unit_price_tax_excl: '4.445804' })]
  expect(toOrder({ ...order, associations: { order_rows: rows } }, facts).lines[0]?.total).toEqual(is('16.00'))
})

test('a state that was deleted is held, and known by its number', () => {
  expect(toOrder({ ...order, state: null, current_state: '23' }, facts)).toMatchObject({
    ...{ status: 'on_hold', remote_status: '23' },
    hold_reason: 'unknown status: 23 (order_states can say what it means)',
  })
})

test('which states mean what can be the shop’s own', () => {
  const settings = {
    order_states: [
      { id: 20, means: 'on_hold' as const },
      { id: 6, means: 'open' as const },
    ],
    state_canceled: 30,
    state_refunded: 31,
    state_failed: 32,
    state_shipped: 33,
    state_delivered: 34,
    state_backorder_paid: 35,
    state_backorder_unpaid: 36,
  }
  const own = { shop: 'shop.example', settings }
  const words = (id: number) => {
    const { status, payment_status, fulfillment_status } = toOrder({ ...order, ...inState(id), ...unpaid }, own)
    return [status, payment_status, fulfillment_status]
  }
  expect(words(20)).toEqual(['on_hold', 'pending', 'unfulfilled'])
  expect(words(6)).toEqual(['open', 'pending', 'unfulfilled'])
  expect(words(30)).toEqual(['cancelled', 'voided', 'unfulfilled'])
  expect(words(31)).toEqual(['open', 'refunded', 'unfulfilled'])
  expect(words(32)).toEqual(['pending', 'failed', 'unfulfilled'])
  expect(words(34)).toEqual(['pending', 'pending', 'delivered'])
  expect(words(35)).toEqual(['on_hold', 'pending', 'unfulfilled'])
  expect(words(36)).toEqual(['on_hold', 'pending', 'unfulfilled'])
  expect(stateOf(settings).shipped).toBe(33)
  expect(stateOf({})).toEqual({ canceled: 6, refunded: 7, failed: 8, shipped: 4, delivered: 5, backorders: [9, 12] })
})

describe('an address', () => {
  test.each([
    ['with one name', { firstname: '' }, { name: 'Lovelace', first_name: null }],
    ['without names', { firstname: '', lastname: '' }, { name: null, first_name: null, last_name: null }],
    [
      'without region and country',
      { region: null, country: null },
      { region: null, region_code: null, country_code: null },
    ],
    ['with one telephone', { phone_mobile: '' }, { phone: '+33 1' }],
  ])('%s', (_, changes, expected) => {
    expect(toOrder({ ...order, delivery: { ...place, ...changes } }, facts).shipping_address).toMatchObject(expected)
  })

  test('has the telephone of the one who pays', () => {
    expect(toOrder({ ...order, invoice: { ...place, phone_mobile: '' } }, facts).customer?.phone).toBe('+33 1')
  })
})

test('lines of what has left, and of what is cancelled', () => {
  const lines = (changes: object) => toOrder({ ...order, ...changes }, facts).lines[0]
  expect(lines(inState(4, { shipped: '1' }))).toMatchObject({ quantity_fulfilled: 3, quantity_cancelled: 0 })
  expect(lines(inState(6))).toMatchObject({ quantity_fulfilled: 0, quantity_cancelled: 3 })
})

test('a line whose product is gone, and one without combinations', () => {
  const rows = [row('1', { product_id: '0', product_reference: '' }), row('2', { product_attribute_id: '' })]
  expect(toOrder({ ...order, associations: { order_rows: rows } }, facts).lines).toMatchObject([
    { product_remote_id: null, variant_remote_id: '80', sku: null },
    { product_remote_id: '70', variant_remote_id: '70' },
  ])
})

describe('a parcel', () => {
  const unnumbered = { ...parcel, tracking_number: '' }
  test('counts once it has a number, or has left', () => {
    expect(ofParcel(unnumbered, 'unfulfilled', facts)).toEqual([])
    expect(ofParcel(parcel, 'unfulfilled', facts)).toMatchObject([{ status: 'shipped', tracking_number: 'TR 1' }])
    expect(ofParcel(unnumbered, 'fulfilled', facts)).toMatchObject([{ tracking_number: null, tracking_url: null }])
    expect(ofParcel(parcel, 'delivered', facts)).toMatchObject([{ status: 'delivered' }])
  })

  test('of a carrier that nobody knows, or that cannot be followed', () => {
    expect(ofParcel({ ...parcel, carrier: null }, 'fulfilled', facts)).toMatchObject([
      { carrier_name: null, tracking_url: null },
    ])
    expect(ofParcel({ ...parcel, carrier: { name: 'Bike', url: '' } }, 'fulfilled', facts)).toMatchObject([
      { carrier_name: 'Bike', tracking_url: null },
    ])
  })
})

test('The order’s page in the administration is known where the merchant says where that is', () => {
  const settings = { admin_address: 'https://shop.example/back-office/' }
  expect(toOrder(order, { shop: 'shop.example', settings }).admin_url).toBe(
    `https://shop.example/back-office/index.php?controller=AdminOrders&vieworder&id_order=${order.id}`,
  )
})
