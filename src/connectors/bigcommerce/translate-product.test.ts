import { describe, expect, test } from 'vitest'
import type { Variant } from '../../commerce/product.ts'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const is = (amount: string) => ({ amount, currency: 'EUR' })

const choice = (name: string, label: string) => ({ option_display_name: name, label })

const variant = (fields: object = {}) => ({
  id: 80,
  sku: 'CUP-BLUE-L',
  upc: '012345678905',
  gtin: '4006381333931',
  price: 11.9,
  sale_price: 9.5,
  retail_price: 15,
  weight: 0.25,
  inventory_level: 7,
  option_values: [choice('Colour', 'Blue'), choice('Size', 'L')],
  ...fields,
})

const product = {
  id: 70,
  name: 'Cup',
  description: '<p>Holds tea.</p>',
  availability: 'available',
  is_visible: true,
  brand: 'Analytical',
  type: 'physical',
  search_keywords: 'tea, cup,, ',
  price: 20,
  sale_price: 0,
  retail_price: 0,
  weight: 2,
  inventory_tracking: 'variant',
  inventory_level: 40,
  images: [
    { url_standard: 'https://shop.example/2.png', description: '', sort_order: 2 },
    { url_standard: 'https://shop.example/1.png', description: 'Front', sort_order: 1 },
    { url_standard: 'https://shop.example/0.png', description: null },
  ],
  variants: [variant(), variant({ id: 81, option_values: [choice('Colour', 'Red'), choice('Size', 'L')] })],
  custom_url: { url: '/cup/' },
  store: { currency: 'EUR', weight_units: 'KGS', secure_url: 'https://shop.example' },
  date_created: '2026-09-01T08:00:00+00:00',
  date_modified: '2026-10-01T08:00:00+00:00',
}

const first = (one: object, changes: object = {}): Variant | undefined =>
  toProduct({ ...product, ...changes, variants: [one] }).variants[0]

test('a product with everything', () => {
  const { variants, ...rest } = toProduct(product)
  expect(rest).toEqual({
    remote_id: '70',
    title: 'Cup',
    description_html: '<p>Holds tea.</p>',
    status: 'active',
    remote_status: 'available',
    brand: 'Analytical',
    type: 'physical',
    tags: ['tea', 'cup'],
    images: [
      { url: 'https://shop.example/0.png', alt: null, position: 0 },
      { url: 'https://shop.example/1.png', alt: 'Front', position: 1 },
      { url: 'https://shop.example/2.png', alt: null, position: 2 },
    ],
    options: [
      { name: 'Colour', values: ['Blue', 'Red'] },
      { name: 'Size', values: ['L'] },
    ],
    url: 'https://shop.example/cup/',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw: product,
  })
  expect(variants).toEqual([
    {
      remote_id: '80',
      inventory_item_remote_id: null,
      sku: 'CUP-BLUE-L',
      barcode: '012345678905',
      title: 'Blue / L',
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
    expect.objectContaining({ remote_id: '81', title: 'Red / L' }),
  ])
})

test.each([
  ['hidden', { is_visible: false }, { status: 'inactive', remote_status: 'hidden' }],
  ['not for sale', { availability: 'disabled' }, { status: 'inactive', remote_status: 'disabled' }],
  ['announced', { availability: 'preorder' }, { status: 'active', remote_status: 'preorder' }],
  ['without words', { search_keywords: '' }, { tags: [] }],
  ['without a page', { custom_url: null }, { url: null }],
  ['of a shop without an address', { store: { currency: 'EUR', weight_units: 'KGS' } }, { url: null }],
])('a product that is %s', (_, changes, expected) => {
  expect(toProduct({ ...product, ...changes })).toMatchObject(expected)
})

describe('what a variant costs', () => {
  const none = { price: null, sale_price: null, retail_price: null }
  test.each([
    ['its own', { sale_price: 0, retail_price: 0 }, {}, { price: is('11.90'), compare_at_price: null }],
    ['less than usual', { sale_price: 0 }, {}, { price: is('11.90'), compare_at_price: is('15.00') }],
    ['no less than usual', { sale_price: 0, retail_price: 11.9 }, {}, { price: is('11.90'), compare_at_price: null }],
    ['what its product costs', none, {}, { price: is('20.00'), compare_at_price: null }],
    ['nothing that anybody says', none, none, { price: null, compare_at_price: null }],
    [
      'nothing that anybody says, though it was dearer',
      { ...none, retail_price: 5 },
      none,
      { price: null, compare_at_price: null },
    ],
    ['a text', { price: '12.5', sale_price: null }, {}, { price: is('12.50'), compare_at_price: is('15.00') }],
  ])('%s', (_, own, changes, expected) => {
    expect(first(variant(own), changes)).toMatchObject(expected)
  })
})

test.each([
  ['by product', 'product', { quantity: 40, track_inventory: true }],
  ['by variant', 'variant', { quantity: 7, track_inventory: true }],
  ['not at all', 'none', { quantity: null, track_inventory: false }],
  ['not, as nobody says', null, { quantity: null, track_inventory: false }],
])('stock is counted %s', (_, tracking, expected) => {
  expect(first(variant(), { inventory_tracking: tracking })).toMatchObject(expected)
})

test('a variant without options, with another number', () => {
  expect(first(variant({ option_values: [], upc: '' }))).toMatchObject({ title: null, barcode: '4006381333931' })
})

describe('a weight', () => {
  test.each([
    ['Ounces', '3', 'oz'],
    ['LBS', '3', 'lb'],
    ['Pounds', '3', 'lb'],
    ['Grams', '3', 'g'],
    ['KGS', '3', 'kg'],
    ['Kilograms', '3', 'kg'],
    ['Tonnes', '3000', 'kg'],
  ])('in %s', (units, value, unit) => {
    const store = { ...product.store, weight_units: units }
    expect(first(variant({ weight: 3 }), { store })?.weight).toEqual({ value, unit })
  })

  test('of the product, of nothing, and of a kind that nobody knows', () => {
    const store = { ...product.store, weight_units: 'Stones' }
    expect(first(variant({ weight: null }))?.weight).toEqual({ value: '2', unit: 'kg' })
    expect(first(variant({ weight: 0 }))?.weight).toBeNull()
    expect(first(variant({ weight: null }), { weight: null })?.weight).toBeNull()
    expect(first(variant({ weight: 0 }), { store })?.weight).toBeNull()
    expect(() => first(variant(), { store })).toThrow('Unknown value of "unit": Stones.')
  })
})

test('stock at a place', () => {
  const level = {
    identity: { sku: 'CUP', variant_id: 80 },
    location_id: 4,
    available_to_sell: 5,
    total_inventory_onhand: 7,
  }
  expect(toInventoryLevel(level)).toEqual({
    sku: 'CUP',
    variant_remote_id: '80',
    location_remote_id: '4',
    available: 5,
    on_hand: 7,
    reserved: 2,
    updated_at: null,
  })
  const sold = { ...level, identity: { sku: 'CUP', variant_id: null }, available_to_sell: 9 }
  expect(toInventoryLevel(sold)).toMatchObject({ variant_remote_id: null, available: 9, reserved: 0 })
})
