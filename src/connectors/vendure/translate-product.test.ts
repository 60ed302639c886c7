import { expect, test } from 'vitest'
import { toProduct } from './translate-product.ts'

const facts = { shop: 'shop.example', settings: {} }

const variant = (fields: object = {}) => ({
  id: '11',
  sku: 'CUP-BLUE',
  name: 'Cup Blue',
  currencyCode: 'EUR',
  price: 1000,
  prices: [
    { currencyCode: 'USD', price: 1300 },
    { currencyCode: 'EUR', price: 1190 },
  ],
  trackInventory: 'TRUE',
  updatedAt: '2026-10-02T08:00:00Z',
  options: [{ name: 'Blue', group: { name: 'Colour' } }],
  ...fields,
})

const product = {
  id: '3',
  name: 'Cup',
  description: '<p>Holds tea.</p>',
  enabled: true,
  createdAt: '2026-09-01T08:00:00Z',
  updatedAt: '2026-10-01T08:00:00Z',
  assets: [
    { source: 'https://shop.example/1.png', name: 'Front' },
    { source: 'https://shop.example/2.png', name: '' },
  ],
  optionGroups: [{ name: 'Colour', options: [{ name: 'Blue' }, { name: 'Red' }] }],
  variants: [variant(), variant({ id: '12', updatedAt: '2026-10-01T09:00:00Z' })],
}

test('a product with everything', () => {
  const { variants, ...rest } = toProduct(product, facts)
  expect(rest).toEqual({
    remote_id: '3',
    title: 'Cup',
    description_html: '<p>Holds tea.</p>',
    status: 'active',
    remote_status: 'enabled',
    brand: null,
    type: null,
    tags: [],
    images: [
      { url: 'https://shop.example/1.png', alt: 'Front', position: 0 },
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
      remote_id: '11',
      inventory_item_remote_id: null,
      sku: 'CUP-BLUE',
      barcode: null,
      title: 'Cup Blue',
      options: [{ name: 'Colour', value: 'Blue' }],
      price: { amount: '11.90', currency: 'EUR' },
      compare_at_price: null,
      weight: null,
      quantity: null,
      track_inventory: true,
    },
    expect.objectContaining({ remote_id: '12' }),
  ])
})

test('one that nobody sees is inactive, and its own time counts where its variants are older', () => {
  expect(toProduct({ ...product, enabled: false, updatedAt: '2026-10-09T08:00:00Z' }, facts)).toMatchObject({
    status: 'inactive',
    remote_status: 'disabled',
    remote_updated_at: '2026-10-09T08:00:00.000000Z',
  })
})

test.each([
  ['FALSE', false],
  ['INHERIT', null],
  ['SOMETIMES', null],
])('stock is tracked: %s', (trackInventory, tracked) => {
  expect(toProduct({ ...product, variants: [variant({ trackInventory })] }, facts).variants).toMatchObject([
    { track_inventory: tracked },
  ])
})

test('the price of the channel counts where there is none in its currency', () => {
  const own = variant({ prices: [{ currencyCode: 'USD', price: 1300 }] })
  expect(toProduct({ ...product, variants: [own] }, facts).variants[0]?.price).toEqual({
    amount: '10.00',
    currency: 'EUR',
  })
})

test('one without variants is refused', () => {
  expect(() => toProduct({ ...product, variants: [] }, facts)).toThrow('The product has no variants.')
})
