import { readFileSync } from 'node:fs'
import {
  siBigcommerce,
  siEbay,
  siEtsy,
  siMedusa,
  siPrestashop,
  siShopify,
  siSquarespace,
  siTiktok,
  siWix,
  siWoocommerce,
} from 'simple-icons'
import { expect, test } from 'vitest'
import { typedForm } from '../../src/commerce/capabilities.ts'
import { connectors } from '../../src/connectors/index.ts'

/** Marks of platforms are as their collection has them, in the platform's own colour; the others are drawn by us. */
test.each([
  ['bigcommerce', siBigcommerce],
  ['ebay', siEbay],
  ['etsy', siEtsy],
  ['medusa', siMedusa],
  ['prestashop', siPrestashop],
  ['shopify', siShopify],
  ['squarespace', siSquarespace],
  ['tiktok_shop', siTiktok],
  ['wix', siWix],
  ['woocommerce', siWoocommerce],
] as const)('the mark of %s', (type, { path, hex }) => {
  const logo = connectors.get(type)?.logo ?? ''
  expect(logo).toContain(`d="${path}"`)
  expect(logo).toContain(`fill="#${hex.toLowerCase()}"`)
})

test('merchants are told where to find the keys of every platform that asks for some', () => {
  const places = readFileSync(new URL('../../web/components/where.ts', import.meta.url), 'utf8')
  const asking = [...connectors.values()].filter(
    (one) => typedForm(one) !== null && !['sandbox', 'custom'].includes(one.type),
  )
  expect(asking.length).toBeGreaterThan(5)
  expect(asking.map(({ type }) => type).filter((type) => !places.includes(`\n  ${type}: {`))).toEqual([])
})
