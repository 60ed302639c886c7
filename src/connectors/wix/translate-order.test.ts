import { describe, expect, test } from 'vitest'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { toOrder } from './translate-order.ts'

const price = (amount: string) => ({ amount, formattedAmount: `€${amount}` })

const line = {
  id: '00000000-0000-4000-8000-000000000101',
  productName: { original: 'Teapot', translated: 'Teekanne' },
  catalogReference: {
    ...{ catalogItemId: '00000000-0000-4000-8000-0000000000aa', appId: 'stores' },
    options: { variantId: '00000000-0000-4000-8000-0000000000bb' },
  },
  ...{ quantity: 2, price: price('10.00'), priceBeforeDiscounts: price('12.50'), totalDiscount: price('5.00') },
  physicalProperties: { sku: 'POT-1', shippable: true },
  taxInfo: { taxAmount: price('3.80') },
}
const raw = {
  ...{ id: '00000000-0000-4000-8000-000000000001', number: '10042', status: 'APPROVED', paymentStatus: 'PAID' },
  ...{ fulfillmentStatus: 'NOT_FULFILLED', currency: 'EUR', taxIncludedInPrices: false },
  ...{ createdDate: '2026-10-02T10:00:00.000Z', updatedDate: '2026-10-03T11:30:00.250Z' },
  lineItems: [line],
  priceSummary: {
    ...{ subtotal: price('25.00'), shipping: price('4.90'), tax: price('3.80'), discount: price('5.00') },
    total: price('28.70'),
  },
}
const order = (change: object = {}) => toOrder({ ...raw, ...change })

describe('words', () => {
  test.each([
    ['APPROVED', 'PAID', 'NOT_FULFILLED', 'open', 'paid', 'unfulfilled'],
    ['APPROVED', 'NOT_PAID', 'NOT_FULFILLED', 'open', 'pending', 'unfulfilled'],
    ['APPROVED', 'PARTIALLY_PAID', 'PARTIALLY_FULFILLED', 'open', 'partially_paid', 'partial'],
    ['APPROVED', 'PAID', 'FULFILLED', 'completed', 'paid', 'fulfilled'],
    ['APPROVED', 'PENDING_MERCHANT', 'NOT_FULFILLED', 'on_hold', 'pending', 'unfulfilled'],
    ['APPROVED', 'PARTIALLY_REFUNDED', 'FULFILLED', 'completed', 'partially_refunded', 'fulfilled'],
    ['APPROVED', 'FULLY_REFUNDED', 'NOT_FULFILLED', 'open', 'refunded', 'unfulfilled'],
    ['APPROVED', 'DECLINED', 'NOT_FULFILLED', 'open', 'failed', 'unfulfilled'],
    ['APPROVED', 'UNSPECIFIED', 'NOT_FULFILLED', 'open', 'unknown', 'unfulfilled'],
    ['PENDING', 'PENDING', 'NOT_FULFILLED', 'pending', 'pending', 'unfulfilled'],
    ['INITIALIZED', 'NOT_PAID', 'NOT_FULFILLED', 'pending', 'pending', 'unfulfilled'],
    ['CANCELED', 'CANCELED', 'NOT_FULFILLED', 'cancelled', 'voided', 'unfulfilled'],
    ['CANCELED', 'FULLY_REFUNDED', 'NOT_FULFILLED', 'cancelled', 'refunded', 'unfulfilled'],
    ['REJECTED', 'PENDING', 'NOT_FULFILLED', 'cancelled', 'failed', 'unfulfilled'],
  ])('%s, %s and %s are %s, %s and %s', (status, paymentStatus, fulfillmentStatus, ours, paid, sent) => {
    expect(order({ status, paymentStatus, fulfillmentStatus })).toMatchObject({
      ...{ status: ours, payment_status: paid, fulfillment_status: sent },
      remote_status: `${status}/${paymentStatus}/${fulfillmentStatus}`,
    })
  })

  test('that nobody knows hold the order; of a payment alone they do not', () => {
    expect(order({ status: 'FRAMED' })).toMatchObject({ status: 'on_hold', hold_reason: 'unknown status: FRAMED' })
    expect(order({ fulfillmentStatus: 'FLYING' })).toMatchObject({
      ...{ status: 'on_hold', hold_reason: 'unknown status: FLYING' },
    })
    expect(order({ paymentStatus: 'toString' })).toMatchObject({ status: 'open', payment_status: 'unknown' })
  })

  test('of a payment that is held back say why the order is', () => {
    expect(order({ paymentStatus: 'PENDING_MERCHANT' }).hold_reason).toContain('until the merchant has approved it')
  })

  test('of goods that nobody sends say so', () => {
    const file = { ...line, physicalProperties: { sku: 'F' }, itemType: { preset: 'DIGITAL' } }
    expect(order({ lineItems: [file] })).toMatchObject({
      ...{ fulfillment_status: 'not_required', lines: [{ requires_shipping: false }] },
    })
    const { itemType: _, physicalProperties: __, ...bare } = file
    expect(order({ lineItems: [bare] })).toMatchObject({
      ...{ fulfillment_status: 'unfulfilled', lines: [{ requires_shipping: null, sku: null }] },
    })
  })
})

describe('amounts', () => {
  const summary = (change: object) => order({ priceSummary: { ...raw.priceSummary, ...change } })

  test('add up with tax on top, and with tax in the prices', () => {
    expect(order()).toMatchObject({
      ...{ subtotal: { amount: '25.00' }, discount_total: { amount: '5.00' }, shipping_total: { amount: '4.90' } },
      ...{ tax_total: { amount: '3.80' }, total: { amount: '28.70' }, prices_include_tax: false },
      lines: [
        {
          ...{ unit_price: { amount: '12.50' }, discount: { amount: '5.00' }, tax: { amount: '3.80' } },
          total: { amount: '20.00' },
        },
      ],
    })
    const included = { ...raw, taxIncludedInPrices: true, priceSummary: { ...raw.priceSummary, total: price('24.90') } }
    expect(toOrder(included)).toMatchObject({ prices_include_tax: true, total: { amount: '24.90' } })
    // Where the flag says one thing and the total another, the total is what was paid.
    expect(toOrder({ ...included, taxIncludedInPrices: false })).toMatchObject({ prices_include_tax: true })
    for (const one of [raw, included]) expect(whatDoesNotAddUp(toOrder(one))).toEqual([])
  })

  test('that nobody explains are named: a charge, or a discount', () => {
    expect(summary({ total: price('30.00') })).toMatchObject({
      ...{ fees: [{ title: 'Other charges', amount: { amount: '1.30' } }], fee_total: { amount: '1.30' } },
    })
    expect(summary({ total: price('28.00') })).toMatchObject({ fees: [], discount_total: { amount: '5.70' } })
    for (const total of ['30.00', '28.00', '0.00'])
      expect(whatDoesNotAddUp(summary({ total: price(total) }))).toEqual([])
  })

  test('of fees are their own, with their tax', () => {
    const fee = { id: 'fee', name: 'Gift wrap', price: price('2.00'), taxDetails: { totalTax: price('0.38') } }
    const wrapped = order({ additionalFees: [fee], priceSummary: { ...raw.priceSummary, total: price('30.70') } })
    expect(wrapped).toMatchObject({
      fees: [{ remote_id: 'fee', title: 'Gift wrap', amount: { amount: '2.00' }, tax: { amount: '0.38' } }],
    })
    expect(whatDoesNotAddUp(wrapped)).toEqual([])
  })

  test('of goods that are on sale in the shop begin with the lower price', () => {
    const sale = { ...line, totalDiscount: price('0.00') }
    const reduced = { ...raw.priceSummary, subtotal: price('20.00'), discount: price('0.00') }
    const sold = order({ lineItems: [sale], priceSummary: reduced })
    expect(sold).toMatchObject({ subtotal: { amount: '20.00' }, lines: [{ unit_price: { amount: '10.00' } }] })
    expect(whatDoesNotAddUp(sold)).toEqual([])
    const { priceBeforeDiscounts: _, ...plain } = sale
    expect(order({ lineItems: [plain], priceSummary: reduced }).lines).toMatchObject([
      { unit_price: { amount: '10.00' } },
    ])
  })

  test('have as many places as their currency', () => {
    const yen = { ...raw, currency: 'JPY', lineItems: [{ ...line, priceBeforeDiscounts: price('1250') }] }
    const parts = {
      subtotal: price('2500'),
      shipping: price('0'),
      tax: price('0'),
      discount: price('5'),
      total: price('2495'),
    }
    expect(toOrder({ ...yen, priceSummary: parts })).toMatchObject({ total: { amount: '2495', currency: 'JPY' } })
  })
})

describe('people and places', () => {
  const place = {
    address: {
      ...{ country: 'US', subdivision: 'US-NY', subdivisionFullname: 'New York', city: 'Albany', postalCode: '12207' },
      streetAddress: { name: 'State Street', number: '7' },
    },
    contactDetails: { firstName: 'Ada', lastName: 'Example', phone: '+1', company: 'Example & Co.' },
  }

  test('are read from where Wix has them', () => {
    const known = order({
      buyerInfo: { memberId: 'm', contactId: 'c', email: 'ada@mail.example' },
      billingInfo: { ...place, contactDetails: { ...place.contactDetails, vatId: { id: '123', type: 'CPF' } } },
      shippingInfo: { title: 'Express', logistics: { shippingDestination: place, instructions: 'Ring twice' } },
      customFields: [
        { title: 'Gift for', value: 'Bob' },
        { title: 'Count', value: 7 },
      ],
    })
    expect(known).toMatchObject({
      customer: { remote_id: 'm', email: 'ada@mail.example', first_name: 'Ada', is_guest: false },
      shipping_address: {
        ...{ name: 'Ada Example', company: 'Example & Co.', line1: 'State Street 7', city: 'Albany', phone: '+1' },
        ...{ region: 'New York', region_code: 'NY', country_code: 'US', postal_code: '12207' },
      },
      ...{ shipping_method: 'Express', tax_ids: [{ kind: 'CPF', value: '123' }] },
      attributes: [
        { name: 'Gift for', value: 'Bob' },
        { name: 'Instructions', value: 'Ring twice' },
      ],
    })
  })

  test('of guests are contacts, and goods without a way of sending go to the recipient', () => {
    const guest = order({ buyerInfo: { visitorId: 'v', contactId: 'c' }, recipientInfo: place })
    expect(guest).toMatchObject({
      ...{ customer: { remote_id: 'c', is_guest: true }, shipping_address: { city: 'Albany' }, billing_address: null },
    })
    const written = {
      ...place,
      address: { country: 'DE', subdivision: 'DE-BE', addressLine: 'Am Ufer 3', addressLine2: 'Hof' },
    }
    expect(order({ billingInfo: written }).billing_address).toMatchObject({
      ...{ line1: 'Am Ufer 3', line2: 'Hof', region: 'BE', region_code: 'BE' },
    })
  })
})

describe('lines', () => {
  test('tell kinds that were chosen from texts that were written', () => {
    const described = {
      ...line,
      catalogReference: { ...line.catalogReference, options: { customTextFields: { Engraving: 'A & B' } } },
      descriptionLines: [
        { name: { original: 'Colour' }, colorInfo: { original: 'Blue', code: '#00f' } },
        { name: { original: 'Size' }, plainText: { original: 'Large' } },
        { name: { original: 'Engraving' }, plainText: { original: 'A & B' } },
      ],
      decimalQuantity: { value: '2.75', description: { original: '2.75 m² of felt' } },
    }
    expect(order({ lineItems: [described] }).lines).toMatchObject([
      {
        ...{ title: 'Teapot', variant_title: 'Blue / Large', variant_remote_id: null },
        attributes: [
          { name: 'Engraving', value: 'A & B' },
          { name: 'Quantity', value: '2.75 m² of felt' },
        ],
      },
    ])
  })

  test('count what parcels hold; one without a quantity holds the whole line', () => {
    const parcel = (quantity: number | null, more = {}) => ({
      ...{ id: 'p', createdDate: '2026-10-04T08:00:00.000Z', lineItems: [{ id: line.id, quantity }], ...more },
    })
    const partial = order({ fulfillmentStatus: 'PARTIALLY_FULFILLED', fulfillments: [parcel(1)] })
    expect(partial.lines).toMatchObject([{ quantity_fulfilled: 1, quantity_cancelled: 0 }])
    const tracking = {
      trackingInfo: { trackingNumber: 'T', shippingProvider: 'canadaPost', trackingLink: 'https://t.example' },
    }
    const whole = order({
      fulfillmentStatus: 'FULFILLED',
      fulfillments: [parcel(null, { status: 'In_Delivery', ...tracking })],
    })
    expect(whole).toMatchObject({
      lines: [{ quantity_fulfilled: 2 }],
      shipments: [
        {
          ...{ status: 'in_transit', carrier_code: 'canadaPost', carrier_name: 'Canada Post', tracking_number: 'T' },
          lines: [{ order_line_remote_id: line.id, quantity: 2 }],
        },
      ],
    })
    expect(order({ fulfillmentStatus: 'FULFILLED' }).lines).toMatchObject([{ quantity_fulfilled: 2 }])
    const off = order({ status: 'CANCELED', fulfillments: [parcel(1)] })
    expect(off.lines).toMatchObject([{ quantity_fulfilled: 1, quantity_cancelled: 1 }])
  })

  test('of the catalogue before have no variant where there are none', () => {
    const none = { ...line.catalogReference, options: { variantId: '00000000-0000-0000-0000-000000000000' } }
    expect(order({ lineItems: [{ ...line, catalogReference: none }] }).lines).toMatchObject([
      { variant_remote_id: null },
    ])
  })
})

describe('refunds', () => {
  const part = (amount: string, refundStatus = 'SUCCEEDED') => ({ paymentId: 'p', amount: price(amount), refundStatus })
  const refund = (id: string, transactions: object[], details = {}) => ({
    ...{ id, transactions, details, createdDate: '2026-10-05T09:00:00.000Z' },
  })

  test('count what went back and what is under way, but not what has failed', () => {
    const refunds = [
      refund('a', [part('3.00'), part('1.00', 'PENDING'), part('9.00', 'FAILED')], {
        ...{ items: [{ lineItemId: line.id, quantity: 1 }], reason: 'Damaged' },
      }),
      refund('b', [part('5.00', 'FAILED')]),
    ]
    expect(order({ refunds })).toMatchObject({
      refunded_total: { amount: '4.00' },
      refunds: [
        {
          ...{ remote_id: 'a', amount: { amount: '4.00', currency: 'EUR' }, reason: 'Damaged' },
          ...{ refunded_at: '2026-10-05T09:00:00.000000Z', lines: [{ order_line_remote_id: line.id, quantity: 1 }] },
        },
      ],
    })
  })

  test('that are not listed are as much as the order says', () => {
    expect(order({ balanceSummary: { refunded: price('2.00') } })).toMatchObject({ refunded_total: { amount: '2.00' } })
    expect(order()).toMatchObject({ refunded_total: { amount: '0.00' }, refunds: [] })
  })
})

test('an order has its place in the site’s own dashboard, and its times', () => {
  const site = '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d'
  expect(toOrder(raw, { shop: `${site}.wix.com` }).admin_url).toBe(
    `https://manage.wix.com/dashboard/${site}/ecom-platform/order-details/${raw.id}`,
  )
  const activities = [{ type: 'ORDER_CANCELED', createdDate: '2026-10-03T10:00:00.000Z' }]
  expect(order({ status: 'CANCELED', activities, purchasedDate: '2020-01-01T00:00:00.000Z' })).toMatchObject({
    ...{ placed_at: '2020-01-01T00:00:00.000000Z', cancelled_at: '2026-10-03T10:00:00.000000Z' },
    ...{ remote_updated_at: '2026-10-03T11:30:00.250000Z', remote_created_at: '2026-10-02T10:00:00.000000Z' },
  })
  expect(order({ status: 'CANCELED' }).cancelled_at).toBe('2026-10-03T11:30:00.250000Z')
})

test.each(['id', 'currency', 'status', 'paymentStatus', 'lineItems', 'priceSummary', 'updatedDate'])(
  'an order without %s is not guessed at',
  (name) => {
    expect(() => order({ [name]: undefined })).toThrow(TypeError)
  },
)
