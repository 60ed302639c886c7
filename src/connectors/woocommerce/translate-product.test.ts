import { describe, expect, test } from 'vitest'
import { isCounted, toInventoryLevel, toProduct } from './translate-product.ts'

const is = (amount: string) => ({ amount, currency: 'EUR' })

const variation = (id: number, fields: object = {}) => ({
  id,
  sku: `CUP-${id}`,
  global_unique_id: '4006381333931',
  attributes: [
    { name: 'Colour', option: 'Blue' },
    { name: 'Size', option: 'L' },
    { name: 'Shape', option: '' },
  ],
  price: '9.5',
  regular_price: '11.9',
  weight: '0.25',
  manage_stock: true,
  stock_quantity: 7,
  date_modified_gmt: '2026-10-02T08:00:00',
  ...fields,
})

const product = {
  id: 70,
  name: 'Cup',
  description: '<p>Holds tea.</p>',
  status: 'publish',
  brands: [{ name: 'Analytical' }, { name: 'Other' }],
  categories: [{ name: 'Crockery' }],
  tags: [{ name: 'tea' }, { name: 'cup' }],
  images: [
    { src: 'https://shop.example/1.png', alt: 'Front' },
    { src: 'https://shop.example/2.png', alt: '' },
  ],
  attributes: [
    { name: 'Colour', variation: true, options: ['Blue', 'Red'] },
    { name: 'Origin', variation: false, options: ['Kent'] },
  ],
  permalink: 'https://shop.example/cup',
  sku: 'CUP',
  global_unique_id: '',
  price: '20',
  regular_price: '',
  weight: '',
  manage_stock: false,
  stock_quantity: null,
  date_created_gmt: '2026-09-01T08:00:00',
  date_modified_gmt: '2026-10-01T08:00:00',
  variants: [variation(80), variation(81, { date_modified_gmt: '2026-10-01T09:00:00' })],
  measures: { currency: 'EUR', weightUnit: 'kg' },
}

const first = (fields: object, changes: object = {}) =>
  toProduct({ ...product, ...changes, variants: [variation(80, fields)] }).variants[0]

test('a product with everything', () => {
  expect(toProduct(product)).toEqual({
    remote_id: '70',
    sku: 'CUP',
    title: 'Cup',
    description_html: '<p>Holds tea.</p>',
    status: 'active',
    remote_status: 'publish',
    brand: 'Analytical',
    type: 'Crockery',
    tags: ['tea', 'cup'],
    images: [
      { url: 'https://shop.example/1.png', alt: 'Front', position: 0 },
      { url: 'https://shop.example/2.png', alt: null, position: 1 },
    ],
    options: [{ name: 'Colour', values: ['Blue', 'Red'] }],
    variants: [
      {
        remote_id: '80',
        inventory_item_remote_id: null,
        sku: 'CUP-80',
        barcode: '4006381333931',
        title: 'Blue, L',
        options: [
          { name: 'Colour', value: 'Blue' },
          { name: 'Size', value: 'L' },
        ],
        price: is('9.50'),
        compare_at_price: is('11.90'),
        weight: { value: '0.25', unit: 'kg' },
        quantity: 7,
        track_inventory: true,
      },
      expect.objectContaining({ remote_id: '81' }),
    ],
    url: 'https://shop.example/cup',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-02T08:00:00.000000Z',
    raw: product,
  })
})

test('names are told without the signs of HTML, with which the shop keeps them', () => {
  const told = toProduct({
    ...product,
    name: 'Tea &amp; "Milk" &lt;3 &nonesuch; &#9749; &#xD800;',
    brands: [{ name: 'Sons &amp; Daughters' }],
    categories: [{ name: 'Mugs &amp; Cups' }],
    tags: [{ name: 'R&amp;D' }],
    attributes: [{ name: 'Shape &amp; Size', variation: true, options: ['S &amp; M'] }],
    variants: [variation(80, { attributes: [{ name: 'Shape &amp; Size', option: 'S &amp; M' }] })],
  })
  expect(told).toMatchObject({
    title: 'Tea & "Milk" <3 &nonesuch; ☕ &#xD800;',
    brand: 'Sons & Daughters',
    type: 'Mugs & Cups',
    tags: ['R&D'],
    options: [{ name: 'Shape & Size', values: ['S & M'] }],
    variants: [{ title: 'S & M', options: [{ name: 'Shape & Size', value: 'S & M' }] }],
  })
})

test('a product without variations is its own', () => {
  const { brands, ...bare } = product
  expect(toProduct({ ...bare, categories: [], variants: [], attributes: [] })).toMatchObject({
    brand: null,
    type: null,
    remote_version: '2026-10-01T08:00:00.000000Z',
    variants: [
      {
        ...{ remote_id: '70', sku: 'CUP', barcode: null, title: null, options: [], price: is('20.00') },
        ...{ compare_at_price: null, weight: null, quantity: null, track_inventory: false },
      },
    ],
  })
})

test.each([
  ['publish', 'active'],
  ['future', 'draft'],
  ['draft', 'draft'],
  ['auto-draft', 'draft'],
  ['pending', 'draft'],
  ['private', 'inactive'],
  ['trash', 'archived'],
])('one that is %s is %s', (status, ours) => {
  expect(toProduct({ ...product, status })).toMatchObject({ status: ours, remote_status: status })
})

test('a status that nobody knows is refused', () => {
  expect(() => toProduct({ ...product, status: 'odd' })).toThrow('Unknown value of "status": odd.')
})

describe('a variation', () => {
  test.each([
    ['at its usual price', { price: '11.90' }, { price: is('11.90'), compare_at_price: null }],
    ['without a price', { price: '' }, { price: null, compare_at_price: is('11.90') }],
    [
      'whose stock is that of its product',
      { manage_stock: 'parent' },
      { track_inventory: true, inventory_item_remote_id: '70' },
    ],
    ['that is not counted', { manage_stock: false, stock_quantity: null }, { track_inventory: false, quantity: null }],
  ])('%s', (_, fields, expected) => {
    expect(first(fields)).toMatchObject(expected)
  })

  test.each([
    ['g', 'g'],
    ['kg', 'kg'],
    ['oz', 'oz'],
    ['lbs', 'lb'],
  ])('that is weighed in %s', (weightUnit, unit) => {
    expect(first({}, { measures: { currency: 'EUR', weightUnit } })?.weight).toEqual({ value: '0.25', unit })
  })

  test('that is weighed in what nobody knows', () => {
    expect(first({}, { measures: { currency: 'EUR', weightUnit: 'stone' } })?.weight).toBeNull()
  })
})

test('what has a stock and a number is counted', () => {
  expect(isCounted(variation(1))).toBe(true)
  expect(isCounted(variation(1, { manage_stock: 'parent' }))).toBe(true)
  expect(isCounted(variation(1, { manage_stock: false }))).toBe(false)
  expect(isCounted(variation(1, { stock_quantity: null }))).toBe(false)
  expect(isCounted(variation(1, { sku: '' }))).toBe(false)
})

test('stock of an article', () => {
  expect(toInventoryLevel(variation(80))).toEqual({
    sku: 'CUP-80',
    variant_remote_id: '80',
    location_remote_id: null,
    available: 7,
    on_hand: null,
    reserved: null,
    updated_at: '2026-10-02T08:00:00.000000Z',
  })
})

test('a variation without a SKU does not pass off its product’s as its own', () => {
  const { sku, variants } = toProduct({
    ...product,
    sku: 'CUP',
    variants: [variation(1, { sku: 'CUP' }), variation(2)],
  })
  expect([sku, variants[0]?.sku]).toEqual(['CUP', null])
  expect(variants[1]?.sku).not.toBeNull()
})
