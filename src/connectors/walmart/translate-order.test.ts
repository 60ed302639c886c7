import { describe, expect, test } from 'vitest'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { toOrder } from './translate-order.ts'

const is = (amount: string) => ({ amount, currency: 'USD' })
const at = (time: string) => Date.parse(time)

const charge = (chargeType: string, amount: number, tax?: number, chargeName = 'Item') => ({
  chargeType,
  chargeName,
  chargeAmount: { currency: 'USD', amount },
  tax: tax === undefined ? null : { taxName: 'Tax', taxAmount: { currency: 'USD', amount: tax } },
})

const part = (status: string, amount: number, fields: object = {}) => ({
  status,
  statusQuantity: { unitOfMeasurement: 'EACH', amount: String(amount) },
  trackingInfo: null,
  ...fields,
})

const tracking = (trackingNumber: string | null, fields: object = {}) => ({
  trackingInfo: {
    shipDateTime: at('2026-10-02T09:00:00Z'),
    carrierName: { otherCarrier: null, carrier: 'UPS' },
    methodCode: 'Standard',
    trackingNumber,
    trackingURL: 'https://ups.example',
    ...fields,
  },
})

const line = (lineNumber: string, parts: readonly object[], charges: readonly object[], fields: object = {}) => ({
  lineNumber,
  item: { productName: `Item ${lineNumber}`, sku: `SKU-${lineNumber}` },
  charges: { charge: charges },
  orderLineQuantity: { unitOfMeasurement: 'EACH', amount: '4' },
  statusDate: at('2026-10-03T09:00:00Z'),
  orderLineStatuses: { orderLineStatus: parts },
  ...fields,
})

const refund = {
  refund: {
    refundCharges: {
      refundCharge: [{ charge: charge('PRODUCT', -10, -0.8) }, { charge: charge('SHIPPING', -1.5) }],
    },
  },
}

const first = line(
  '1',
  [
    part('Shipped', 1, tracking('1Z1')),
    part('Refund', 1, tracking('1Z1')),
    part('Acknowledged', 1),
    part('Cancelled', 1, { cancellationReason: 'CUSTOMER' }),
  ],
  [
    charge('PRODUCT', 40, 3.2),
    charge('SHIPPING', 5, 0.4),
    charge('PRODUCT', -4, undefined),
    charge('DISCOUNT', -1, undefined, 'Coupon'),
    charge('FEE', 0.5),
  ],
  refund,
)
const second = line('2', [part('Delivered', 4, tracking(null))], [charge('PRODUCT', 10)], {
  statusDate: at('2026-10-05T11:30:00Z'),
})

const order = {
  purchaseOrderId: '1796277083022',
  customerOrderId: '5281956426648',
  buyerId: 'B-1',
  customerEmailId: 'alias@relay.walmart.com',
  isGuest: false,
  orderType: 'PREORDER',
  orderDate: at('2026-10-01T10:00:00Z'),
  shippingInfo: {
    phone: '2145550100',
    estimatedShipDate: at('2026-10-06T07:00:00Z'),
    methodCode: 'Standard',
    postalAddress: {
      name: 'Ada Lovelace',
      address1: '1 Test Street',
      address2: 'Unit 2',
      city: 'Dallas',
      state: 'TX',
      postalCode: '75201',
      country: 'USA',
    },
  },
  orderLines: { orderLine: [first, second] },
}

const shipment = {
  carrier_code: 'UPS',
  carrier_name: 'UPS',
  service: 'Standard',
  tracking_url: 'https://ups.example',
  shipped_at: '2026-10-02T09:00:00.000000Z',
  delivered_at: null,
  location_remote_id: null,
}

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    remote_id: '1796277083022',
    number: '5281956426648',
    channel: 'walmart',
    marketplace: null,
    status: 'open',
    payment_status: 'partially_refunded',
    fulfillment_status: 'partial',
    remote_status: 'Acknowledged',
    hold_reason: null,
    currency: 'USD',
    subtotal: is('50.00'),
    discount_total: is('5.00'),
    shipping_total: is('5.00'),
    tax_total: is('3.60'),
    // 40 + 10 goods, 5 for sending, a fee of 0.50, less 5, and 3.60 tax.
    total: is('54.10'),
    fee_total: is('0.50'),
    refunded_total: is('12.30'),
    prices_include_tax: false,
    customer: {
      remote_id: 'B-1',
      email: 'alias@relay.walmart.com',
      first_name: null,
      last_name: 'Ada Lovelace',
      phone: '2145550100',
      is_guest: false,
    },
    billing_address: null,
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: null,
      last_name: null,
      company: null,
      line1: '1 Test Street',
      line2: 'Unit 2',
      line3: null,
      city: 'Dallas',
      region: 'TX',
      region_code: 'TX',
      postal_code: '75201',
      country_code: 'US',
      phone: '2145550100',
      email: null,
    },
    shipping_method: 'Standard',
    lines: [
      {
        remote_id: '1',
        sku: 'SKU-1',
        product_remote_id: null,
        variant_remote_id: 'SKU-1',
        title: 'Item 1',
        variant_title: null,
        quantity: 4,
        // What was paid back had been sent.
        quantity_fulfilled: 2,
        quantity_cancelled: 1,
        quantity_refunded: 1,
        unit_price: is('10.00'),
        discount: is('5.00'),
        tax: is('3.60'),
        total: is('35.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
      {
        remote_id: '2',
        sku: 'SKU-2',
        product_remote_id: null,
        variant_remote_id: 'SKU-2',
        title: 'Item 2',
        variant_title: null,
        quantity: 4,
        quantity_fulfilled: 4,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('2.50'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('10.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
    ],
    fees: [{ remote_id: null, title: 'Item', amount: is('0.50'), tax: is('0.00') }],
    refunds: [
      {
        ...{ remote_id: null, amount: is('12.30'), reason: null, refunded_at: null },
        lines: [{ order_line_remote_id: '1', quantity: 1, amount: is('12.30') }],
      },
    ],
    admin_url: 'https://seller.walmart.com/orders/manage-orders?orderGroups=All&poNumber=1796277083022',
    shipments: [
      {
        ...shipment,
        remote_id: '1Z1',
        status: 'shipped',
        tracking_number: '1Z1',
        lines: [
          { order_line_remote_id: '1', quantity: 1 },
          { order_line_remote_id: '1', quantity: 1 },
        ],
      },
      {
        ...shipment,
        remote_id: null,
        status: 'delivered',
        tracking_number: null,
        lines: [{ order_line_remote_id: '2', quantity: 4 }],
      },
    ],
    note: null,
    tags: ['PREORDER'],
    external_reference: null,
    acknowledged: true,
    test: false,
    placed_at: '2026-10-01T10:00:00.000000Z',
    ...orderDefaults,
    service_level: 'Standard',
    ship_by: '2026-10-06T07:00:00.000000Z',
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T10:00:00.000000Z',
    // By the line that has changed last.
    remote_updated_at: '2026-10-05T11:30:00.000000Z',
    remote_version: '2026-10-05T11:30:00.000000Z',
    raw: order,
  })
})

const withLines = (...orderLine: readonly object[]) => ({ ...order, orderLines: { orderLine } })

test('an order with as little as there can be', () => {
  const { estimatedShipDate: _, ...shippingInfo } = order.shippingInfo
  const bare = { ...withLines(), isGuest: true, orderType: 'REGULAR', shippingInfo }
  expect(toOrder(bare)).toMatchObject({
    currency: 'USD',
    total: is('0.00'),
    customer: { is_guest: true },
    tags: [],
    ship_by: null,
    lines: [],
    shipments: [],
    remote_updated_at: '2026-10-01T10:00:00.000000Z',
  })
  expect(toOrder({ ...bare, orderType: null }).tags).toEqual([])
})

test('what was taken off has a name that says so, or is below zero', () => {
  const charges = [
    charge('PRODUCT', 20),
    charge('SUBSCRIPTION_DISCOUNT', 2),
    charge('PRODUCT', 3, undefined, 'Item Discount'),
  ]
  expect(toOrder(withLines(line('1', [part('Created', 4)], charges)))).toMatchObject({
    subtotal: is('20.00'),
    discount_total: is('5.00'),
  })
})

test('a line of none has the price of its goods', () => {
  const none = { orderLineQuantity: { amount: '0' } }
  const translated = toOrder(withLines(line('1', [part('Cancelled', 0)], [charge('PRODUCT', 7)], none)))
  expect(translated.lines).toMatchObject([{ quantity: 0, unit_price: is('7.00') }])
})

describe('where it is sent', () => {
  const place = (fields: object) =>
    toOrder({
      ...order,
      shippingInfo: { ...order.shippingInfo, postalAddress: { ...order.shippingInfo.postalAddress, ...fields } },
    }).shipping_address

  test.each([
    ...['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'UM', 'CA', 'MX'].map((code) => [code, code]),
    ...[
      ['USA', 'US'],
      ['PRI', 'PR'],
      ['GUM', 'GU'],
      ['VIR', 'VI'],
      ['ASM', 'AS'],
    ],
    ...[
      ['MNP', 'MP'],
      ['UMI', 'UM'],
      ['CAN', 'CA'],
      ['MEX', 'MX'],
    ],
  ])('%s is %s', (country, code) => {
    expect(place({ country })?.country_code).toBe(code)
  })

  test('no other country', () => {
    expect(() => place({ country: 'FRA' })).toThrow('"FRA" is no code of a country.')
    expect(() => place({ country: 'us' })).toThrow('"us" is no code of a country.')
  })

  test('a state by its name has no code', () => {
    expect(place({ state: 'Texas' })).toMatchObject({ region: 'Texas', region_code: null })
    expect(place({ state: null })).toMatchObject({ region: null, region_code: null })
  })
})

describe('words', () => {
  const translate = (...parts: readonly object[]) => toOrder(withLines(line('1', parts, [charge('PRODUCT', 10)])))

  test.each([
    [['Created'], 'open', 'unfulfilled', 'Created', false],
    [['Acknowledged'], 'open', 'unfulfilled', 'Acknowledged', true],
    [['Shipped', 'Acknowledged'], 'open', 'partial', 'Acknowledged', true],
    [['Refund', 'Created'], 'open', 'partial', 'Created', false],
    [['Shipped', 'Delivered'], 'completed', 'fulfilled', 'Shipped', true],
    [['Shipped', 'Cancelled'], 'completed', 'fulfilled', 'Shipped', true],
    [['Refund'], 'completed', 'fulfilled', 'Refund', true],
    [['Delivered', 'Cancelled'], 'completed', 'delivered', 'Delivered', true],
    [['Cancelled'], 'cancelled', 'unfulfilled', 'Cancelled', true],
  ])('%j is %s', (words, status, sent, word, acknowledged) => {
    expect(translate(...words.map((one) => part(one, 1)))).toMatchObject({
      status,
      fulfillment_status: sent,
      remote_status: word,
      acknowledged,
    })
  })

  test('that nobody knows hold the order', () => {
    const held = { status: 'on_hold', hold_reason: 'unknown status: Lost', remote_status: 'Lost' }
    expect(translate(part('Lost', 1))).toMatchObject(held)
    expect(() => translate({ ...part('Created', 1), statusQuantity: { amount: '1.5' } })).toThrow(
      '"1.5" is no quantity',
    )
  })

  test('why it was cancelled', () => {
    const cancelled = translate(
      part('Cancelled', 1),
      part('Cancelled', 1, { cancellationReason: '' }),
      part('Cancelled', 1, { cancellationReason: 'CUSTOMER' }),
    )
    expect(cancelled).toMatchObject({
      payment_status: 'voided',
      cancelled_at: '2026-10-03T09:00:00.000000Z',
      cancel_reason: 'CUSTOMER',
    })
    expect(translate(part('Cancelled', 1)).cancel_reason).toBeNull()
  })

  test('of money', () => {
    const paidBack = (amount: number, tax?: number) =>
      toOrder(
        withLines(
          line('1', [part('Refund', 4)], [charge('PRODUCT', 20, 1.6)], {
            refund: { refundCharges: { refundCharge: [{ charge: charge('PRODUCT', -amount, tax) }] } },
          }),
        ),
      )
    expect(paidBack(20, -1.6)).toMatchObject({ payment_status: 'refunded', refunded_total: is('21.60') })
    expect(paidBack(20)).toMatchObject({ payment_status: 'partially_refunded', refunded_total: is('20.00') })
    expect(translate(part('Created', 1))).toMatchObject({ payment_status: 'paid', refunded_total: is('0.00') })
    const empty = { refund: { refundCharges: {} } }
    expect(toOrder(withLines(line('1', [part('Created', 1)], [charge('PRODUCT', 20)], empty))).payment_status).toBe(
      'paid',
    )
  })
})

describe('parcels', () => {
  const parcels = (...parts: readonly object[]) =>
    toOrder(withLines(line('1', parts, [charge('PRODUCT', 10)]))).shipments

  test('only what was sent, and sent with something', () => {
    expect(parcels(part('Shipped', 1), part('Created', 1, tracking('1Z9')))).toEqual([])
  })

  test('have arrived when all of it has', () => {
    expect(parcels(part('Delivered', 1, tracking('1Z1')), part('Shipped', 1, tracking('1Z1')))).toMatchObject([
      { status: 'shipped', lines: [{ quantity: 1 }, { quantity: 1 }] },
    ])
  })

  test('of carriers that Walmart does not know', () => {
    const odd = tracking('X', { carrierName: { otherCarrier: 'Bike' }, shipDateTime: null })
    expect(parcels(part('Shipped', 1, odd))).toMatchObject([
      { carrier_code: null, carrier_name: 'Bike', shipped_at: null },
    ])
    expect(parcels(part('Shipped', 1, tracking('X', { carrierName: null })))).toMatchObject([{ carrier_name: null }])
  })
})
