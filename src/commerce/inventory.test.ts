import { expect, test } from 'vitest'
import { articleFor, noArticle } from './inventory.ts'

const articles = [
  { sku: 'CUP', variantId: '1' },
  { sku: 'CUP', variantId: '2' },
  { sku: 'POT', variantId: '3' },
  { sku: null, variantId: '4' },
]

test('an SKU that several articles have is refused with all of them, and one can be named by its variant', () => {
  expect(articleFor({ sku: 'CUP' }, articles)).toBe(
    'Several articles of the shop have this SKU: 1, 2. Name one of them by variant_remote_id.',
  )
  expect(articleFor({ sku: 'CUP', variant_remote_id: '2' }, articles)).toBe(articles[1])
  expect(articleFor({ sku: 'POT', variant_remote_id: '2' }, articles)).toBe(noArticle)
})

test('an article without an SKU is named by its variant, and one that came twice is one', () => {
  expect(articleFor({ variant_remote_id: '4' }, articles)).toBe(articles[3])
  expect(articleFor({ sku: 'POT' }, [...articles, ...articles])).toBe(articles[2])
  const same = ['product', 'combination'].map((key) => ({ sku: null, variantId: '7', key }))
  expect(articleFor({ variant_remote_id: '7' }, same)).toContain('name the SKU as well')
})
