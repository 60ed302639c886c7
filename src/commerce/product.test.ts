import { expect, test } from 'vitest'
import { optionsOf, type Variant } from './product.ts'

const variant = (options: Variant['options']): Variant => ({
  ...{ remote_id: '1', inventory_item_remote_id: null, sku: null, barcode: null, title: null, options, price: null },
  ...{ compare_at_price: null, weight: null, quantity: null, track_inventory: null },
})

test('what the variants of a product differ by is found in them, each word once and in their order', () => {
  const [blue, red] = ['blue', 'red'].map((value) => ({ name: 'colour', value }))
  const large = { name: 'size', value: 'L' }
  const all = [blue, red, blue].flatMap((colour) => (colour ? [variant([colour, large])] : []))
  expect(optionsOf(all)).toEqual([
    { name: 'colour', values: ['blue', 'red'] },
    { name: 'size', values: ['L'] },
  ])
  expect(optionsOf([variant([])])).toEqual([])
})
