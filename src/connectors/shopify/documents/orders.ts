import type { Mutation, Query } from '../ask.ts'

/**
 * What is asked of an order, as texts that are put together: bulk queries know no page sizes, and want edges around what
 * a list contains.
 */
const sum = '{ shopMoney { amount currencyCode } }'
const place = '{ name firstName lastName company address1 address2 city province provinceCode zip countryCodeV2 phone }'

const facts = `
  id name createdAt processedAt updatedAt cancelledAt cancelReason closedAt test
  displayFinancialStatus displayFulfillmentStatus returnStatus currencyCode taxesIncluded
  email phone note tags sourceIdentifier sourceName poNumber presentmentCurrencyCode dutiesIncluded
  app { name }
  customAttributes { key value }
  risk { recommendation }
  purchasingEntity { ... on PurchasingCompany { company { name } } }
  customer { id firstName lastName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber } }
  shippingAddress ${place}
  billingAddress ${place}
  subtotalPriceSet ${sum}
  totalDiscountsSet ${sum}
  totalShippingPriceSet ${sum}
  totalTaxSet ${sum}
  totalPriceSet { shopMoney { amount currencyCode } presentmentMoney { amount } }
  totalTipReceivedSet ${sum}
  originalTotalDutiesSet ${sum}
  additionalFees { id name price ${sum} taxLines { priceSet ${sum} } }
  totalRefundedSet ${sum}
  refunds { id createdAt note totalRefundedSet ${sum} }
  shippingLine { title code originalPriceSet ${sum} }`

const line = `
  id title variantTitle sku quantity currentQuantity unfulfilledQuantity requiresShipping
  customAttributes { key value }
  originalUnitPriceSet ${sum}
  discountAllocations { allocatedAmountSet ${sum} }
  taxLines { priceSet ${sum} }
  product { id }
  variant { id }`

const parcel = `
  id status displayStatus createdAt deliveredAt totalQuantity
  location { id }
  trackingInfo { company number url }`

/** Most orders have fewer; what is more is asked for by itself (`complete-order.ts`). */
const linesAtOnce = 20
export const parcelsAtOnce = 4
const parcelLinesAtOnce = 10

const parcelLines = (page: string) =>
  `fulfillmentLineItems(${page}) { pageInfo { hasNextPage endCursor } nodes { quantity lineItem { id } } }`

const order = `${facts}
  lineItems(first: ${linesAtOnce}) { pageInfo { hasNextPage endCursor } nodes { ${line} } }
  fulfillments(first: ${parcelsAtOnce}) { ${parcel} ${parcelLines(`first: ${parcelLinesAtOnce}`)} }`

export const orderPage: Query = {
  cost: 50,
  text: `query Orders($first: Int!, $after: String, $query: String, $count: Boolean!) {
  ordersCount(query: $query, limit: null) @include(if: $count) { count precision }
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { ${order} }
  }
}`,
}

export const orderCount: Query = {
  cost: 1,
  text: 'query HowMany { ordersCount(limit: null) { count precision } }',
}

export const orderIndex: Query = {
  cost: 10,
  text: `query Index($after: String, $query: String) {
  orders(first: 250, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { id updatedAt }
  }
}`,
}

export const oneOrder: Query = { cost: 5, text: `query Order($id: ID!) { order(id: $id) { ${order} } }` }

export const someOrders: Query = {
  cost: 12,
  text: `query Some($ids: [ID!]!) { nodes(ids: $ids) { ... on Order { ${order} } } }`,
}

/** Orders that are sent in several ways. Most have one, which comes along. */
export const shippingWays: Query = {
  cost: 10,
  text: `query Ways($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Order { id updatedAt shippingLines(first: 50) { nodes { title code isRemoved } } } }
}`,
}

/** What is in the parcels of an order. */
export const packedParcels: Query = {
  cost: 20,
  text: `query Packing($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Order {
      id updatedAt
      fulfillments(first: ${parcelsAtOnce}) { ${parcel} ${parcelLines(`first: ${parcelLinesAtOnce}`)} }
    }
  }
}`,
}

/** Messages about returns that were changed name these alone. */
export const orderOfReturn: Query = {
  cost: 2,
  text: 'query Returned($id: ID!) { return(id: $id) { order { id } } }',
}

/** Under which terms a company pays later: a right of its own. */
export const paymentTerms: Query = {
  cost: 5,
  text: `query Terms($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Order { id updatedAt paymentTerms { paymentTermsName } } }
}`,
}

export const moreLines: Query = {
  cost: 15,
  text: `query Lines($id: ID!, $after: String) {
  order(id: $id) { lineItems(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${line} } } }
}`,
}

export const allParcels: Query = {
  cost: 10,
  text: `query Parcels($id: ID!) { order(id: $id) { fulfillments(first: 250) { ${parcel} } } }`,
}

export const moreParcelLines: Query = {
  cost: 10,
  text: `query Packed($id: ID!, $after: String) { fulfillment(id: $id) { ${parcelLines('first: 100, after: $after')} } }`,
}

/** Lists within lists may not hold connections: what is in a parcel is not reported here. */
export const bulkOrders = `{
  orders {
    edges {
      node {
        __typename ${facts}
        lineItems { edges { node { __typename ${line} } } }
        fulfillments { ${parcel} }
      }
    }
  }
}`

/** The newest are not found by searching yet: they are looked through. */
export const madeOrders: Query = {
  cost: 10,
  text: `query Made($query: String!) {
  found: orders(first: 5, query: $query) { nodes { id sourceIdentifier } }
  newest: orders(first: 50, sortKey: CREATED_AT, reverse: true) { nodes { id sourceIdentifier } }
}`,
}

export const createOrder: Mutation = {
  name: 'orderCreate',
  text: `mutation Create($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
  orderCreate(order: $order, options: $options) { order { id } userErrors { field message } }
}`,
}

export const shopTaxes: Query = { cost: 1, text: 'query Taxes { shop { taxesIncluded } }' }

export const cancelOrder: Mutation = {
  name: 'orderCancel',
  errors: 'orderCancelUserErrors',
  text: `mutation Cancel(
  $id: ID!, $reason: OrderCancelReason!, $refund: OrderCancelRefundMethodInput, $notify: Boolean, $note: String
) {
  orderCancel(
    orderId: $id, reason: $reason, restock: true, refundMethod: $refund, notifyCustomer: $notify, staffNote: $note
  ) { job { id done } orderCancelUserErrors { field message code } }
}`,
}

export const jobState: Query = { cost: 1, text: 'query Job($id: ID!) { job(id: $id) { id done } }' }

const openLines = 'pageInfo { hasNextPage endCursor } nodes { id remainingQuantity lineItem { id } }'

/** What is left to be sent, by the places it is sent from. */
export const openParts: Query = {
  cost: 12,
  text: `query Open($id: ID!) {
  order(id: $id) {
    id
    fulfillmentOrders(first: 50) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        supportedActions { action }
        assignedLocation { location { id } }
        lineItems(first: 20) { ${openLines} }
      }
    }
  }
}`,
}

/** Messages about what is held or moved name this alone. */
export const orderOfPart: Query = {
  cost: 1,
  text: 'query Whose($id: ID!) { fulfillmentOrder(id: $id) { orderId } }',
}

export const moreOpenLines: Query = {
  cost: 10,
  text: `query MoreOpen($id: ID!, $after: String) {
  fulfillmentOrder(id: $id) { lineItems(first: 100, after: $after) { ${openLines} } }
}`,
}

export const amendParcel: Mutation = {
  name: 'fulfillmentTrackingInfoUpdate',
  text: `mutation Amend($id: ID!, $tracking: FulfillmentTrackingInput!, $notify: Boolean) {
  fulfillmentTrackingInfoUpdate(fulfillmentId: $id, trackingInfoInput: $tracking, notifyCustomer: $notify) {
    fulfillment { ${parcel} ${parcelLines('first: 100')} }
    userErrors { field message }
  }
}`,
}

export const createParcel: Mutation = {
  name: 'fulfillmentCreate',
  text: `mutation Ship($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) {
    fulfillment { ${parcel} ${parcelLines('first: 100')} }
    userErrors { field message }
  }
}`,
}
