import type { Query } from './graphql.ts'

export const orderFields = `
fragment Told on Order {
  id name createdAt processedAt updatedAt cancelledAt cancelReason test
  displayFinancialStatus displayFulfillmentStatus currencyCode taxesIncluded
  email phone note tags sourceIdentifier
  customer { id firstName lastName email phone }
  shippingAddress { ...Place }
  billingAddress { ...Place }
  subtotalPriceSet { ...Sum }
  totalDiscountsSet { ...Sum }
  totalShippingPriceSet { ...Sum }
  totalTaxSet { ...Sum }
  totalPriceSet { ...Sum }
  totalRefundedSet { ...Sum }
  shippingLines(first: 1) { nodes { title } }
  lineItems(first: 100) {
    pageInfo { hasNextPage }
    nodes {
      id title variantTitle sku quantity currentQuantity unfulfilledQuantity requiresShipping
      originalUnitPriceSet { ...Sum }
      discountedTotalSet { ...Sum }
      totalDiscountSet { ...Sum }
      taxLines { priceSet { ...Sum } }
      product { id }
      variant { id }
    }
  }
  fulfillments(first: 50) { ...Sent }
}
fragment Place on MailingAddress {
  name firstName lastName company address1 address2 city province provinceCode zip countryCodeV2 phone
}
fragment Sum on MoneyBag { shopMoney { amount currencyCode } }
fragment Sent on Fulfillment {
  id status displayStatus createdAt deliveredAt
  location { id }
  trackingInfo { company number url }
  fulfillmentLineItems(first: 100) { nodes { quantity lineItem { id } } }
}`

export const listQuery: Query = {
  cost: 314,
  text: `query Orders($first: Int!, $after: String, $query: String, $count: Boolean!) {
  ordersCount(query: $query) @include(if: $count) { count }
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { ...Told }
  }
}${orderFields}`,
}

export const orderQuery: Query = {
  cost: 100,
  text: `query Order($id: ID!) { order(id: $id) { ...Told } }${orderFields}`,
}

export const byReferenceQuery: Query = {
  cost: 150,
  text: `query Made($query: String) { orders(first: 2, query: $query) { nodes { ...Told } } }${orderFields}`,
}

/** An order with what is left to be sent of it. */
export const openQuery: Query = {
  cost: 150,
  text: `query Open($id: ID!) {
  order(id: $id) {
    fulfillments(first: 50) { ...Sent }
    fulfillmentOrders(first: 10) {
      nodes { id status lineItems(first: 100) { nodes { id remainingQuantity lineItem { id } } } }
    }
  }
}
fragment Sent on Fulfillment {
  id status displayStatus createdAt deliveredAt
  location { id }
  trackingInfo { company number url }
  fulfillmentLineItems(first: 100) { nodes { quantity lineItem { id } } }
}`,
}

export const createMutation = {
  name: 'orderCreate',
  text: `mutation Create($order: OrderCreateOrderInput!) {
  orderCreate(order: $order) { order { ...Told } userErrors { field message } }
}${orderFields}`,
}

export const cancelMutation = {
  name: 'orderCancel',
  errors: 'orderCancelUserErrors',
  text: `mutation Cancel($id: ID!, $reason: OrderCancelReason!) {
  orderCancel(orderId: $id, reason: $reason, restock: true, refund: false, notifyCustomer: false) {
    job { id done }
    orderCancelUserErrors { field message code }
  }
}`,
}

export const shipMutation = {
  name: 'fulfillmentCreate',
  text: `mutation Ship($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { ...Sent } userErrors { field message } }
}
fragment Sent on Fulfillment {
  id status displayStatus createdAt deliveredAt
  location { id }
  trackingInfo { company number url }
  fulfillmentLineItems(first: 100) { nodes { quantity lineItem { id } } }
}`,
}
