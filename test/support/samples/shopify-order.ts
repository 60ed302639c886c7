/** An order as Shopify tells it, and what its parts are in our words. */

export const cad = (amount: string) => ({ shopMoney: { amount, currencyCode: 'CAD' } })
export const is = (amount: string) => ({ amount, currency: 'CAD' })
export const only = (nodes: readonly unknown[]) => ({ nodes, pageInfo: { hasNextPage: false, endCursor: null } })

export const parcel = (id: number, fields: object, lines: readonly [string, number][]) => ({
  id: `gid://shopify/Fulfillment/${id}`,
  status: 'SUCCESS',
  displayStatus: 'FULFILLED',
  createdAt: '2026-10-02T09:00:00Z',
  deliveredAt: null,
  location: null,
  trackingInfo: [],
  fulfillmentLineItems: { nodes: lines.map(([line, quantity]) => ({ lineItem: { id: line }, quantity })) },
  ...fields,
})

export const mug = 'gid://shopify/LineItem/11'
export const gift = 'gid://shopify/LineItem/12'

export const line = {
  id: mug,
  sku: 'MUG-BLUE',
  title: 'Mug',
  variantTitle: 'Blue',
  quantity: 4,
  currentQuantity: 3,
  requiresShipping: true,
  product: { id: 'gid://shopify/Product/1' },
  variant: { id: 'gid://shopify/ProductVariant/2' },
  originalUnitPriceSet: cad('12.5'),
  totalDiscountSet: cad('0.0'),
  discountAllocations: [{ allocatedAmountSet: cad('2.0') }, { allocatedAmountSet: cad('1.0') }],
  taxLines: [{ priceSet: cad('2.35') }, { priceSet: cad('1.18') }],
}

export const place = {
  name: ' Ada Lovelace ',
  firstName: 'Ada',
  lastName: 'Lovelace',
  company: 'Engines',
  address1: '1 Test Street',
  address2: 'Unit 2',
  city: 'Toronto',
  province: 'Ontario',
  provinceCode: 'ON',
  zip: 'M5V 1A1',
  countryCodeV2: 'CA',
  phone: '+1 416 555 0100',
}

export const order = {
  id: 'gid://shopify/Order/1001',
  name: '#1001',
  displayFinancialStatus: 'PARTIALLY_REFUNDED',
  displayFulfillmentStatus: 'PARTIALLY_FULFILLED',
  currencyCode: 'CAD',
  subtotalPriceSet: cad('56.0'),
  totalDiscountsSet: cad('3.0'),
  totalShippingPriceSet: cad('5.0'),
  totalTaxSet: cad('3.53'),
  totalPriceSet: cad('64.53'),
  totalRefundedSet: cad('12.5'),
  taxesIncluded: false,
  email: 'order@example.com',
  phone: '+1 416 555 0199',
  customer: {
    id: 'gid://shopify/Customer/7',
    firstName: 'Ada',
    lastName: 'Lovelace',
    defaultEmailAddress: { emailAddress: 'ada@example.com' },
    defaultPhoneNumber: { phoneNumber: '+1 416 555 0100' },
  },
  billingAddress: place,
  shippingAddress: { ...place, name: ' ', company: null },
  shippingLine: { title: 'Express' },
  lineItems: only([
    line,
    {
      ...line,
      id: gift,
      sku: null,
      title: 'Card',
      variantTitle: null,
      quantity: 1,
      currentQuantity: 1,
      requiresShipping: false,
      product: null,
      variant: null,
      originalUnitPriceSet: cad('9.0'),
      discountAllocations: [],
      taxLines: [],
    },
  ]),
  fulfillments: [
    parcel(
      21,
      {
        displayStatus: 'IN_TRANSIT',
        location: { id: 'gid://shopify/Location/5' },
        trackingInfo: [{ company: 'UPS', number: '1Z999', url: 'https://ups.example/1Z999' }],
      },
      [[mug, 1]],
    ),
    parcel(22, { displayStatus: 'DELIVERED', deliveredAt: '2026-10-04T10:00:00Z' }, [[mug, 1]]),
    parcel(23, { status: 'CANCELLED' }, [[mug, 2]]),
    parcel(24, { status: 'FAILURE' }, [[mug, 2]]),
  ],
  note: 'Ring twice',
  tags: ['gift', 'vip'],
  sourceIdentifier: 'pos-77',
  test: false,
  createdAt: '2026-10-01T09:59:00Z',
  processedAt: '2026-10-01T10:00:00Z',
  updatedAt: '2026-10-05T11:30:00Z',
  cancelledAt: null,
  cancelReason: null,
  closedAt: null,
}

export const address = {
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  line1: '1 Test Street',
  line2: 'Unit 2',
  line3: null,
  city: 'Toronto',
  region: 'Ontario',
  region_code: 'ON',
  postal_code: 'M5V 1A1',
  country_code: 'CA',
  phone: '+1 416 555 0100',
  email: null,
}

export const shipment = {
  carrier_code: null,
  carrier_name: null,
  service: null,
  tracking_number: null,
  tracking_url: null,
  shipped_at: '2026-10-02T09:00:00.000000Z',
  delivered_at: null,
  location_remote_id: null,
}
