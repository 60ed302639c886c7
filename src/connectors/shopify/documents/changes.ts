import type { Mutation, Query } from '../ask.ts'

/** What else is done to orders. */

const errors = 'userErrors { field message }'

export const cancelParcel: Mutation = {
  name: 'fulfillmentCancel',
  text: `mutation CancelParcel($id: ID!) { fulfillmentCancel(id: $id) { fulfillment { id status } ${errors} } }`,
}

export const noteOrder: Mutation = {
  name: 'orderUpdate',
  text: `mutation Note($input: OrderInput!) { orderUpdate(input: $input) { order { id } ${errors} } }`,
}

export const addTags: Mutation = {
  name: 'tagsAdd',
  text: `mutation AddTags($id: ID!, $tags: [String!]!) { tagsAdd(id: $id, tags: $tags) { node { id } ${errors} } }`,
}

export const removeTags: Mutation = {
  name: 'tagsRemove',
  text: `mutation RemoveTags($id: ID!, $tags: [String!]!) { tagsRemove(id: $id, tags: $tags) { node { id } ${errors} } }`,
}

export const holdPart: Mutation = {
  name: 'fulfillmentOrderHold',
  text: `mutation Hold($id: ID!, $hold: FulfillmentOrderHoldInput!) {
  fulfillmentOrderHold(id: $id, fulfillmentHold: $hold) { fulfillmentOrder { id } ${errors} }
}`,
}

export const releasePart: Mutation = {
  name: 'fulfillmentOrderReleaseHold',
  text: `mutation Release($id: ID!) { fulfillmentOrderReleaseHold(id: $id) { fulfillmentOrder { id } ${errors} } }`,
}

/** Amounts in the currency that the buyer paid in: only that can be taken. */
export const reservedMoney: Query = {
  cost: 5,
  text: `query Reserved($id: ID!) {
  order(id: $id) {
    id
    presentmentCurrencyCode
    transactions(first: 50) {
      id kind status amountSet { presentmentMoney { amount } } totalUnsettledSet { presentmentMoney { amount currencyCode } }
    }
  }
}`,
}

export const captureMoney: Mutation = {
  name: 'orderCapture',
  text: `mutation Capture($input: OrderCaptureInput!) { orderCapture(input: $input) { transaction { id } ${errors} } }`,
}
