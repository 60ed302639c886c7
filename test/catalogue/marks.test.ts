import { siBigcommerce, siEbay, siEtsy, siMedusa, siPrestashop, siShopify, siWoocommerce } from 'simple-icons'
import { expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'

/** Marks of platforms are as their collection has them, in the platform's own colour; the others are drawn by us. */
test.each([
  ['bigcommerce', siBigcommerce],
  ['ebay', siEbay],
  ['etsy', siEtsy],
  ['medusa', siMedusa],
  ['prestashop', siPrestashop],
  ['shopify', siShopify],
  ['woocommerce', siWoocommerce],
] as const)('the mark of %s', (type, { path, hex }) => {
  const logo = connectors.get(type)?.logo ?? ''
  expect(logo).toContain(`d="${path}"`)
  expect(logo).toContain(`fill="#${hex.toLowerCase()}"`)
})
