import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { remoteOrderSchema } from '../../commerce/order.ts'
import { fulfillmentFor, statuses } from './statuses.ts'
import { toOrder } from './translate-order.ts'

const facts = { shop: 'ada-cups.squarespace.com' }
const money = (value: string | number, currency = 'EUR') => ({ currency, value })
const rawLine = {
  ...{ id: '65c3d2e4f9b6000000000001', lineItemType: 'PHYSICAL_PRODUCT', productId: 'p1', variantId: 'v1' },
  ...{ productName: 'Cup', sku: 'CUP-1', quantity: 2, unitPricePaid: money('12.50') },
  ...{ variantOptions: null, customizations: null },
}
const place = {
  ...{ firstName: 'Ada', lastName: 'Byron', address1: 'Dock 1', address2: '', city: 'Gent', state: 'VOV' },
  ...{ countryCode: 'be', postalCode: '9000', phone: '123' },
}
const rawOrder = {
  ...{ id: '65a1f0c2b7d4000000000001', orderNumber: '17', testmode: false, channel: 'web', channelName: null },
  ...{ createdOn: '2026-10-01T08:00:00.5Z', modifiedOn: '2026-10-02T09:00:00.187Z' },
  ...{ customerEmail: 'ada@example.com', customerId: null, externalOrderReference: null },
  ...{ billingAddress: place, shippingAddress: place, fulfillmentStatus: 'PENDING', paymentState: 'PAID' },
  ...{ priceTaxInterpretation: 'EXCLUSIVE', fulfillments: null, lineItems: [rawLine], discountLines: null },
  ...{ shippingLines: [{ method: 'By boat', amount: money('5.00') }], formSubmission: null, internalNotes: null },
  ...{ subtotal: money('25.00'), shippingTotal: money('5.00'), discountTotal: money('2.50'), taxTotal: money('1.10') },
  ...{ refundedTotal: money('0.00'), grandTotal: money('28.60') },
}
const order = (change: object) => toOrder({ ...rawOrder, ...change }, facts)

test('an order is told in our words, and adds up', () => {
  const made = order({})
  expect([...Value.Errors(remoteOrderSchema, made)]).toEqual([])
  expect(whatDoesNotAddUp(made)).toEqual([])
  const where = {
    ...{ name: null, first_name: 'Ada', last_name: 'Byron', company: null, line1: 'Dock 1', line2: null, line3: null },
    ...{ city: 'Gent', region: 'VOV', region_code: null, postal_code: '9000', country_code: 'BE', phone: '123' },
    email: 'ada@example.com',
  }
  const euro = (amount: string) => ({ amount, currency: 'EUR' })
  const { raw, ...told } = made
  expect(raw).toEqual(rawOrder)
  expect(told).toEqual({
    ...{ remote_id: '65a1f0c2b7d4000000000001', number: '17', channel: 'squarespace', marketplace: null },
    ...{ status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled', remote_status: 'PENDING/PAID' },
    ...{ hold_reason: null, currency: 'EUR', subtotal: euro('25.00'), discount_total: euro('2.50') },
    ...{ shipping_total: euro('5.00'), tax_total: euro('1.10'), fee_total: euro('0.00'), total: euro('28.60') },
    ...{ refunded_total: euro('0.00'), prices_include_tax: false, presentment: null, purchase_order: null },
    customer: {
      ...{ remote_id: null, email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron', phone: '123' },
      is_guest: true,
    },
    ...{ billing_address: where, shipping_address: where, shipping_method: 'By boat', service_level: null },
    ...{
      sales_channel: 'web',
      fees: [],
      refunds: [],
      shipments: [],
      note: null,
      attributes: [],
      tags: [],
      tax_ids: [],
    },
    admin_url: 'https://ada-cups.squarespace.com/config/commerce/orders/65a1f0c2b7d4000000000001',
    ...{ fulfilled_by: 'merchant', external_reference: null, acknowledged: null, test: false, incomplete: false },
    ...{ placed_at: '2026-10-01T08:00:00.500000Z', ship_by: null, cancelled_at: null, cancel_reason: null },
    ...{ cancel_requested: false, remote_created_at: '2026-10-01T08:00:00.500000Z' },
    remote_updated_at: '2026-10-02T09:00:00.187000Z',
    remote_version: '2026-10-02T09:00:00.187000Z',
    lines: [
      {
        ...{ remote_id: rawLine.id, sku: 'CUP-1', product_remote_id: 'p1', variant_remote_id: 'v1', title: 'Cup' },
        ...{ variant_title: null, quantity: 2, quantity_fulfilled: 0, quantity_cancelled: 0, quantity_refunded: 0 },
        ...{ unit_price: euro('12.50'), discount: euro('0.00'), tax: euro('0.00'), total: euro('25.00') },
        ...{ attributes: [], requires_shipping: true },
      },
    ],
  })
})

test('who bought, by what channel and under which number of somebody else’s, as far as that is told', () => {
  const known = { customerId: 'c1', channelName: 'Faire', externalOrderReference: 'EXT-1', testmode: true }
  expect(order(known)).toMatchObject({
    ...{
      customer: { remote_id: 'c1', is_guest: false },
      sales_channel: 'Faire',
      external_reference: 'EXT-1',
      test: true,
    },
  })
  expect(order({ customerEmail: null }).customer).toBeNull()
  expect(order({ customerId: 'c1', customerEmail: null, billingAddress: null }).customer).toEqual({
    ...{ remote_id: 'c1', email: null, first_name: null, last_name: null, phone: null, is_guest: false },
  })
  expect(order({ priceTaxInterpretation: 'INCLUSIVE' }).prices_include_tax).toBe(true)
  expect(order({ priceTaxInterpretation: null }).prices_include_tax).toBeNull()
  expect(order({ billingAddress: { ...place, countryCode: null } }).billing_address).toMatchObject({
    country_code: null,
  })
})

describe('the words for goods and money', () => {
  test.each([
    ['PENDING', 'PAID', 'open', 'paid', 'unfulfilled'],
    ['PENDING', 'AUTHORIZED', 'open', 'authorized', 'unfulfilled'],
    ['PENDING', 'PENDING', 'pending', 'pending', 'unfulfilled'],
    ['PENDING', 'NOT_CHARGED', 'pending', 'pending', 'unfulfilled'],
    ['PENDING', 'PARTIALLY_PAID', 'pending', 'partially_paid', 'unfulfilled'],
    ['PENDING', 'FAILED', 'pending', 'failed', 'unfulfilled'],
    ['PENDING', 'REFUNDED', 'open', 'refunded', 'unfulfilled'],
    ['PENDING', 'REFUND_PENDING', 'open', 'paid', 'unfulfilled'],
    ['PENDING', 'REFUND_FAILED', 'open', 'paid', 'unfulfilled'],
    ['PENDING', null, 'open', 'unknown', 'unfulfilled'],
    ['FULFILLED', 'PAID', 'completed', 'paid', 'fulfilled'],
    ['FULFILLED', 'PENDING', 'completed', 'pending', 'fulfilled'],
    ['FULFILLED', 'BARTERED', 'completed', 'unknown', 'fulfilled'],
    ['CANCELED', 'REFUNDED', 'cancelled', 'refunded', 'unfulfilled'],
  ])('%s and %s are %s, %s and %s', (fulfillmentStatus, paymentState, status, payment_status, fulfillment_status) => {
    expect(order({ fulfillmentStatus, paymentState })).toMatchObject({
      ...{ status, payment_status, fulfillment_status, hold_reason: null },
      lines: [
        {
          quantity_fulfilled: status === 'completed' ? 2 : 0,
          quantity_cancelled: status === 'cancelled' ? 2 : 0,
        },
      ],
      remote_status: paymentState === null ? fulfillmentStatus : `${fulfillmentStatus}/${paymentState}`,
    })
  })

  test.each([
    ['BACKORDERED', 'PAID'],
    ['PENDING', 'BARTERED'],
    ['PENDING', 'toString'],
  ])('%s and %s, which nobody knows, hold the order', (fulfillmentStatus, paymentState) => {
    const hold_reason = `unknown status: ${fulfillmentStatus}/${paymentState}`
    expect(order({ fulfillmentStatus, paymentState })).toMatchObject({ status: 'on_hold', hold_reason })
  })

  test('money that went back counts, whatever the word says', () => {
    const paid = (paymentState: string, refunded: string) =>
      order({ paymentState, refundedTotal: money(refunded) }).payment_status
    expect(paid('PAID', '1.00')).toBe('partially_refunded')
    expect(paid('PAID', '28.60')).toBe('refunded')
    expect(paid('REFUNDED', '3.00')).toBe('partially_refunded')
    expect(paid('REFUNDED', '0.00')).toBe('refunded')
    expect(paid('REFUND_PENDING', '1.00')).toBe('partially_refunded')
    expect(paid('AUTHORIZED', '1.00')).toBe('authorized')
    expect(paid('PARTIALLY_PAID', '1.00')).toBe('partially_paid')
  })

  test('nothing is charged for what costs nothing: it may be sent', () => {
    const free = { discountTotal: money('31.10'), grandTotal: money('0.00'), paymentState: 'NOT_CHARGED' }
    expect(order(free)).toMatchObject({ status: 'open', payment_status: 'paid' })
    expect(order({ ...free, paymentState: 'PENDING' })).toMatchObject({ status: 'pending', payment_status: 'pending' })
  })

  test('are listed, with what each says by itself', () => {
    const meant = Object.fromEntries(statuses.map(({ word, means }) => [word, means]))
    expect(meant).toMatchObject({ FULFILLED: 'completed', CANCELED: 'cancelled', PENDING: null, PAID: null })
    expect(Object.keys(meant)).toHaveLength(11)
  })

  test('one word can be asked for in the place of several of ours, or none', () => {
    expect(fulfillmentFor(['open', 'pending'])).toBe('PENDING')
    expect(fulfillmentFor(['cancelled'])).toBe('CANCELED')
    expect(fulfillmentFor(['completed'])).toBe('FULFILLED')
    expect(fulfillmentFor(['completed', 'open'])).toBeNull()
    // One that is held may have a word that is quite new.
    expect(fulfillmentFor(['on_hold'])).toBeNull()
    expect(fulfillmentFor(['on_hold', 'open'])).toBeNull()
    expect(fulfillmentFor([])).toBeNull()
  })
})

describe('lines', () => {
  test.each([
    ['PHYSICAL_PRODUCT', true],
    ['SERVICE', false],
    ['GIFT_CARD', false],
    ['DIGITAL', false],
    ['PAYWALL_PRODUCT', false],
    ['CUSTOM', null],
    [null, null],
  ])('of the kind %s are sent: %s', (lineItemType, requires_shipping) => {
    expect(order({ lineItems: [{ ...rawLine, lineItemType }] }).lines).toMatchObject([{ requires_shipping }])
  })

  test('that are not sent alone leave nothing to send; with others they are not in the parcel', () => {
    const service = { ...rawLine, id: 'l2', lineItemType: 'SERVICE' }
    expect(order({ lineItems: [service] }).fulfillment_status).toBe('not_required')
    const both = order({
      ...{ lineItems: [rawLine, service], fulfillmentStatus: 'FULFILLED' },
      fulfillments: [
        {
          ...{ carrierName: 'DHL', service: 'Express', trackingNumber: 'T1', shipDate: '2026-10-03T10:00:00Z' },
          trackingUrl: 'https://track.example/T1',
        },
      ],
    })
    expect(both).toMatchObject({
      fulfillment_status: 'fulfilled',
      shipments: [
        {
          ...{ carrier_name: 'DHL', tracking_number: 'T1', shipped_at: '2026-10-03T10:00:00.000000Z' },
          ...{ status: 'shipped', service: 'Express', tracking_url: 'https://track.example/T1' },
          lines: [{ order_line_remote_id: rawLine.id, quantity: 2 }],
        },
      ],
    })
  })

  test('of several parcels nobody knows what is in which', () => {
    const parcel = { carrierName: 'DHL', trackingNumber: 'T1' }
    const { shipments } = order({ fulfillmentStatus: 'FULFILLED', fulfillments: [parcel, parcel] })
    expect(shipments.map(({ lines }) => lines)).toEqual([[], []])
    expect(order({ fulfillments: [parcel] }).shipments).toMatchObject([{ lines: [] }])
  })

  test('have what was chosen in their title, and what was written as attributes', () => {
    const variantOptions = [
      { optionName: 'Size', value: 'Large' },
      { optionName: 'Colour', value: 'Red' },
      { optionName: 'Lid', value: null },
    ]
    const customizations = [
      { label: 'Engraving', value: 'For Ada' },
      { label: 'Gift?', value: '' },
      { label: null, value: 'unasked' },
    ]
    const formSubmission = [{ label: 'Door code', value: '42' }]
    expect(order({ lineItems: [{ ...rawLine, variantOptions, customizations }], formSubmission })).toMatchObject({
      attributes: [{ name: 'Door code', value: '42' }],
      lines: [{ variant_title: 'Large / Red', attributes: [{ name: 'Engraving', value: 'For Ada' }] }],
    })
  })
})

test('a line without a name goes by its id', () => {
  expect(order({ lineItems: [{ ...rawLine, productName: null }] }).lines).toMatchObject([{ title: rawLine.id }])
})

test('lists with nothing in them may be null, and so may addresses of what goes nowhere', () => {
  const nowhere = Object.fromEntries(Object.keys(place).map((name) => [name, null]))
  const made = order({ lineItems: null, shippingLines: null, shippingAddress: nowhere, billingAddress: null })
  expect([...Value.Errors(remoteOrderSchema, made)]).toEqual([])
  expect(made).toMatchObject({ lines: [], shipping_method: null, shipping_address: null, billing_address: null })
  // Of nothing nobody can say that it needs no sending.
  expect(made.fulfillment_status).toBe('unfulfilled')
  const blank = Object.fromEntries(Object.keys(place).map((name) => [name, '']))
  expect(order({ shippingAddress: blank }).shipping_address).toBeNull()
})

test('the way of sending is that of its line, or the option that was chosen', () => {
  const chosen = { shippingOptionName: 'Tracked 48', shippingOptionServiceType: 'ROYAL_MAIL_TRACKED_48' }
  expect(order(chosen)).toMatchObject({ shipping_method: 'By boat', service_level: 'ROYAL_MAIL_TRACKED_48' })
  expect(order({ ...chosen, shippingLines: [] }).shipping_method).toBe('Tracked 48')
})

test('amounts are texts or numbers, with as many places as the currency has', () => {
  const yen = (value: string | number) => money(value, 'JPY')
  const made = order({
    ...{ subtotal: yen(2500), shippingTotal: yen('0'), discountTotal: yen(0), taxTotal: yen(0), refundedTotal: null },
    ...{ grandTotal: yen(2500), lineItems: [{ ...rawLine, unitPricePaid: yen(1250) }] },
  })
  expect(made).toMatchObject({ total: { amount: '2500', currency: 'JPY' }, lines: [{ total: { amount: '2500' } }] })
  expect(whatDoesNotAddUp(made)).toEqual([])
  expect(() => order({ grandTotal: money('about thirty') })).toThrow(TypeError)
  expect(() => order({ grandTotal: null })).toThrow(TypeError)
})

test.each(['id', 'orderNumber', 'createdOn', 'modifiedOn', 'fulfillmentStatus', 'grandTotal'])(
  'an order without %s is set aside',
  (name) => {
    expect(() => order({ [name]: undefined })).toThrow(TypeError)
  },
)
