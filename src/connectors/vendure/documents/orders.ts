/** Notes may be deleted again; everything else in the history stays, and each event has a time. */
const lastEvent = `
  history(options: { take: 1, sort: { createdAt: DESC }, filter: { type: { notEq: "ORDER_NOTE" } } }) {
    totalItems
    items { createdAt }
  }`

const orderFields = `
fragment Place on OrderAddress {
  fullName company streetLine1 streetLine2 city province postalCode country countryCode phoneNumber
}
fragment OrderFields on Order {
  id code type state active createdAt updatedAt orderPlacedAt currencyCode
  subTotalWithTax shippingWithTax total totalWithTax couponCodes
  customer { id firstName lastName emailAddress phoneNumber user { id } }
  shippingAddress { ...Place }
  billingAddress { ...Place }
  shippingLines { shippingMethod { name } }
  surcharges { id description price priceWithTax }
  lines {
    id quantity orderPlacedQuantity unitPriceWithTax linePriceWithTax proratedLinePriceWithTax lineTax
    productVariant { id sku name product { id } }
  }
  payments { id state amount refunds { id state total reason createdAt lines { orderLineId quantity } } }
  fulfillments { id state method trackingCode createdAt updatedAt lines { orderLineId quantity } }
  cancellation: history(options: { take: 1, sort: { createdAt: DESC }, filter: { type: { eq: "ORDER_CANCELLATION" } } }) {
    items { createdAt data }
  }
  ${lastEvent}
}`

export const listQuery = `query Orders($options: OrderListOptions) {
  orders(options: $options) { totalItems items { ...OrderFields } }
}${orderFields}`

/** Just enough to see which have changed. */
export const glanceQuery = `query Glance($options: OrderListOptions) {
  orders(options: $options) { totalItems items { id createdAt updatedAt ${lastEvent} } }
}`

export const orderQuery = `query Order($id: ID!) { order(id: $id) { ...OrderFields } }${orderFields}`

const refusal = '... on ErrorResult { errorCode message }'

export const cancelMutation = `mutation Cancel($input: CancelOrderInput!) {
  cancelOrder(input: $input) { __typename ... on Order { id } ${refusal} }
}`

export const refundMutation = `mutation Refund($input: RefundOrderInput!) {
  refundOrder(input: $input) { __typename ... on Refund { id state } ${refusal} }
}`

export const settleMutation = `mutation Settle($id: ID!) {
  settlePayment(id: $id) { __typename ... on Payment { id state } ${refusal} }
}`

export const noteMutation = `mutation Note($input: AddNoteToOrderInput!) { addNoteToOrder(input: $input) { id } }`

/** What people have written about it. */
export const notesQuery = `query Notes($id: ID!) {
  order(id: $id) { id history(options: { take: 100, filter: { type: { eq: "ORDER_NOTE" } } }) { items { data } } }
}`

export const fulfilMutation = `mutation Fulfil($input: FulfillOrderInput!) {
  addFulfillmentToOrder(input: $input) { __typename ... on Fulfillment { id state } ${refusal} }
}`

export const moveMutation = `mutation Move($id: ID!, $state: String!) {
  transitionFulfillmentToState(id: $id, state: $state) { __typename ... on Fulfillment { id state } ${refusal} }
}`
