export const usd = (value: string) => ({ value, currency: 'USD' })
export const is = (amount: string) => ({ amount, currency: 'USD' })

export const contact = {
  fullName: 'Ada Lovelace',
  companyName: 'Engines',
  email: 'alias@members.ebay.com',
  primaryPhone: { phoneNumber: '4085550100' },
  contactAddress: {
    addressLine1: '1 Test Street',
    addressLine2: 'Unit 2',
    city: 'San Jose',
    stateOrProvince: 'CA',
    postalCode: '95125',
    countryCode: 'US',
  },
}

export const line = {
  lineItemId: 'L1',
  sku: 'MUG',
  title: 'Mug',
  quantity: 3,
  lineItemCost: usd('37.50'),
  discountedLineItemCost: usd('30.00'),
  lineItemFulfillmentStatus: 'IN_PROGRESS',
  taxes: [{ amount: usd('1.10') }, { amount: usd('0.40') }],
  variationAspects: [
    { name: 'Colour', value: 'Blue' },
    { name: 'Size', value: 'L' },
  ],
  purchaseMarketplaceId: 'EBAY_US',
  listingMarketplaceId: 'EBAY_GB',
  lineItemFulfillmentInstructions: { shipByDate: '2026-10-06T06:59:59.000Z' },
}
export const bare = {
  lineItemId: 'L2',
  title: 'Card',
  quantity: 1,
  lineItemCost: usd('2.00'),
  lineItemFulfillmentStatus: 'FULFILLED',
  lineItemFulfillmentInstructions: { shipByDate: '2026-10-05T06:59:59.000Z' },
}

export const order = {
  orderId: '12-34567-89012',
  creationDate: '2026-10-01T10:00:00.000Z',
  lastModifiedDate: '2026-10-05T11:30:00.000Z',
  orderPaymentStatus: 'PARTIALLY_REFUNDED',
  orderFulfillmentStatus: 'IN_PROGRESS',
  cancelStatus: { cancelState: 'NONE_REQUESTED', cancelRequests: [] },
  buyer: { username: 'ada', buyerRegistrationAddress: { ...contact, email: 'home@example.com' } },
  buyerCheckoutNotes: 'Ring twice',
  pricingSummary: {
    priceSubtotal: usd('39.50'),
    priceDiscount: usd('-7.50'),
    deliveryCost: usd('5.00'),
    deliveryDiscount: usd('-2.25'),
    tax: usd('1.50'),
    total: usd('36.25'),
  },
  paymentSummary: {
    refunds: [
      { refundStatus: 'REFUNDED', amount: usd('3.00') },
      { amount: usd('0.50') },
      { refundStatus: 'PENDING', amount: usd('10.00') },
      { refundStatus: 'FAILED', amount: usd('20.00') },
    ],
  },
  fulfillmentStartInstructions: [{ shippingStep: { shipTo: contact, shippingServiceCode: 'USPSPriority' } }],
  lineItems: [line, bare],
  fulfillments: [
    {
      fulfillmentId: '940015',
      shippingCarrierCode: 'USPS',
      shipmentTrackingNumber: '940015',
      shippedDate: '2026-10-02T09:00:00.000Z',
      lineItems: [{ lineItemId: 'L1', quantity: 2 }, { lineItemId: 'L2' }],
    },
    { fulfillmentId: '999' },
    { fulfillmentId: '999' },
  ],
}

export const address = {
  name: 'Ada Lovelace',
  first_name: null,
  last_name: null,
  company: 'Engines',
  line1: '1 Test Street',
  line2: 'Unit 2',
  line3: null,
  city: 'San Jose',
  region: 'CA',
  region_code: null,
  postal_code: '95125',
  country_code: 'US',
  phone: '4085550100',
  email: 'alias@members.ebay.com',
}

export const shipment = {
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
}
