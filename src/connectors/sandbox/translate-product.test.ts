import { expect, test } from 'vitest'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const product = {
  id: 'P1',
  sku: 'CUP',
  title: 'Cup',
  description: 'Holds tea.',
  visible: true,
  currency: 'EUR',
  price: 1190,
  stock: 7,
  images: [
    { url: 'https://shop.example/1.png', alt: 'Front' },
    { url: 'https://shop.example/2.png', alt: '' },
  ],
  updated_at: '2026-10-01T08:00:00.000000Z',
}

test('a product with everything', () => {
  expect(toProduct(product)).toEqual({
    remote_id: 'P1',
    title: 'Cup',
    description_html: 'Holds tea.',
    status: 'active',
    remote_status: 'visible',
    brand: null,
    type: null,
    tags: [],
    images: [
      { url: 'https://shop.example/1.png', alt: 'Front', position: 0 },
      { url: 'https://shop.example/2.png', alt: null, position: 1 },
    ],
    options: [],
    variants: [
      {
        remote_id: 'P1',
        inventory_item_remote_id: null,
        sku: 'CUP',
        barcode: null,
        title: null,
        options: [],
        price: { amount: '11.90', currency: 'EUR' },
        compare_at_price: null,
        weight: null,
        quantity: 7,
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw: product,
  })
})

test('one that nobody sees, with nothing to say', () => {
  expect(toProduct({ ...product, visible: false, description: '' })).toMatchObject({
    status: 'inactive',
    remote_status: 'hidden',
    description_html: null,
  })
})

test('stock at a place, and at none', () => {
  const level = { id: 'P1', sku: 'CUP', stock: 7, location: 'North', updated_at: '2026-10-01T08:00:00.000000Z' }
  expect(toInventoryLevel(level)).toEqual({
    sku: 'CUP',
    variant_remote_id: 'P1',
    location_remote_id: 'North',
    available: 7,
    on_hand: 7,
    reserved: null,
    updated_at: '2026-10-01T08:00:00.000000Z',
  })
  expect(toInventoryLevel({ ...level, location: null }).location_remote_id).toBeNull()
})
