import type { Mutation, Query } from '../ask.ts'

const sum = '{ shopMoney { amount currencyCode } }'

/** For which lines money went back: a list of its own, which no list of orders may hold. */
export const refundLines: Query = {
  cost: 20,
  text: `query Refunds($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Order {
      id updatedAt
      refunds(first: 50) {
        id
        refundLineItems(first: 100) { nodes { quantity lineItem { id } subtotalSet ${sum} totalTaxSet ${sum} } }
      }
    }
  }
}`,
}

/** What the buyer sends back, and gets for it; what came from outside the shop is on no line of the order. */
export const returnLines: Query = {
  cost: 20,
  text: `query Returns($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Order {
      id updatedAt
      returns(first: 20) {
        nodes {
          id name status createdAt
          exchangeLineItems(first: 10) { nodes { lineItems { id } } }
          returnLineItems(first: 50) {
            nodes {
              quantity returnReasonNote customerNote
              returnReasonDefinition { name }
              ... on ReturnLineItem { fulfillmentLineItem { lineItem { id } } }
            }
          }
        }
      }
    }
  }
}`,
}

/** Which payments can go back, and where goods can. */
export const refundFacts: Query = {
  cost: 10,
  text: `query Refundable($id: ID!) {
  order(id: $id) {
    presentmentCurrencyCode
    fulfillmentOrders(first: 1) { nodes { assignedLocation { location { id } } } }
    transactions(first: 50) { id kind status gateway maximumRefundableV2 { amount currencyCode } }
  }
}`,
}

export const createRefund: Mutation = {
  name: 'refundCreate',
  text: `mutation Refund($input: RefundInput!, $key: String!) {
  refundCreate(input: $input) @idempotent(key: $key) { refund { id } userErrors { field message } }
}`,
}
