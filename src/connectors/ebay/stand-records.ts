import type { Fields } from '../../commerce/reading.ts'

/** What the imitated seller has: orders of all kinds, and articles with and without places and offers. */
export interface Books {
  orders: Map<string, Order>
  items: Map<string, Item>
  groups: Map<string, Group>
  cancelled: string[]
  now: number
}

export type Order = Record<string, unknown> & { orderId: string; parcels: Fields[] }

export interface Item {
  sku: string
  quantity: number
  places: Record<string, number>
  offers: { offerId: string; price: string; availableQuantity: number | null; status: string }[]
}

/** A thing in several kinds. */
export interface Group {
  key: string
  skus: string[]
}

const groups: readonly Group[] = [
  // The key is the name of an article that has nothing to do with it.
  { key: 'SKU-9', skus: ['SKU-3', 'SKU-20', 'SKU-11'] },
  // More than are told at once.
  { key: 'BOXES', skus: Array.from({ length: 27 }, (_, n) => `BOX-${n + 10}`) },
]

export const colourOf = (sku: string): string => ['blue', 'red', 'green'][Number(sku.split('-')[1]) % 3] ?? 'blue'

const begin = Date.parse('2026-10-01T08:00:00.000Z')
export const time = (at: number): string => new Date(at).toISOString()
const usd = (cents: number) => ({ value: (cents / 100).toFixed(2), currency: 'USD' })

export function makeBooks(orders: number, items: number): Books {
  const all = Array.from({ length: orders }, (_, n) => makeOrder(n))
  const alone = Array.from({ length: items }, (_, n) => makeItem(n))
  const boxes = (groups[1]?.skus ?? []).map((sku, n) => ({ ...makeItem(2 * n + 100), sku }))
  const articles = [...alone, ...boxes]
  return {
    orders: new Map(all.map((order) => [order.orderId, order])),
    items: new Map(articles.map((item) => [item.sku, item])),
    groups: new Map(groups.map((group) => [group.key, group])),
    cancelled: [],
    now: Date.parse('2026-11-15T06:00:00Z'),
  }
}

/** Several are of the same millisecond, and there is a gap of days in between. */
const changedAt = (n: number): number => begin + Math.floor(n / 3) * 61_007 + (n > 40 ? 9 * 86_400_000 : 0)

function makeOrder(n: number): Order {
  const kind = n % 8
  const orderId = `${10 + (n % 80)}-${20_000 + n}-${30_000 + n * 7}`
  const changed = time(changedAt(n))
  const quantity = 1 + (n % 3)
  const cost = 1250 * quantity
  const discounted = kind === 3
  const isSent = kind === 5
  const isPartial = kind === 6 && quantity > 1
  const contact = {
    fullName: `Buyer ${n}`,
    contactAddress: {
      addressLine1: `${n} Dock Street`,
      city: 'Portland',
      stateOrProvince: 'OR',
      postalCode: '97201',
      countryCode: 'US',
    },
    primaryPhone: { phoneNumber: '5035550100' },
    email: `alias${n}@members.ebay.com`,
  }
  const line = {
    lineItemId: `100${n}`,
    legacyItemId: `1100${n}`,
    sku: `SKU-${n % 7}`,
    title: `Lamp ${n % 7}`,
    lineItemCost: usd(cost),
    ...(discounted ? { discountedLineItemCost: usd(cost - 250) } : {}),
    quantity,
    soldFormat: 'FIXED_PRICE',
    listingMarketplaceId: 'EBAY_US',
    purchaseMarketplaceId: 'EBAY_US',
    lineItemFulfillmentStatus: isSent ? 'FULFILLED' : isPartial ? 'IN_PROGRESS' : 'NOT_STARTED',
    total: usd(cost + 500 - (discounted ? 250 : 0)),
    deliveryCost: { shippingCost: usd(500) },
    appliedPromotions: [],
    taxes: [],
    properties: { buyerProtection: true },
    lineItemFulfillmentInstructions: { shipByDate: time(changedAt(n) + 3 * 86_400_000), guaranteedDelivery: false },
  }
  return {
    orderId,
    creationDate: time(changedAt(n) - 3_600_000),
    lastModifiedDate: changed,
    orderFulfillmentStatus: line.lineItemFulfillmentStatus,
    orderPaymentStatus: ['PENDING', 'PAID', 'PAID', 'PAID', 'FULLY_REFUNDED', 'PAID', 'PAID', 'PARTIALLY_REFUNDED'][
      kind
    ],
    sellerId: 'ada_antiques',
    buyer: { username: `buyer_${n % 11}`, buyerRegistrationAddress: contact },
    pricingSummary: {
      priceSubtotal: usd(cost),
      ...(discounted ? { priceDiscount: usd(-250) } : {}),
      deliveryCost: usd(500),
      total: usd(cost + 500 - (discounted ? 250 : 0)),
    },
    cancelStatus:
      kind === 4
        ? {
            cancelState: 'CANCELED',
            cancelledDate: changed,
            cancelRequests: [
              {
                cancelRequestId: `c${n}`,
                cancelReason: 'BUYER_CANCEL_ORDER',
                cancelInitiator: 'BUYER',
                cancelRequestState: 'COMPLETED',
              },
            ],
          }
        : { cancelState: 'NONE_REQUESTED', cancelRequests: [] },
    paymentSummary: {
      totalDueSeller: usd(cost + 500),
      refunds: kind === 7 ? [{ refundId: `r${n}`, refundStatus: 'REFUNDED', amount: usd(300) }] : [],
      payments: [],
    },
    fulfillmentStartInstructions: [
      {
        fulfillmentInstructionsType: 'SHIP_TO',
        ebaySupportedFulfillment: false,
        shippingStep: { shipTo: contact, shippingCarrierCode: 'USPS', shippingServiceCode: 'USPSPriority' },
      },
    ],
    lineItems: [line],
    salesRecordReference: String(n),
    parcels: isSent || isPartial ? [parcelOf(`94001${n}`, line.lineItemId, isSent ? quantity : 1, changed)] : [],
  }
}

const parcelOf = (tracking: string, lineItemId: string, quantity: number, at: string): Fields => ({
  fulfillmentId: tracking,
  shipmentTrackingNumber: tracking,
  shippingCarrierCode: 'USPS',
  shippedDate: at,
  lineItems: [{ lineItemId, quantity }],
})

function makeItem(n: number): Item {
  const offer = { offerId: `o${n}`, price: `${10 + n}.50`, availableQuantity: n % 2 === 0 ? 5 : null }
  return {
    sku: `SKU-${n}`,
    quantity: n % 5 === 4 ? 7 : n,
    places: n % 5 === 4 ? { 'dock-1': 4, 'dock-2': 3 } : {},
    offers: n % 6 === 5 ? [] : [{ ...offer, status: n % 6 === 4 ? 'UNPUBLISHED' : 'PUBLISHED' }],
  }
}
