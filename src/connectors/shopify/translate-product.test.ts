import { describe, expect, test } from 'vitest'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const list = (nodes: readonly object[], hasNextPage = false) => ({
  nodes,
  pageInfo: { hasNextPage, endCursor: hasNextPage ? 'next' : null },
})

const item = (fields: object = {}) => ({
  id: 'gid://shopify/InventoryItem/9',
  tracked: true,
  measurement: { weight: { unit: 'KILOGRAMS', value: 0.25 } },
  ...fields,
})

const variant = (fields: object = {}) => ({
  id: 'gid://shopify/ProductVariant/80',
  sku: 'CUP-BLUE',
  barcode: '4006381333931',
  title: 'Blue',
  selectedOptions: [{ name: 'Colour', value: 'Blue' }],
  price: '11.90',
  compareAtPrice: '15.00',
  inventoryQuantity: 7,
  inventoryItem: item(),
  ...fields,
})

const product = {
  id: 'gid://shopify/Product/70',
  title: 'Cup',
  descriptionHtml: '<p>Holds tea.</p>',
  status: 'ACTIVE',
  vendor: 'Analytical',
  productType: 'Crockery',
  tags: ['tea', 'cup'],
  currencyCode: 'EUR',
  media: list([
    { preview: { image: { url: 'https://cdn.example/1.png', altText: 'Front' } } },
    { preview: { image: null } },
    { preview: null },
    { preview: { image: { url: 'https://cdn.example/2.png', altText: '' } } },
  ]),
  options: [{ name: 'Colour', values: ['Blue', 'Red'] }],
  variants: list([variant()]),
  onlineStoreUrl: 'https://shop.example/products/cup',
  createdAt: '2026-09-01T08:00:00Z',
  updatedAt: '2026-10-01T08:00:00Z',
}

const first = (fields: object) => toProduct({ ...product, variants: list([variant(fields)]) }).variants[0]

test('a product with everything', () => {
  expect(toProduct(product)).toEqual({
    remote_id: 'gid://shopify/Product/70',
    title: 'Cup',
    description_html: '<p>Holds tea.</p>',
    status: 'active',
    remote_status: 'ACTIVE',
    brand: 'Analytical',
    type: 'Crockery',
    tags: ['tea', 'cup'],
    images: [
      { url: 'https://cdn.example/1.png', alt: 'Front', position: 0 },
      { url: 'https://cdn.example/2.png', alt: null, position: 1 },
    ],
    options: [{ name: 'Colour', values: ['Blue', 'Red'] }],
    variants: [
      {
        remote_id: 'gid://shopify/ProductVariant/80',
        inventory_item_remote_id: 'gid://shopify/InventoryItem/9',
        sku: 'CUP-BLUE',
        barcode: '4006381333931',
        title: 'Blue',
        options: [{ name: 'Colour', value: 'Blue' }],
        price: { amount: '11.90', currency: 'EUR' },
        compare_at_price: { amount: '15.00', currency: 'EUR' },
        weight: { value: '0.25', unit: 'kg' },
        quantity: 7,
        track_inventory: true,
      },
    ],
    url: 'https://shop.example/products/cup',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw: product,
  })
})

test.each([
  ['ACTIVE', 'active'],
  ['UNLISTED', 'active'],
  ['DRAFT', 'draft'],
  ['ARCHIVED', 'archived'],
])('one that is %s is %s', (status, ours) => {
  expect(toProduct({ ...product, status })).toMatchObject({ status: ours, remote_status: status })
})

test('what is not understood, or not complete, is refused', () => {
  expect(() => toProduct({ ...product, status: 'ODD' })).toThrow('Unknown value of "status": ODD.')
  expect(() => toProduct({ ...product, variants: list([variant()], true) })).toThrow('only a part of "variants".')
})

test('a variant of which little is known', () => {
  const little = { sku: '', barcode: null, compareAtPrice: null, inventoryQuantity: null }
  expect(first({ ...little, inventoryItem: item({ tracked: false, measurement: null }) })).toMatchObject({
    sku: null,
    barcode: null,
    compare_at_price: null,
    quantity: null,
    weight: null,
    track_inventory: false,
  })
  expect(first({ inventoryItem: item({ measurement: { weight: null } }) })?.weight).toBeNull()
})

describe('a weight', () => {
  const weigh = (unit: string) =>
    first({ inventoryItem: item({ measurement: { weight: { unit, value: 3 } } }) })?.weight
  test.each([
    ['GRAMS', 'g'],
    ['KILOGRAMS', 'kg'],
    ['OUNCES', 'oz'],
    ['POUNDS', 'lb'],
  ])('in %s', (unit, ours) => {
    expect(weigh(unit)).toEqual({ value: '3', unit: ours })
  })

  test('in what nobody knows is refused', () => {
    expect(() => weigh('STONES')).toThrow('Unknown value of "unit": STONES.')
  })
})

describe('stock', () => {
  const level = (quantities: Record<string, number>, variants: readonly object[] = [{ id: 'V1' }]) => ({
    item: { sku: 'CUP', variants: list(variants) },
    location: { id: 'L1' },
    quantities: Object.entries(quantities).map(([name, quantity]) => ({ name, quantity })),
    updatedAt: '2026-10-01T08:00:00Z',
  })

  test('with everything', () => {
    expect(toInventoryLevel(level({ available: 5, on_hand: 9, committed: 3, reserved: 1 }))).toEqual({
      sku: 'CUP',
      variant_remote_id: 'V1',
      location_remote_id: 'L1',
      available: 5,
      on_hand: 9,
      reserved: 4,
      updated_at: '2026-10-01T08:00:00.000000Z',
    })
  })

  test('of which little is known', () => {
    expect(toInventoryLevel(level({ available: 5 }, []))).toMatchObject({
      variant_remote_id: null,
      on_hand: null,
      reserved: null,
    })
    expect(toInventoryLevel(level({ available: 5, committed: 3 }))).toMatchObject({ reserved: 3 })
    expect(() => toInventoryLevel(level({ on_hand: 5 }))).toThrow('has no "available".')
  })
})
