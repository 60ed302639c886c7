import { describe, expect, test } from 'vitest'
import { bare, is, order, read, row, rules } from '../../../test/support/samples/custom-order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { type OrderRules, toOrder } from './translate-order.ts'

test('an order with everything', () => {
  expect(toOrder('teapots', rules, {}, order)).toEqual({
    remote_id: '17',
    number: 'N-17',
    channel: 'teapots',
    marketplace: null,
    status: 'open',
    payment_status: 'paid',
    fulfillment_status: 'partial',
    remote_status: 'ready',
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
    refunded_total: is('1.50'),
    prices_include_tax: true,
    customer: {
      remote_id: '9',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+49 30 1',
      is_guest: false,
    },
    billing_address: expect.objectContaining({ city: 'Hamburg', name: null, country_code: null }),
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      company: 'Analytical',
      line1: 'x'.repeat(255),
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
    shipping_method: 'Standard',
    lines: [
      {
        remote_id: '1',
        sku: 'CUP',
        product_remote_id: 'P1',
        variant_remote_id: 'V1',
        title: 'Cup',
        variant_title: 'Blue',
        quantity: 3,
        quantity_fulfilled: 1,
        quantity_cancelled: 2,
        quantity_refunded: 0,
        unit_price: is('11.90'),
        discount: is('0.70'),
        tax: is('5.70'),
        total: is('34.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
      {
        remote_id: '2',
        sku: null,
        product_remote_id: null,
        variant_remote_id: null,
        title: 'Pot',
        variant_title: null,
        quantity: 2,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('10.00'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('20.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
    ],
    shipments: [
      {
        remote_id: '31',
        status: 'shipped',
        carrier_code: null,
        carrier_name: 'DHL',
        service: 'Express',
        tracking_number: 'TRACK-1',
        tracking_url: 'https://dhl.example/1',
        shipped_at: '2026-10-02T08:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [],
      },
    ],
    note: 'Ring twice',
    tags: ['a', 'b'],
    external_reference: 'EXT-1',
    acknowledged: null,
    test: true,
    placed_at: '2026-10-01T08:00:00.000000Z',
    ...orderDefaults,
    ship_by: '2026-10-05T00:00:00.000000Z',
    cancelled_at: '2026-10-06T08:00:00.000000Z',
    cancel_reason: 'Gone',
    remote_created_at: '2026-09-30T08:00:00.000000Z',
    remote_updated_at: '2026-10-03T08:00:00.000000Z',
    remote_version: '2026-10-03T08:00:00.000000Z',
    raw: order,
  })
})

test('an order of which little is known', () => {
  const { shipments, ...rest } = rules
  const { customer, billing_address, shipping_address, ...fields } = rules.fields
  const little = {
    id: 17,
    state: 'ready',
    sum: '40',
    at: '2026-10-01T08:00:00Z',
    changed: '2026-10-03T08:00:00Z',
    rows: [row, bare],
  }
  expect(toOrder('teapots', { ...rest, fields }, { currency: 'EUR' }, little)).toMatchObject({
    number: '17',
    payment_status: 'unknown',
    fulfillment_status: 'unfulfilled',
    currency: 'EUR',
    subtotal: is('55.70'),
    discount_total: is('0.00'),
    shipping_total: is('0.00'),
    tax_total: is('0.00'),
    refunded_total: null,
    prices_include_tax: null,
    customer: null,
    billing_address: null,
    shipping_address: null,
    shipments: [],
    tags: [],
    test: false,
    remote_created_at: '2026-10-01T08:00:00.000000Z',
  })
})

describe('an order', () => {
  const whole = (status: string, sent: string | null) => read({ state: status, sent, rows: [bare] })
  test.each([
    ['done', null, 'fulfilled', 2, 0],
    ['done', 'part', 'partial', 0, 0],
    ['ready', 'all', 'fulfilled', 2, 0],
    ['ready', 'there', 'delivered', 2, 0],
    ['void', null, 'unfulfilled', 0, 2],
  ])('that is %s and %s is %s', (status, sent, fulfillment, fulfilled, cancelled) => {
    expect(whole(status, sent)).toMatchObject({
      fulfillment_status: fulfillment,
      lines: [{ quantity_fulfilled: fulfilled, quantity_cancelled: cancelled }],
    })
  })

  test('of nobody, and of somebody without an id', () => {
    expect(read({ who: {} }).customer).toBeNull()
    expect(read({ who: { mail: 'ada@example.com' } }).customer).toMatchObject({ remote_id: null, is_guest: true })
  })

  test('in a status that the definition has no word for is held, and says so', () => {
    expect(read({ state: 'odd' })).toMatchObject({
      status: 'on_hold',
      hold_reason: 'unknown status: odd (statuses of the definition can say what it means)',
    })
  })

  test('to nowhere', () => {
    expect(read({ to: {} }).shipping_address).toBeNull()
    expect(read({ to: { city: 'Berlin' } }).shipping_address).toMatchObject({ city: 'Berlin', country_code: null })
  })

  test.each([
    ['a payment without a word', { paid: 'odd' }, 'The definition has no word for "odd" in orders.payment_statuses.'],
    ['no currency', { cur: null }, '"" is no currency.'],
    ['a currency of four letters', { cur: 'euro' }, '"EURO" is no currency.'],
    ['a currency with more around it', { cur: '1eur' }, '"1EUR" is no currency.'],
    ['a country of three letters', { to: { country: 'deu' } }, '"DEU" is no code of a country.'],
    ['a country with a number before it', { to: { country: '1de' } }, '"1DE" is no code of a country.'],
  ])('with %s is refused', (_, changes, reason) => {
    expect(() => read(changes)).toThrow(reason)
  })

  test('without a table of words has none', () => {
    const { payment_statuses, ...rest } = rules
    expect(() => read({}, {}, rest)).toThrow('The definition has no word for "yes" in orders.payment_statuses.')
  })
})

test('refunds are read with their lines, and count where the service names no sum of them', () => {
  const { refunded_total: _, ...fields } = rules.fields
  const described = {
    ...rules,
    fields,
    refunds: {
      items: 'refunds',
      fields: { remote_id: 'id', amount: 'sum', reason: 'why', refunded_at: 'on' },
      lines: { items: 'rows', fields: { order_line_remote_id: 'row', quantity: 'n', amount: 'sum' } },
    },
  }
  const refunds = [
    { id: 7, sum: '1.50', why: 'Torn', on: '2026-10-02T09:00:00Z', rows: [{ row: 'L1', n: 1, sum: '1.50' }] },
    { sum: '2.00', rows: [] },
  ]
  const read = toOrder('erp', described, {}, { ...order, refunds })
  expect(read).toMatchObject({
    refunded_total: is('3.50'),
    refunds: [
      {
        remote_id: '7',
        amount: is('1.50'),
        reason: 'Torn',
        refunded_at: '2026-10-02T09:00:00.000000Z',
        lines: [{ order_line_remote_id: 'L1', quantity: 1, amount: is('1.50') }],
      },
      { remote_id: null, amount: is('2.00'), lines: [] },
    ],
  })
})

test('what only some services know is told where the definition says where it is', () => {
  const knowing: OrderRules = {
    ...rules,
    fields: {
      ...rules.fields,
      ...{ cancel_requested: 'wish', hold_reason: 'stop', service_level: 'speed', sales_channel: 'where' },
      ...{ purchase_order: 'po', admin_url: 'page', tax_id: 'vat' },
    },
    lines: { ...rules.lines, attributes: { items: 'words', name: 'k', value: 'v' } },
    attributes: { items: 'asked', name: 'k', value: 'v' },
    fees: { items: 'extra', fields: { title: 'what', amount: 'sum', tax: 'tax' } },
    fulfillers: { field: 'sender', platform: ['WAREHOUSE'] },
    statuses: [...rules.statuses, { theirs: 'wait', ours: 'on_hold' }],
  }
  const told = {
    ...{
      ...order,
      state: 'wait',
      wish: 1,
      stop: 'Fraud check',
      speed: 'NextDay',
      where: 'pos',
      po: 'PO-7',
      sender: 'WAREHOUSE',
    },
    ...{
      page: 'https://acme.example/17',
      vat: 'DE129273398',
      asked: [{ k: 'Gift message', v: 'For Ada' }, { k: 'Empty' }],
    },
    extra: [{ what: 'Gift wrap', sum: '2.50', tax: '0.40' }],
    rows: [{ ...row, words: [{ k: 'Engraving', v: 'Ada' }] }],
  }
  expect(toOrder('acme', knowing, {}, told)).toMatchObject({
    ...{ status: 'on_hold', hold_reason: 'Fraud check', cancel_requested: true, service_level: 'NextDay' },
    ...{ sales_channel: 'pos', purchase_order: 'PO-7', admin_url: 'https://acme.example/17', fulfilled_by: 'platform' },
    tax_ids: [{ kind: 'tax_id', value: 'DE129273398' }],
    attributes: [{ name: 'Gift message', value: 'For Ada' }],
    fees: [{ remote_id: null, title: 'Gift wrap', amount: is('2.50'), tax: is('0.40') }],
    fee_total: is('2.50'),
    lines: [{ attributes: [{ name: 'Engraving', value: 'Ada' }] }],
  })
  const ours = { ...told, sender: 'SHOP', state: 'ready' }
  expect(toOrder('acme', knowing, {}, ours)).toMatchObject({ fulfilled_by: 'merchant', hold_reason: null })
})

test('returns are read with their lines; a status that nobody has explained is unknown', () => {
  const described: OrderRules = {
    ...rules,
    returns: {
      items: 'rmas',
      fields: { remote_id: 'id', status: 'state', requested_at: 'on' },
      lines: { items: 'parts', fields: { order_line_remote_id: 'line', quantity: 'n', reason: 'why' } },
      statuses: [{ theirs: 'asked', ours: 'requested' }],
    },
  }
  const parts = [{ line: '7', n: 2, why: 'Too small' }]
  const rmas = [
    { id: 1, state: 'asked', on: '2026-10-02T09:00:00Z', parts },
    { id: 2, state: 'lost', on: null, parts: [{ n: 1 }] },
  ]
  expect(toOrder('erp', described, {}, { ...order, rmas }).returns).toEqual([
    {
      ...{ remote_id: '1', status: 'requested', remote_status: 'asked', requested_at: '2026-10-02T09:00:00.000000Z' },
      lines: [{ order_line_remote_id: '7', quantity: 2, reason: 'Too small' }],
    },
    {
      ...{ remote_id: '2', status: 'unknown', remote_status: 'lost', requested_at: null },
      lines: [{ order_line_remote_id: null, quantity: 1, reason: null }],
    },
  ])
  // A service that says nothing of returns leaves what is held.
  expect(toOrder('erp', rules, {}, order)).not.toHaveProperty('returns')
})
