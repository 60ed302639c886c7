import { describe, expect, test } from 'vitest'
import { isPlain, toProduct } from './translate-product.ts'

const facts = { shop: 'shop.example', settings: { currency: 'EUR' } }

const price = (fields: object = {}) => ({
  currency_code: 'eur',
  amount: 11.9,
  min_quantity: null,
  max_quantity: null,
  rules: {},
  ...fields,
})

const variant = (fields: object = {}) => ({
  id: 'variant_1',
  title: 'Blue',
  sku: 'CUP-BLUE',
  barcode: null,
  ean: '4006381333931',
  upc: '012345678905',
  manage_inventory: true,
  prices: [price({ currency_code: 'usd', amount: 13 }), price({ amount: 9, min_quantity: 10 }), price()],
  inventory_items: [{ inventory_item_id: 'iitem_1' }],
  options: [{ value: 'Blue', option: { title: 'Colour' } }],
  updated_at: '2026-10-02T08:00:00Z',
  ...fields,
})

const product = {
  id: 'prod_1',
  title: 'Cup',
  description: 'Holds tea.',
  status: 'published',
  type: { value: 'Crockery' },
  tags: [{ value: 'kitchen' }],
  images: [{ url: 'https://shop.example/1.png' }, { url: 'https://shop.example/2.png' }],
  options: [{ title: 'Colour', values: [{ value: 'Blue' }, { value: 'Red' }] }],
  variants: [variant(), variant({ id: 'variant_2', updated_at: '2026-10-01T09:00:00Z' })],
  created_at: '2026-09-01T08:00:00Z',
  updated_at: '2026-10-01T08:00:00Z',
}

test('a product with everything', () => {
  const { variants, ...rest } = toProduct(product, facts)
  expect(rest).toEqual({
    remote_id: 'prod_1',
    title: 'Cup',
    description_html: 'Holds tea.',
    status: 'active',
    remote_status: 'published',
    brand: null,
    type: 'Crockery',
    tags: ['kitchen'],
    images: [
      { url: 'https://shop.example/1.png', alt: null, position: 0 },
      { url: 'https://shop.example/2.png', alt: null, position: 1 },
    ],
    options: [{ name: 'Colour', values: ['Blue', 'Red'] }],
    url: null,
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-02T08:00:00.000000Z',
    remote_version: '2026-10-02T08:00:00.000000Z',
    raw: product,
  })
  expect(variants).toEqual([
    {
      remote_id: 'variant_1',
      inventory_item_remote_id: 'iitem_1',
      sku: 'CUP-BLUE',
      barcode: '4006381333931',
      title: 'Blue',
      options: [{ name: 'Colour', value: 'Blue' }],
      price: { amount: '11.90', currency: 'EUR' },
      compare_at_price: null,
      weight: null,
      quantity: null,
      track_inventory: true,
    },
    expect.objectContaining({ remote_id: 'variant_2' }),
  ])
})

test('a product of which little is known', () => {
  const { type, tags, images, options, ...bare } = product
  const { prices, inventory_items, options: chosen, ...plain } = variant({ title: null, sku: null, ean: null })
  expect(toProduct({ ...bare, variants: [plain], updated_at: '2026-10-09T08:00:00Z' }, facts)).toMatchObject({
    type: null,
    tags: [],
    images: [],
    options: [],
    remote_updated_at: '2026-10-09T08:00:00.000000Z',
    variants: [
      { title: null, sku: null, barcode: '012345678905', options: [], price: null, inventory_item_remote_id: null },
    ],
  })
})

test.each([
  ['published', 'active'],
  ['draft', 'draft'],
  ['proposed', 'draft'],
  ['rejected', 'inactive'],
])('one that is %s is %s', (status, means) => {
  expect(toProduct({ ...product, status }, facts).status).toBe(means)
})

test('what is of no use is refused', () => {
  expect(() => toProduct({ ...product, status: 'odd' }, facts)).toThrow('Unknown value of "status": odd.')
  expect(() => toProduct({ ...product, variants: [] }, facts)).toThrow('The product has no variants.')
})

test.each([
  ['of its own', variant({ barcode: '1' }), { barcode: '1' }],
  ['that is not counted', variant({ manage_inventory: false }), { track_inventory: false }],
  [
    'finer than a cent',
    variant({ prices: [price({ amount: 0.12345 })] }),
    { price: { amount: '0.12345', currency: 'EUR' } },
  ],
])('a variant %s', (_, one, expected) => {
  expect(toProduct({ ...product, variants: [one] }, facts).variants).toMatchObject([expected])
})

test('without a currency there is no price', () => {
  expect(toProduct(product, { shop: 'shop.example', settings: {} }).variants[0]?.price).toBeNull()
})

describe('a price for everybody', () => {
  test.each([
    ['plain', {}, true],
    ['without rules', { rules: null }, true],
    ['in another currency', { currency_code: 'usd' }, false],
    ['from ten pieces on', { min_quantity: 10 }, false],
    ['up to ten pieces', { max_quantity: 10 }, false],
    ['for a region', { rules: { region_id: 'reg_1' } }, false],
  ])('%s', (_, fields, plain) => {
    expect(isPlain(price(fields), 'EUR')).toBe(plain)
  })
})

test('options and their values are in the order in which they were made, whichever way they come', () => {
  const values = ['S', 'M', 'L'].map((value, n) => ({ id: `optval_0${n}`, value }))
  const options = [
    { id: 'opt_1', title: 'Size', values: values.toReversed() },
    { id: 'opt_0', title: 'Colour', values: [{ id: 'optval_9', value: 'Blue' }] },
  ]
  expect(toProduct({ ...product, options }, facts).options).toEqual([
    { name: 'Colour', values: ['Blue'] },
    { name: 'Size', values: ['S', 'M', 'L'] },
  ])
})
