import { describe, expect, test } from 'vitest'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const item = (sku: string, fields: object = {}) => ({
  sku,
  productName: `Cup ${sku}`,
  productType: 'Cups',
  lifecycleStatus: 'ACTIVE',
  publishedStatus: 'PUBLISHED',
  gtin: '04006381333931',
  upc: '012345678905',
  price: { currency: 'USD', amount: 11.9 },
  ...fields,
})

const kind = (sku: string, colour: string, fields: object = {}) =>
  item(sku, {
    variantGroupInfo: {
      isPrimary: false,
      groupingAttributes: [
        { name: 'colour', value: colour },
        { name: 'size', value: 'L' },
      ],
    },
    ...fields,
  })

test('an item with everything', () => {
  const raw = item('CUP')
  expect(toProduct(raw)).toEqual({
    remote_id: 'CUP',
    title: 'Cup CUP',
    description_html: null,
    status: 'active',
    remote_status: 'ACTIVE PUBLISHED',
    brand: null,
    type: 'Cups',
    tags: [],
    images: [],
    options: [],
    variants: [
      {
        remote_id: 'CUP',
        inventory_item_remote_id: 'CUP',
        sku: 'CUP',
        barcode: '04006381333931',
        title: null,
        options: [],
        price: { amount: '11.90', currency: 'USD' },
        compare_at_price: null,
        weight: null,
        quantity: null,
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: null,
    remote_version: '0',
    raw,
  })
})

test('a group is called as the first of its items, or as that which is the main one', () => {
  const main = { variantGroupInfo: { isPrimary: 'true', groupingAttributes: null } }
  const items = [kind('A', 'blue', { publishedStatus: 'UNPUBLISHED' }), kind('B', 'red'), kind('C', 'blue')]
  expect(toProduct({ variantGroupId: 'G1', items })).toMatchObject({
    remote_id: 'group:G1',
    title: 'Cup A',
    status: 'active',
    remote_status: 'ACTIVE UNPUBLISHED, ACTIVE PUBLISHED',
    options: [
      { name: 'colour', values: ['blue', 'red'] },
      { name: 'size', values: ['L'] },
    ],
    variants: [
      {
        sku: 'A',
        title: 'blue, L',
        options: [
          { name: 'colour', value: 'blue' },
          { name: 'size', value: 'L' },
        ],
      },
      { sku: 'B', title: 'red, L' },
      { sku: 'C' },
    ],
  })
  expect(toProduct({ variantGroupId: 'G1', items: [...items, item('D', main)] }).title).toBe('Cup D')
  const flagged = { variantGroupInfo: { isPrimary: true } }
  expect(toProduct({ variantGroupId: 'G1', items: [...items, item('E', flagged)] }).title).toBe('Cup E')
})

test('a group without items is refused', () => {
  expect(() => toProduct({ variantGroupId: 'G1', items: [] })).toThrow('The group has no items.')
})

test.each([
  ['ACTIVE', 'PUBLISHED', 'active', 'ACTIVE PUBLISHED'],
  ['ACTIVE', 'UNPUBLISHED', 'inactive', 'ACTIVE UNPUBLISHED'],
  ['RETIRED', 'PUBLISHED', 'archived', 'RETIRED PUBLISHED'],
  [null, null, 'inactive', 'ACTIVE UNPUBLISHED'],
])('an item that is %s and %s', (life, published, status, words) => {
  expect(toProduct(item('CUP', { lifecycleStatus: life, publishedStatus: published }))).toMatchObject({
    status,
    remote_status: words,
  })
})

test('an item of which little is known', () => {
  expect(toProduct(item('CUP', { productName: '', gtin: null, price: null }))).toMatchObject({
    title: 'CUP',
    variants: [{ barcode: '012345678905', price: null }],
  })
  expect(toProduct(item('CUP', { price: { currency: 'USD' } })).variants[0]?.price).toBeNull()
})

describe('stock', () => {
  const count = (amount: number) => ({ unit: 'EACH', amount })
  const level = { sku: 'CUP', shipNode: 'N1', inputQty: count(9), availToSellQty: count(7), reservedQty: count(2) }

  test('with everything', () => {
    expect(toInventoryLevel(level)).toEqual({
      sku: 'CUP',
      variant_remote_id: 'CUP',
      location_remote_id: 'N1',
      available: 7,
      on_hand: 9,
      reserved: 2,
      updated_at: null,
    })
  })

  test('of which little is known', () => {
    const { availToSellQty, reservedQty, ...bare } = level
    expect(toInventoryLevel(bare)).toMatchObject({ available: 9, on_hand: 9, reserved: null })
    expect(() => toInventoryLevel({ sku: 'CUP', shipNode: 'N1' })).toThrow('The shop’s record has no quantity.')
  })
})
