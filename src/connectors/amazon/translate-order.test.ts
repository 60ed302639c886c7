import { describe, expect, test } from 'vitest'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import type { AmazonFacts } from './settings.ts'
import { toOrder } from './translate-order.ts'

const us: AmazonFacts = { shop: 'a2seller', settings: { marketplace: 'US' } }
const usd = (amount: string) => ({ amount, currencyCode: 'USD' })
const is = (amount: string) => ({ amount, currency: 'USD' })
const part = (type: string, amount: string) => ({ type, subtotal: usd(amount) })

const item = {
  orderItemId: '111',
  quantityOrdered: 5,
  product: { asin: 'B01', sellerSku: 'MUG', title: 'Mug', price: { unitPrice: usd('10.00') } },
  proceeds: {
    proceedsTotal: usd('52.50'),
    breakdowns: [part('ITEM', '50.00'), part('DISCOUNT', '-2.00'), part('TAX', '4.50')],
  },
  fulfillment: { quantityFulfilled: 2, quantityUnfulfilled: 1 },
}
const open = {
  orderItemId: '112',
  quantityOrdered: 2,
  product: { asin: 'B02', sellerSku: 'CUP' },
  proceeds: { proceedsTotal: usd('15.00'), breakdowns: [part('ITEM', '15.00')] },
  fulfillment: { quantityFulfilled: 0, quantityUnfulfilled: 2 },
}

const order = {
  orderId: '123-4567890-1234567',
  orderAliases: [
    { aliasType: 'OTHER', aliasId: 'x' },
    { aliasType: 'SELLER_ORDER_ID', aliasId: 'SO-1' },
  ],
  salesChannel: { marketplaceId: 'ATVPDKIKX0DER', marketplaceName: 'Amazon.com' },
  programs: ['PRIME', 'AMAZON_BUSINESS'],
  buyer: { buyerName: 'Ada Lovelace', buyerEmail: 'alias@marketplace.amazon.com' },
  recipient: {
    deliveryAddress: {
      name: 'Ada Lovelace',
      companyName: 'Engines',
      addressLine1: '1 Test Street',
      addressLine2: 'Unit 2',
      addressLine3: 'Door 3',
      city: 'Seattle',
      stateOrRegion: 'WA',
      postalCode: '98101',
      countryCode: 'US',
      phone: '206-555-0100',
    },
    deliveryPreference: { addressInstruction: 'Ring twice' },
  },
  fulfillment: {
    fulfillmentStatus: 'PARTIALLY_SHIPPED',
    fulfilledBy: 'MERCHANT',
    fulfillmentServiceLevel: 'STANDARD',
    shipByWindow: { latestDateTime: '2026-10-06T06:59:59Z' },
  },
  proceeds: {
    grandTotal: usd('73.49'),
    breakdowns: [
      part('ITEM', '65.00'),
      part('DISCOUNT', '-2.00'),
      part('SHIPPING', '5.99'),
      part('TAX', '4.00'),
      part('TAX', '0.50'),
    ],
  },
  orderItems: [item, open],
  packages: [
    {
      packageReferenceId: 'PKG-1',
      carrier: 'UPS',
      shippingService: 'Ground',
      trackingNumber: '1Z999',
      shipTime: '2026-10-02T09:00:00Z',
      packageStatus: { status: 'IN_TRANSIT' },
      packageItems: [{ orderItemId: '111', quantity: 2 }],
    },
    { packageReferenceId: 'PKG-2' },
  ],
  createdTime: '2026-10-01T10:00:00Z',
  lastUpdatedTime: '2026-10-05T11:30:00Z',
}

test('an order with everything', () => {
  expect(toOrder(order, us)).toEqual({
    remote_id: '123-4567890-1234567',
    number: '123-4567890-1234567',
    channel: 'amazon',
    marketplace: 'Amazon.com',
    status: 'open',
    payment_status: 'paid',
    fulfillment_status: 'partial',
    remote_status: 'PARTIALLY_SHIPPED',
    hold_reason: null,
    currency: 'USD',
    subtotal: is('65.00'),
    discount_total: is('2.00'),
    shipping_total: is('5.99'),
    tax_total: is('4.50'),
    total: is('73.49'),
    fee_total: is('0.00'),
    refunded_total: null,
    prices_include_tax: false,
    customer: {
      remote_id: null,
      email: 'alias@marketplace.amazon.com',
      first_name: null,
      last_name: 'Ada Lovelace',
      phone: null,
      is_guest: false,
    },
    billing_address: null,
    shipping_address: {
      name: 'Ada Lovelace',
      first_name: null,
      last_name: null,
      company: 'Engines',
      line1: '1 Test Street',
      line2: 'Unit 2',
      line3: 'Door 3',
      city: 'Seattle',
      region: 'WA',
      region_code: null,
      postal_code: '98101',
      country_code: 'US',
      phone: '206-555-0100',
      email: null,
    },
    shipping_method: 'STANDARD',
    lines: [
      {
        remote_id: '111',
        sku: 'MUG',
        product_remote_id: null,
        variant_remote_id: 'MUG',
        title: 'Mug',
        variant_title: null,
        quantity: 5,
        quantity_fulfilled: 2,
        // Of five two were sent and one is due.
        quantity_cancelled: 2,
        quantity_refunded: 0,
        unit_price: is('10.00'),
        discount: is('2.00'),
        tax: is('4.50'),
        total: is('48.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
      {
        remote_id: '112',
        sku: 'CUP',
        product_remote_id: null,
        variant_remote_id: 'CUP',
        title: 'CUP',
        variant_title: null,
        quantity: 2,
        quantity_fulfilled: 0,
        // What is due is not cancelled.
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('7.50'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('15.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
    ],
    fees: [],
    refunds: [],
    admin_url: 'https://sellercentral.amazon.com/orders-v3/order/123-4567890-1234567',
    shipments: [
      {
        remote_id: 'PKG-1',
        status: 'in_transit',
        carrier_code: null,
        carrier_name: 'UPS',
        service: 'Ground',
        tracking_number: '1Z999',
        tracking_url: null,
        shipped_at: '2026-10-02T09:00:00.000000Z',
        delivered_at: null,
        location_remote_id: null,
        lines: [{ order_line_remote_id: '111', quantity: 2 }],
      },
      {
        remote_id: 'PKG-2',
        status: 'shipped',
        carrier_code: null,
        carrier_name: null,
        service: null,
        tracking_number: null,
        tracking_url: null,
        shipped_at: null,
        delivered_at: null,
        location_remote_id: null,
        lines: [],
      },
    ],
    note: 'Ring twice',
    tags: ['PRIME', 'AMAZON_BUSINESS'],
    external_reference: 'SO-1',
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T10:00:00.000000Z',
    ...orderDefaults,
    service_level: 'STANDARD',
    fulfilled_by: 'merchant',
    ship_by: '2026-10-06T06:59:59.000000Z',
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T10:00:00.000000Z',
    remote_updated_at: '2026-10-05T11:30:00.000000Z',
    remote_version: '2026-10-05T11:30:00.000000Z',
    raw: order,
  })
})

describe('orders that are pending', () => {
  const bareItem = { orderItemId: '113', quantityOrdered: 3, product: { asin: 'B03' } }
  const bare = {
    orderId: '1',
    salesChannel: { marketplaceId: 'A1VC38T7YXB528' },
    fulfillment: { fulfillmentStatus: 'PENDING', fulfilledBy: 'AMAZON' },
    orderItems: [bareItem, { ...bareItem, orderItemId: '114', product: {}, quantityOrdered: 0 }],
    createdTime: '2026-10-01T10:00:00Z',
    lastUpdatedTime: '2026-10-01T10:00:00Z',
  }

  test('have no amounts yet: their marketplace knows the currency', () => {
    const yen = (amount: string) => ({ amount, currency: 'JPY' })
    expect(toOrder(bare, us)).toMatchObject({
      marketplace: 'A1VC38T7YXB528',
      currency: 'JPY',
      fulfilled_by: 'platform',
      subtotal: yen('0'),
      total: yen('0'),
      customer: null,
      shipping_address: null,
      shipping_method: null,
      shipments: [],
      note: null,
      tags: [],
      external_reference: null,
      ship_by: null,
      lines: [
        { sku: null, title: 'B03', quantity_fulfilled: 0, quantity_cancelled: 0, unit_price: yen('0') },
        { title: '114', quantity: 0, unit_price: yen('0') },
      ],
    })
    expect(toOrder(bare, us).lines[0]?.requires_shipping).toBe(false)
    expect(toOrder({ ...bare, salesChannel: {} }, us)).toMatchObject({ currency: 'USD', marketplace: null })
  })

  test('may know prices of pieces, and what lines come to', () => {
    const eur = (amount: string) => ({ amount, currencyCode: 'EUR' })
    const priced = { ...bareItem, product: { asin: 'B03', price: { unitPrice: eur('4.20') } } }
    expect(toOrder({ ...bare, orderItems: [priced] }, us)).toMatchObject({
      currency: 'EUR',
      total: { amount: '0.00' },
      lines: [{ unit_price: { amount: '4.20' }, total: { amount: '12.60' } }],
    })
    const reported = {
      ...bareItem,
      proceeds: { proceedsTotal: eur('12.60'), breakdowns: [{ type: 'ITEM', subtotal: eur('12.60') }] },
    }
    expect(toOrder({ ...bare, orderItems: [reported, { ...reported, orderItemId: '9' }, bareItem] }, us)).toMatchObject(
      {
        currency: 'EUR',
        subtotal: { amount: '25.20' },
        total: { amount: '25.20' },
        lines: [{ unit_price: { amount: '4.20' }, total: { amount: '12.60' } }, {}, {}],
      },
    )
  })
})

test('who has no city has a municipality', () => {
  const deliveryAddress = { municipality: 'Bandeirantes', countryCode: 'BR' }
  expect(toOrder({ ...order, recipient: { deliveryAddress } }, us)).toMatchObject({
    shipping_address: { city: 'Bandeirantes' },
    note: null,
  })
  expect(toOrder({ ...order, recipient: {} }, us).shipping_address).toBeNull()
})

test('more sent than ordered is no negative number of cancelled ones', () => {
  const fulfillment = { quantityFulfilled: 6 }
  expect(toOrder({ ...order, orderItems: [{ ...item, fulfillment }] }, us).lines[0]?.quantity_cancelled).toBe(0)
})

describe('words', () => {
  const changed = '2026-10-05T11:30:00.000000Z'

  test.each([
    ['PENDING_AVAILABILITY', 'pending', 'pending', 'unfulfilled', null],
    ['PENDING', 'pending', 'pending', 'unfulfilled', null],
    ['UNSHIPPED', 'open', 'paid', 'unfulfilled', null],
    ['PARTIALLY_SHIPPED', 'open', 'paid', 'partial', null],
    ['SHIPPED', 'completed', 'paid', 'fulfilled', null],
    ['CANCELLED', 'cancelled', 'unknown', 'unfulfilled', changed],
    ['UNFULFILLABLE', 'cancelled', 'unknown', 'unfulfilled', changed],
  ])('%s is %s', (fulfillmentStatus, status, paid, sent, at) => {
    expect(toOrder({ ...order, fulfillment: { ...order.fulfillment, fulfillmentStatus } }, us)).toMatchObject({
      status,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: fulfillmentStatus,
      cancelled_at: at,
    })
  })

  const withParcels = (fulfillmentStatus: string, ...statuses: readonly string[]) =>
    toOrder(
      {
        ...order,
        fulfillment: { ...order.fulfillment, fulfillmentStatus },
        packages: statuses.map((status, n) => ({ packageReferenceId: `P${n}`, packageStatus: { status } })),
      },
      us,
    )

  test('an order has arrived when all of it has', () => {
    expect(withParcels('SHIPPED', 'DELIVERED', 'DELIVERED').fulfillment_status).toBe('delivered')
    expect(withParcels('SHIPPED', 'DELIVERED', 'IN_TRANSIT').fulfillment_status).toBe('fulfilled')
    expect(withParcels('SHIPPED').fulfillment_status).toBe('fulfilled')
    expect(withParcels('PARTIALLY_SHIPPED', 'DELIVERED').fulfillment_status).toBe('partial')
  })

  test('of parcels', () => {
    const words = ['PENDING', 'SHIPPED', 'IN_TRANSIT', 'DELIVERED', 'CANCELLED', 'UNDELIVERABLE']
    expect(withParcels('SHIPPED', ...words).shipments.map(({ status }) => status)).toEqual([
      ...['pending', 'shipped', 'in_transit', 'delivered', 'cancelled', 'failed'],
    ])
  })

  test('that nobody knows hold the order', () => {
    expect(withParcels('ASLEEP')).toMatchObject({ status: 'on_hold', hold_reason: 'unknown status: ASLEEP' })
    expect(() => withParcels('SHIPPED', 'LOST')).toThrow('Unknown value of "status": LOST.')
  })

  test('a wish to cancel is one until somebody has cancelled or sent it', () => {
    const wish = { cancellationRequest: { requester: 'BUYER', cancelReason: 'Changed mind' } }
    const asked = (fulfillmentStatus: string, cancellation: object) =>
      toOrder(
        {
          ...order,
          fulfillment: { ...order.fulfillment, fulfillmentStatus },
          orderItems: [item, { ...item, cancellation }],
        },
        us,
      ).cancel_requested
    expect(asked('UNSHIPPED', wish)).toBe(true)
    expect(asked('PENDING', wish)).toBe(true)
    expect(asked('UNSHIPPED', {})).toBe(false)
    expect(asked('UNSHIPPED', { ...wish, cancellationExecution: { cancelledBy: 'MERCHANT' } })).toBe(false)
    expect(asked('SHIPPED', wish)).toBe(false)
    expect(asked('CANCELLED', wish)).toBe(false)
  })

  test('why it was cancelled, done before asked', () => {
    const cancelled = (...cancellations: readonly object[]) =>
      toOrder(
        {
          ...order,
          fulfillment: { ...order.fulfillment, fulfillmentStatus: 'CANCELLED' },
          orderItems: cancellations.map((cancellation) => ({ ...item, cancellation })),
        },
        us,
      ).cancel_reason
    const done = { cancellationExecution: { cancelReason: 'NO_INVENTORY' } }
    const asked = { cancellationRequest: { cancelReason: 'BUYER' } }
    expect(cancelled({ ...asked, ...done })).toBe('NO_INVENTORY')
    expect(cancelled({}, asked)).toBe('BUYER')
    expect(cancelled({})).toBeNull()
  })
})
