import { describe, expect, test } from 'vitest'
import { address, bare, contact, is, line, order, shipment, usd } from '../../../test/support/samples/ebay-order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { toOrder } from './translate-order.ts'

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    remote_id: '12-34567-89012',
    number: '12-34567-89012',
    channel: 'ebay',
    marketplace: 'EBAY_US',
    status: 'open',
    payment_status: 'partially_refunded',
    fulfillment_status: 'partial',
    remote_status: 'IN_PROGRESS',
    hold_reason: null,
    currency: 'USD',
    subtotal: is('39.50'),
    // On the goods and on the way to the buyer.
    discount_total: is('9.75'),
    shipping_total: is('5.00'),
    tax_total: is('1.50'),
    total: is('36.25'),
    // Neither what is still to be paid back nor what could not be.
    fee_total: is('0.00'),
    refunded_total: is('13.50'),
    prices_include_tax: null,
    customer: {
      remote_id: 'ada',
      email: 'alias@members.ebay.com',
      first_name: null,
      last_name: null,
      phone: '4085550100',
      is_guest: false,
    },
    billing_address: { ...address, email: 'home@example.com' },
    shipping_address: address,
    shipping_method: 'USPSPriority',
    lines: [
      {
        remote_id: 'L1',
        sku: 'MUG',
        product_remote_id: null,
        variant_remote_id: 'MUG',
        title: 'Mug',
        variant_title: 'Blue / L',
        quantity: 3,
        quantity_fulfilled: 2,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('12.50'),
        discount: is('7.50'),
        tax: is('1.50'),
        total: is('30.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
      {
        remote_id: 'L2',
        sku: null,
        product_remote_id: null,
        variant_remote_id: null,
        title: 'Card',
        variant_title: null,
        quantity: 1,
        quantity_fulfilled: 1,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('2.00'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('2.00'),
        ...lineDefaults,
        requires_shipping: null,
      },
    ],
    fees: [],
    refunds: [
      { remote_id: null, amount: is('3.00'), reason: null, refunded_at: null, lines: [] },
      { remote_id: null, amount: is('0.50'), reason: null, refunded_at: null, lines: [] },
      { remote_id: null, amount: is('10.00'), reason: null, refunded_at: null, lines: [] },
    ],
    admin_url: 'https://www.ebay.com/mesh/ord/details?orderid=12-34567-89012',
    shipments: [
      {
        ...shipment,
        remote_id: '940015',
        carrier_code: 'USPS',
        carrier_name: 'USPS',
        tracking_number: '940015',
        shipped_at: '2026-10-02T09:00:00.000000Z',
        lines: [
          { order_line_remote_id: 'L1', quantity: 2 },
          { order_line_remote_id: 'L2', quantity: 1 },
        ],
      },
      { ...shipment, remote_id: '999' },
      { ...shipment, remote_id: '999-2' },
    ],
    note: 'Ring twice',
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T10:00:00.000000Z',
    ...orderDefaults,
    fulfilled_by: 'merchant',
    ship_by: '2026-10-05T06:59:59.000000Z',
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T10:00:00.000000Z',
    remote_updated_at: '2026-10-05T11:30:00.000000Z',
    remote_version: '2026-10-05T11:30:00.000000Z',
    raw: order,
  })
})

test('an order with as little as there can be', () => {
  const { fulfillments: _, fulfillmentStartInstructions: __, paymentSummary: ___, ...rest } = order
  const translated = toOrder({ ...rest, buyer: null, pricingSummary: { total: usd('36.25') }, lineItems: [] })
  expect(translated).toMatchObject({
    marketplace: null,
    subtotal: is('0.00'),
    discount_total: is('0.00'),
    shipping_total: is('0.00'),
    tax_total: is('0.00'),
    refunded_total: is('0.00'),
    customer: null,
    billing_address: null,
    shipping_address: null,
    shipping_method: null,
    lines: [],
    shipments: [],
    ship_by: null,
  })
})

test('who fetches the goods is known by the address of the account', () => {
  const translated = toOrder({ ...order, fulfillmentStartInstructions: [{ pickupStep: {} }] })
  expect(translated).toMatchObject({ customer: { email: 'home@example.com' }, shipping_address: null })
  const nameless = toOrder({ ...order, fulfillmentStartInstructions: [], buyer: { username: 'ada' } })
  expect(nameless.customer).toEqual({
    remote_id: 'ada',
    email: null,
    first_name: null,
    last_name: null,
    phone: null,
    is_guest: false,
  })
})

test('where a line names no market to buy in, the one it was offered in counts', () => {
  const translated = toOrder({ ...order, lineItems: [{ ...line, purchaseMarketplaceId: null }] })
  expect(translated.marketplace).toBe('EBAY_GB')
})

test('parcels that hold more than was ordered count as what was ordered', () => {
  const parcel = { fulfillmentId: '1', lineItems: [{ lineItemId: 'L1', quantity: 9 }] }
  expect(toOrder({ ...order, fulfillments: [parcel] }).lines[0]?.quantity_fulfilled).toBe(3)
})

describe('words', () => {
  test.each([
    ['PENDING', 'NOT_STARTED', 'pending', 'pending', 'unfulfilled', 'PENDING'],
    ['FAILED', 'NOT_STARTED', 'pending', 'failed', 'unfulfilled', 'FAILED'],
    ['PAID', 'NOT_STARTED', 'open', 'paid', 'unfulfilled', 'NOT_STARTED'],
    ['PAID', 'IN_PROGRESS', 'open', 'paid', 'partial', 'IN_PROGRESS'],
    ['PAID', 'FULFILLED', 'completed', 'paid', 'fulfilled', 'FULFILLED'],
    ['FULLY_REFUNDED', 'FULFILLED', 'completed', 'refunded', 'fulfilled', 'FULFILLED'],
  ])('%s and %s is %s', (orderPaymentStatus, orderFulfillmentStatus, status, paid, sent, word) => {
    expect(toOrder({ ...order, orderPaymentStatus, orderFulfillmentStatus })).toMatchObject({
      status,
      payment_status: paid,
      fulfillment_status: sent,
      remote_status: word,
    })
  })

  test.each(['NEW', 'toString'])('%s is no word that we know, and holds the order', (word) => {
    for (const name of ['orderPaymentStatus', 'orderFulfillmentStatus']) {
      const held = { status: 'on_hold', hold_reason: `unknown status: ${word}`, remote_status: word }
      expect(toOrder({ ...order, [name]: word })).toMatchObject(held)
    }
  })

  test('what was cancelled says when and why', () => {
    const requests = [{ cancelReason: null }, { cancelReason: 'BUYER_CANCEL_ORDER' }, { cancelReason: 'OTHER' }]
    const cancelStatus = {
      cancelState: 'CANCELED',
      cancelledDate: '2026-10-03T08:00:00.000Z',
      cancelRequests: requests,
    }
    expect(toOrder({ ...order, cancelStatus })).toMatchObject({
      status: 'cancelled',
      remote_status: 'CANCELED',
      cancelled_at: '2026-10-03T08:00:00.000000Z',
      cancel_reason: 'BUYER_CANCEL_ORDER',
      lines: [{ quantity_cancelled: 3 }, { quantity_cancelled: 1 }],
    })
    expect(toOrder({ ...order, cancelStatus: { cancelState: 'CANCELED' } })).toMatchObject({
      cancelled_at: null,
      cancel_reason: null,
    })
    expect(toOrder({ ...order, cancelStatus: { ...cancelStatus, cancelState: 'IN_PROGRESS' } })).toMatchObject({
      status: 'open',
      cancelled_at: null,
      cancel_reason: null,
    })
  })
})

test('a parcel for the hub has the reference that the hub knows it by, right above the street', () => {
  const raw = (companyName?: string) => ({
    ...order,
    fulfillmentStartInstructions: [
      { shippingStep: { shipTo: { ...contact, companyName }, shipToReferenceId: '3000123456789' } },
    ],
  })
  expect(toOrder(raw()).shipping_address).toMatchObject({ company: '3000123456789', line1: '1 Test Street' })
  expect(toOrder(raw('Hub')).shipping_address).toMatchObject({ company: 'Hub, 3000123456789', line2: 'Unit 2' })
  expect(toOrder(raw('Hub')).billing_address?.company).not.toBe('Hub, 3000123456789')
})

describe('a wish to cancel', () => {
  const wished = (cancelState: string, ...cancelRequests: object[]) =>
    toOrder({ ...order, cancelStatus: { cancelState, cancelRequests } }).cancel_requested
  const request = (cancelInitiator: string, cancelRequestState: string) => ({ cancelInitiator, cancelRequestState })

  test.each([
    ['that the buyer has is told', true, 'IN_PROGRESS', [request('BUYER', 'REQUESTED')]],
    ['that a list only hints at is told', true, 'IN_PROGRESS', []],
    ['of the seller is none of the buyer’s', false, 'IN_PROGRESS', [request('SELLER', 'REQUESTED')]],
    ['that was rejected is none', false, 'NONE_REQUESTED', [request('BUYER', 'REJECTED')]],
    ['that came true is none any longer', false, 'CANCELED', [request('BUYER', 'COMPLETED')]],
  ] as const)('%s', (_, is, state, requests) => {
    expect(wished(state, ...requests)).toBe(is)
  })
})

test('who sends, tax numbers and gifts are told where eBay tells them', () => {
  const gift = { message: 'For you', recipientEmail: 'ada@example.com', senderName: 'Byron' }
  expect(
    toOrder({
      ...order,
      buyer: { username: 'ada', taxIdentifier: { taxpayerId: 'RSSMRA80', taxIdentifierType: 'CODICE_FISCALE' } },
      fulfillmentStartInstructions: [{ fulfillmentInstructionsType: 'FULFILLED_BY_EBAY' }],
      lineItems: [{ ...line, giftDetails: gift }],
    }),
  ).toMatchObject({
    fulfilled_by: 'platform',
    tax_ids: [{ kind: 'CODICE_FISCALE', value: 'RSSMRA80' }],
    lines: [
      { attributes: [{ name: 'gift_message', value: 'For you' }, { name: 'gift_recipient' }, { name: 'gift_sender' }] },
    ],
  })
})

describe('refunds for single lines', () => {
  const part = (refundId: string, value: string) => ({
    ...{ refundId, amount: usd(value), refundDate: '2026-10-04T09:00:00.000Z' },
  })
  const made = { refundId: 'R1', refundStatus: 'REFUNDED', amount: usd('6.00'), refundDate: '2026-10-04T09:00:00.000Z' }
  const refundsOf = (first: readonly object[], second: readonly object[]) =>
    toOrder({
      ...order,
      lineItems: [
        { ...line, refunds: first },
        { ...bare, refunds: second },
      ],
      paymentSummary: { refunds: [made] },
    })

  test('name the lines that they were for, and how much of each', () => {
    const { refunds, refunded_total: total } = refundsOf([part('R1', '4.00')], [part('R1', '2.00')])
    expect(total).toEqual(is('6.00'))
    expect(refunds).toEqual([
      {
        ...{ remote_id: 'R1', amount: is('6.00'), reason: null, refunded_at: '2026-10-04T09:00:00.000000Z' },
        lines: [
          { order_line_remote_id: 'L1', quantity: 0, amount: is('4.00') },
          { order_line_remote_id: 'L2', quantity: 0, amount: is('2.00') },
        ],
      },
    ])
  })

  test('count although the order does not name them', () => {
    const { refunds, refunded_total: total } = refundsOf([part('R2', '1.50')], [part('R2', '0.50')])
    expect(total).toEqual(is('8.00'))
    expect(refunds.map(({ remote_id: id, amount, lines }) => [id, amount, lines.length])).toEqual([
      ['R1', is('6.00'), 0],
      ['R2', is('2.00'), 2],
    ])
  })
})

test.each([
  ['was sent', { fulfillmentHrefs: ['https://api.ebay.com/…'] }, true],
  ['is to be cancelled', { cancelStatus: { cancelState: 'IN_PROGRESS', cancelRequests: [] } }, true],
  ['is neither', {}, false],
  ['was sent, and was asked for by itself', { fulfillmentHrefs: ['https://api.ebay.com/…'], fulfillments: [] }, false],
])('a listed order that %s is incomplete: %j', (_, told, incomplete) => {
  const { fulfillments: _parcels, ...listed } = order
  expect(toOrder({ ...listed, ...told }).incomplete).toBe(incomplete)
})
