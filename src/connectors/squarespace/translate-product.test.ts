import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { remoteProductSchema } from '../../commerce/product.ts'
import { toProduct } from './translate-product.ts'

const facts = { shop: 'ada-cups.squarespace.com' }
const money = (value: string) => ({ currency: 'EUR', value })
const rawVariant = {
  ...{ id: 'v1', sku: 'CUP-1', gtin: '4006381333931', attributes: { Size: 'Large', Colour: 'Red' } },
  pricing: { basePrice: money('12.50'), onSale: false, salePrice: money('0.00') },
  stock: { quantity: 7, unlimited: false },
  shippingMeasurements: { weight: { unit: 'POUND', value: 1.25 }, dimensions: { unit: 'INCH', length: 1 } },
}
const rawProduct = {
  ...{ id: '65b2e1d3c8a5000000000001', type: 'PHYSICAL', storePageId: 'page', name: 'Cup', urlSlug: 'cup' },
  ...{ description: '<p>A cup.</p>', url: 'https://ada.example/store/p/cup', tags: ['new'], isVisible: true },
  ...{ createdOn: '2026-01-01T00:00:00Z', modifiedOn: '2026-02-01T00:00:00.123Z', variants: [rawVariant] },
  images: [
    { id: 'i1', url: 'https://img.example/1.jpg', altText: '' },
    { id: 'i2', altText: 'still on its way' },
    { id: 'i3', url: 'https://img.example/3.jpg', altText: 'From above' },
  ],
}
const product = (change: object) => toProduct({ ...rawProduct, ...change }, facts)
const variant = (change: object) => product({ variants: [{ ...rawVariant, ...change }] }).variants[0]

test('a product is told in our words', () => {
  const made = product({})
  expect([...Value.Errors(remoteProductSchema, made)]).toEqual([])
  expect(made).toMatchObject({
    ...{
      remote_id: '65b2e1d3c8a5000000000001',
      title: 'Cup',
      status: 'active',
      remote_status: 'visible',
      tags: ['new'],
    },
    ...{ type: 'PHYSICAL', url: 'https://ada.example/store/p/cup', remote_version: '2026-02-01T00:00:00.123000Z' },
    images: [
      { url: 'https://img.example/1.jpg', alt: null, position: 0 },
      { url: 'https://img.example/3.jpg', alt: 'From above', position: 1 },
    ],
    options: [
      { name: 'Size', values: ['Large'] },
      { name: 'Colour', values: ['Red'] },
    ],
    variants: [
      {
        ...{ remote_id: 'v1', sku: 'CUP-1', barcode: '4006381333931', title: 'Large / Red', quantity: 7 },
        ...{ price: { amount: '12.50', currency: 'EUR' }, compare_at_price: null, track_inventory: true },
        weight: { value: '1.25', unit: 'lb' },
      },
    ],
  })
})

describe('prices', () => {
  test('are those of a sale while there is one', () => {
    const pricing = { basePrice: money('12.50'), onSale: true, salePrice: money('9') }
    expect(variant({ pricing })).toMatchObject({ price: { amount: '9.00' }, compare_at_price: { amount: '12.50' } })
  })

  test('may be missing, or of a sale that has no price', () => {
    expect(variant({ pricing: null })).toMatchObject({ price: null, compare_at_price: null })
    const odd = { basePrice: money('12.50'), onSale: true, salePrice: null }
    expect(variant({ pricing: odd })).toMatchObject({ price: { amount: '12.50' }, compare_at_price: null })
  })
})

describe('stock', () => {
  test('that has no limit is no number', () => {
    expect(variant({ stock: { quantity: 0, unlimited: true } })).toMatchObject({
      quantity: null,
      track_inventory: false,
    })
  })

  test('that is not told is not known', () => {
    expect(variant({ stock: null })).toMatchObject({ quantity: null, track_inventory: null })
  })
})

test.each([
  [null, null],
  [{ weight: { unit: 'KILOGRAM', value: 0 } }, null],
  [{ weight: { unit: 'STONE', value: 2 } }, null],
  [{ weight: { unit: 'KILOGRAM', value: 0.35 } }, { value: '0.35', unit: 'kg' }],
])('measured as %j it weighs %j', (shippingMeasurements, weight) => {
  expect(variant({ shippingMeasurements })?.weight).toEqual(weight)
})

test('a file to download is its own variant', () => {
  const { variants: _, ...file } = rawProduct
  const made = toProduct({ ...file, type: 'DIGITAL', pricing: { basePrice: money('3.00'), onSale: false } }, facts)
  expect([...Value.Errors(remoteProductSchema, made)]).toEqual([])
  expect(made.variants).toMatchObject([{ remote_id: rawProduct.id, price: { amount: '3.00' }, track_inventory: null }])
})

test('what is hidden is inactive; what has no name goes by that of its page', () => {
  expect(product({ isVisible: false })).toMatchObject({ status: 'inactive', remote_status: 'hidden' })
  expect(product({ name: '' }).title).toBe('cup')
  expect(product({ name: null, urlSlug: null }).title).toBe(rawProduct.id)
  expect(product({ url: '/store/p/cup' }).url).toBe('https://ada-cups.squarespace.com/store/p/cup')
  expect(product({ url: null, tags: null, images: null })).toMatchObject({ url: null, tags: [], images: [] })
})

test('its description and the time it was made are told; a weight beyond all measure is none', () => {
  expect(product({})).toMatchObject({
    description_html: '<p>A cup.</p>',
    remote_created_at: '2026-01-01T00:00:00.000000Z',
  })
  expect(product({ description: null, createdOn: null })).toMatchObject({
    description_html: null,
    remote_created_at: null,
  })
  expect(variant({ shippingMeasurements: { weight: { unit: 'POUND', value: 1e9 } } })?.weight).toBeNull()
  expect(variant({ pricing: { basePrice: null } })?.price).toBeNull()
})

test.each(['id', 'type', 'modifiedOn'])('a product without %s is set aside', (name) => {
  expect(() => product({ [name]: undefined })).toThrow(TypeError)
})
