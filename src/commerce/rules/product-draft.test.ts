import { expect, test } from 'vitest'
import { bare, reads } from '../../../test/support/bare-connector.ts'
import type { ProductChoice } from '../product.ts'
import { productErrors } from './product-draft.ts'

const platform = (takes: readonly ProductChoice[]) => ({ ...bare, name: 'Acme', products: { ...reads, takes } })
const draft = { sku: 'A', title: 'A', price: '1.00', currency: 'EUR' }
const variant = (sku: string, ...values: string[]) => ({
  ...{ sku, options: values.map((value, n) => ({ name: ['Size', 'Colour'][n] ?? '', value })) },
})
const set = { ...draft, variants: [variant('A-1', 'S'), variant('A-2', 'M')] }

test('what a platform does not take of a product is refused at its field', () => {
  const images = [{ url: 'https://img.example/1.jpg' }]
  expect(productErrors(platform([]), { ...set, images }, 'products.3.')).toEqual({
    'products.3.images': ['The products.3.images field is prohibited: Acme takes no images by their address.'],
    'products.3.variants': [
      'The products.3.variants field is prohibited: products with variants cannot be made on Acme.',
    ],
  })
  expect(productErrors(platform([]), { ...draft, images: [], variants: null })).toEqual({})
  expect(productErrors(platform(['images', 'variants']), { ...set, images })).toEqual({})
})

test.each([
  ['a number that two have', { variants: [variant('A-1', 'S'), variant('A-1', 'M')] }, 'variants.1.sku'],
  ['a choice that two are', { variants: [variant('A-1', 'S'), variant('A-2', 'S')] }, 'variants.1.options'],
  ['options that differ', { variants: [variant('A-1', 'S'), variant('A-2', 'M', 'Red')] }, 'variants.1.options'],
  ['an option twice', { variants: [twice('S', 'S'), twice('M', 'M')] }, 'variants.0.options'],
  ['how many there are of the whole', { ...set, quantity: 3 }, 'quantity'],
])('%s is refused', (_, more, field) => {
  expect(Object.keys(productErrors(platform(['variants']), { ...draft, ...more }))).toContain(field)
})

function twice(...values: string[]) {
  return { sku: `A-${values[0]}`, options: values.map((value) => ({ name: 'Size', value })) }
}
