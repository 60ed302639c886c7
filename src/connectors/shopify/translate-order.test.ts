import { describe, expect, test } from 'vitest'
import {
  address,
  cad,
  gift,
  is,
  line,
  mug,
  only,
  order,
  parcel,
  shipment,
} from '../../../test/support/samples/shopify-order.ts'
import { lineDefaults, orderDefaults } from '../../commerce/order.ts'
import { toOrder } from './translate-order.ts'

test('an order with everything', () => {
  expect(toOrder(order)).toEqual({
    returns: [],
    remote_id: 'gid://shopify/Order/1001',
    number: '#1001',
    channel: 'shopify',
    marketplace: null,
    status: 'open',
    payment_status: 'partially_refunded',
    fulfillment_status: 'partial',
    remote_status: 'PARTIALLY_REFUNDED/PARTIALLY_FULFILLED',
    hold_reason: null,
    currency: 'CAD',
    // Four mugs and a card, before the discount.
    subtotal: is('59.00'),
    discount_total: is('3.00'),
    shipping_total: is('5.00'),
    tax_total: is('3.53'),
    total: is('64.53'),
    fee_total: is('0.00'),
    refunded_total: is('12.50'),
    prices_include_tax: false,
    customer: {
      remote_id: 'gid://shopify/Customer/7',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+1 416 555 0100',
      is_guest: false,
    },
    billing_address: address,
    shipping_address: { ...address, name: null, company: null },
    shipping_method: 'Express',
    lines: [
      {
        remote_id: mug,
        sku: 'MUG-BLUE',
        product_remote_id: 'gid://shopify/Product/1',
        variant_remote_id: 'gid://shopify/ProductVariant/2',
        title: 'Mug',
        variant_title: 'Blue',
        quantity: 4,
        // Neither the parcel that was called off nor the one that failed.
        quantity_fulfilled: 2,
        quantity_cancelled: 1,
        quantity_refunded: 0,
        unit_price: is('12.50'),
        discount: is('3.00'),
        tax: is('3.53'),
        total: is('47.00'),
        ...lineDefaults,
        requires_shipping: true,
      },
      {
        remote_id: gift,
        sku: null,
        product_remote_id: null,
        variant_remote_id: null,
        title: 'Card',
        variant_title: null,
        quantity: 1,
        quantity_fulfilled: 0,
        quantity_cancelled: 0,
        quantity_refunded: 0,
        unit_price: is('9.00'),
        discount: is('0.00'),
        tax: is('0.00'),
        total: is('9.00'),
        ...lineDefaults,
        requires_shipping: false,
      },
    ],
    fees: [],
    refunds: [],
    admin_url: null,
    shipments: [
      {
        ...shipment,
        remote_id: 'gid://shopify/Fulfillment/21',
        status: 'in_transit',
        carrier_name: 'UPS',
        tracking_number: '1Z999',
        tracking_url: 'https://ups.example/1Z999',
        location_remote_id: 'gid://shopify/Location/5',
        lines: [{ order_line_remote_id: mug, quantity: 1 }],
      },
      {
        ...shipment,
        remote_id: 'gid://shopify/Fulfillment/22',
        status: 'delivered',
        delivered_at: '2026-10-04T10:00:00.000000Z',
        lines: [{ order_line_remote_id: mug, quantity: 1 }],
      },
      {
        ...shipment,
        remote_id: 'gid://shopify/Fulfillment/23',
        status: 'cancelled',
        lines: [{ order_line_remote_id: mug, quantity: 2 }],
      },
      {
        ...shipment,
        remote_id: 'gid://shopify/Fulfillment/24',
        status: 'failed',
        lines: [{ order_line_remote_id: mug, quantity: 2 }],
      },
    ],
    note: 'Ring twice',
    tags: ['gift', 'vip'],
    external_reference: 'pos-77',
    acknowledged: null,
    test: false,
    placed_at: '2026-10-01T10:00:00.000000Z',
    ...orderDefaults,
    ship_by: null,
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: '2026-10-01T09:59:00.000000Z',
    remote_updated_at: '2026-10-05T11:30:00.000000Z',
    remote_version: '2026-10-05T11:30:00.000000Z',
    raw: order,
  })
})

test('an order with as little as there can be', () => {
  const { subtotalPriceSet: _, totalDiscountsSet: __, ...rest } = order
  const bare = {
    ...rest,
    totalShippingPriceSet: null,
    totalTaxSet: null,
    totalRefundedSet: null,
    taxesIncluded: true,
    test: true,
    customer: null,
    billingAddress: null,
    shippingAddress: null,
    shippingLine: null,
    note: '',
    tags: [],
    sourceIdentifier: null,
    fulfillments: [],
  }
  expect(toOrder(bare)).toMatchObject({
    // What is left is nothing, and the line's discount had been on top of it.
    subtotal: is('3.00'),
    discount_total: is('0.00'),
    shipping_total: is('0.00'),
    tax_total: is('0.00'),
    refunded_total: is('0.00'),
    prices_include_tax: true,
    test: true,
    customer: {
      remote_id: null,
      email: 'order@example.com',
      first_name: null,
      last_name: null,
      phone: '+1 416 555 0199',
      is_guest: true,
    },
    billing_address: null,
    shipping_address: null,
    shipping_method: null,
    note: null,
    external_reference: null,
    lines: [{ quantity_fulfilled: 0 }, { quantity_fulfilled: 0 }],
  })
})

test('a customer without an address of their own has that of the order', () => {
  const customer = { ...order.customer, defaultEmailAddress: null, defaultPhoneNumber: null }
  expect(toOrder({ ...order, customer }).customer).toMatchObject({
    remote_id: 'gid://shopify/Customer/7',
    email: 'order@example.com',
    phone: '+1 416 555 0199',
    is_guest: false,
  })
})

test('who did not ask for the shares of discounts knows those of the line', () => {
  const { discountAllocations: _, ...asked } = line
  const translated = toOrder({ ...order, lineItems: only([{ ...asked, totalDiscountSet: cad('1.5') }]) })
  expect(translated.lines).toMatchObject([{ discount: is('1.50'), total: is('48.50') }])
})

test('an order of which not all lines came is refused', () => {
  const lineItems = { nodes: [line], pageInfo: { hasNextPage: true, endCursor: 'more' } }
  expect(() => toOrder({ ...order, lineItems })).toThrow('only a part of "lineItems"')
})

test.each([
  ['two sent, one of them came back: one is due', 3, 2, 1, 2, 0],
  ['one called off before it left', 3, 2, 2, 0, 1],
  ['edited from three to one', 3, 1, 1, 0, 2],
  ['two sent, one of them came back, the third called off', 3, 1, 0, 2, 1],
  ['a tip, which nobody sends', 1, 1, 0, 0, 0],
])('%s', (_, quantity, currentQuantity, unfulfilledQuantity, sent, off) => {
  const lineItems = only([{ ...line, quantity, currentQuantity, unfulfilledQuantity }])
  const fulfillments = sent === 0 ? [] : [parcel(1, {}, [[mug, sent]])]
  expect(toOrder({ ...order, lineItems, fulfillments }).lines).toMatchObject([
    { quantity, quantity_fulfilled: sent, quantity_cancelled: off },
  ])
})

describe('what only some orders have', () => {
  const asked = {
    ...order,
    ...{
      sourceName: 'pos',
      app: { name: 'Point of Sale' },
      poNumber: 'PO-7',
      shippingLine: { title: 'Fast', code: 'X' },
    },
    customAttributes: [
      { key: 'Gift message', value: 'Happy birthday' },
      { key: 'empty', value: '' },
    ],
    lineItems: only([{ ...line, customAttributes: [{ key: 'Engraving', value: 'Ada' }] }]),
  }

  test('personalisation, channel and the buyer’s number are in our words', () => {
    expect(toOrder(asked)).toMatchObject({
      attributes: [{ name: 'Gift message', value: 'Happy birthday' }],
      lines: [{ attributes: [{ name: 'Engraving', value: 'Ada' }] }],
      ...{ sales_channel: 'pos', purchase_order: 'PO-7', shipping_method: 'Fast', service_level: 'X' },
    })
    expect(toOrder({ ...asked, sourceName: '580111' }).sales_channel).toBe('Point of Sale')
  })

  test('each way in which it is sent is named, but for those that were taken out again', () => {
    const ways = [
      { title: 'Fast', code: 'X', isRemoved: false },
      { title: 'Collected', code: 'PICKUP', isRemoved: false },
      { title: 'Fast', code: 'X', isRemoved: false },
      { title: 'Slow', code: 'S', isRemoved: true },
    ]
    expect(toOrder({ ...asked, shippingLines: { nodes: ways } })).toMatchObject({
      ...{ shipping_method: 'Fast, Collected', service_level: 'X, PICKUP' },
    })
  })

  test('what the buyer paid in another currency is shown beside the shop’s', () => {
    const totalPriceSet = { ...cad('20.0'), presentmentMoney: { amount: '15.5' } }
    expect(toOrder({ ...asked, totalPriceSet, presentmentCurrencyCode: 'USD' }).presentment).toEqual({
      currency: 'USD',
      total: '15.50',
    })
    expect(toOrder({ ...asked, totalPriceSet, presentmentCurrencyCode: 'CAD' }).presentment).toBeNull()
  })

  test('advice about fraud is a tag, and holds nothing', () => {
    const risky = { ...asked, tags: ['vip'], risk: { recommendation: 'INVESTIGATE' } }
    expect(toOrder(risky)).toMatchObject({ tags: ['vip', 'risk:investigate'], hold_reason: null })
    expect(toOrder({ ...asked, tags: [], risk: { recommendation: 'NONE' } }).tags).toEqual([])
  })

  test('duties, fees and a tip make the total add up, and a tip that is a line is not charged twice', () => {
    const one = { ...line, quantity: 2, currentQuantity: 2, discountAllocations: [], originalUnitPriceSet: cad('10.0') }
    const fees = {
      ...{ taxesIncluded: false, totalTaxSet: cad('2.0'), totalShippingPriceSet: cad('5.0') },
      ...{ originalTotalDutiesSet: cad('3.0'), dutiesIncluded: false, totalTipReceivedSet: cad('1.5') },
      additionalFees: [{ id: 'gid://shopify/AdditionalFee/1', name: 'Import', price: cad('0.5'), taxLines: [] }],
      ...{ totalPriceSet: cad('32.0'), lineItems: only([one]) },
    }
    const titles = (fields: object) => toOrder({ ...asked, ...fees, ...fields }).fees.map(({ title }) => title)
    expect(titles({})).toEqual(['Duties', 'Import', 'Tip'])
    expect(toOrder({ ...asked, ...fees }).fee_total).toEqual(is('5.00'))
    const tip = { ...one, id: gift, title: 'Tip', quantity: 1, currentQuantity: 1, originalUnitPriceSet: cad('1.5') }
    expect(titles({ lineItems: only([one, tip]) })).toEqual(['Duties', 'Import'])
    expect(titles({ dutiesIncluded: true, totalPriceSet: cad('29.0') })).toEqual(['Import', 'Tip'])
  })
})

describe('what a company buys', () => {
  const company = { ...order, displayFinancialStatus: 'PENDING', displayFulfillmentStatus: 'UNFULFILLED' }
  const purchasingEntity = { company: { name: 'Harbour & Sons' } }
  const unsent = { ...company, purchasingEntity, fulfillments: [], closedAt: null, cancelledAt: null }

  test('on account may be sent, by the terms that were agreed; without terms it waits', () => {
    const agreed = toOrder({ ...unsent, paymentTerms: { paymentTermsName: 'Net 30' } })
    expect(agreed).toMatchObject({ status: 'open', payment_status: 'pending' })
    expect(agreed.attributes).toContainEqual({ name: 'Payment terms', value: 'Net 30' })
    expect(toOrder({ ...unsent, paymentTerms: null }).status).toBe('pending')
    expect(toOrder(unsent).status).toBe('pending')
  })

  test('is billed to it, unless the address names another', () => {
    const billed = (named: string | null) =>
      toOrder({ ...unsent, billingAddress: { ...order.billingAddress, company: named } }).billing_address?.company
    expect([billed(null), billed('Branch')]).toEqual(['Harbour & Sons', 'Branch'])
  })
})
