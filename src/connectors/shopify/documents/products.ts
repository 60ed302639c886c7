import type { Mutation, Query } from '../ask.ts'

const variant = `
  id title sku barcode price compareAtPrice inventoryQuantity
  selectedOptions { name value }
  inventoryItem { id tracked measurement { weight { value unit } } }`

const facts = `
  id title status vendor productType tags descriptionHtml createdAt updatedAt onlineStoreUrl
  options { name values }`

const picture = 'preview { image { url altText } }'

export const maxImages = 20

const product = `${facts}
  media(first: ${maxImages}) { nodes { ${picture} } }
  variants(first: 20) { pageInfo { hasNextPage endCursor } nodes { ${variant} } }`

export const productPage: Query = {
  cost: 40,
  text: `query Products($first: Int!, $after: String, $query: String, $count: Boolean!) {
  shop { currencyCode }
  productsCount(query: $query, limit: null) @include(if: $count) { count precision }
  products(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { ${product} }
  }
}`,
}

export const productCount: Query = {
  cost: 1,
  text: 'query HowMany { productsCount(limit: null) { count precision } }',
}

/** Bulk queries know no page sizes, and want edges around what a list contains. */
export const bulkProducts = `{
  products {
    edges {
      node {
        __typename ${facts}
        media { edges { node { __typename id ${picture} } } }
        variants { edges { node { __typename ${variant} } } }
      }
    }
  }
}`

export const productIndex: Query = {
  cost: 10,
  text: `query ProductIndex($after: String, $query: String) {
  products(first: 250, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { id updatedAt }
  }
}`,
}

export const oneProduct: Query = {
  cost: 5,
  text: `query Product($id: ID!) { shop { currencyCode } product(id: $id) { ${product} } }`,
}

export const moreVariants: Query = {
  cost: 15,
  text: `query MoreVariants($id: ID!, $after: String) {
  product(id: $id) { variants(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${variant} } } }
}`,
}

export const shopBooks: Query = { cost: 2, text: 'query Books { shop { currencyCode } location { id } }' }

export const setProduct: Mutation = {
  name: 'productSet',
  text: `mutation Export($input: ProductSetInput!, $identifier: ProductSetIdentifiers!) {
  productSet(input: $input, identifier: $identifier, synchronous: true) {
    product { id }
    userErrors { field message }
  }
}`,
}

export const salesChannels: Query = {
  cost: 4,
  text: 'query Channels { publications(first: 50, catalogType: APP) { nodes { id } } }',
}

export const publish: Mutation = {
  name: 'publishablePublish',
  text: `mutation Publish($id: ID!, $input: [PublicationInput!]!) {
  publishablePublish(id: $id, input: $input) { userErrors { field message } }
}`,
}

export const setPrice: Mutation = {
  name: 'productVariantsBulkUpdate',
  text: `mutation Price($product: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkUpdate(productId: $product, variants: $variants) {
    productVariants { id }
    userErrors { field message }
  }
}`,
}

export const addVariants: Mutation = {
  name: 'productVariantsBulkCreate',
  text: `mutation AddVariants($product: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkCreate(productId: $product, variants: $variants) {
    productVariants { id }
    userErrors { field message }
  }
}`,
}
