import { describe, expect, test } from 'vitest'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const names = (optionName: string, choiceName: string) => ({ optionChoiceNames: { optionName, choiceName } })
const variant = {
  ...{ id: 'v1', sku: 'POT-1', barcode: '400', choices: [names('Colour', 'Blue'), names('Size', 'L')] },
  price: { actualPrice: { amount: '12.5' }, compareAtPrice: { amount: '15' } },
  physicalProperties: { weight: 0.4 },
}
const raw = {
  ...{ id: 'p1', name: 'Teapot', visible: true, currency: 'EUR', productType: 'PHYSICAL', brand: { name: 'Ōmi' } },
  ...{ createdDate: '2026-10-01T00:00:00.000Z', updatedDate: '2026-10-03T11:30:00.250Z' },
  ...{ plainDescription: '<p>Pours.</p>', url: { url: 'https://shop.example/teapot' } },
  physicalProperties: { weightMeasurementUnitInfo: { weightMeasurementUnit: 'LB' } },
  variantsInfo: { variants: [variant] },
}
const product = (change: object = {}) => toProduct({ ...raw, ...change })

describe('a product', () => {
  test('is read with all that it has', () => {
    expect(product()).toMatchObject({
      ...{ remote_id: 'p1', title: 'Teapot', status: 'active', remote_status: 'visible', brand: 'Ōmi' },
      ...{ description_html: '<p>Pours.</p>', url: 'https://shop.example/teapot', type: 'PHYSICAL' },
      ...{ remote_updated_at: '2026-10-03T11:30:00.250000Z', remote_version: '2026-10-03T11:30:00.250000Z' },
      options: [
        { name: 'Colour', values: ['Blue'] },
        { name: 'Size', values: ['L'] },
      ],
      variants: [
        {
          ...{ remote_id: 'v1', sku: 'POT-1', barcode: '400', title: 'Blue / L', weight: { value: '0.4', unit: 'lb' } },
          ...{ price: { amount: '12.50', currency: 'EUR' }, compare_at_price: { amount: '15.00', currency: 'EUR' } },
        },
      ],
    })
  })

  test('of a list of variants is the same under other names', () => {
    const { id, choices, ...rest } = variant
    const listed = { ...rest, variantId: id, optionChoices: choices, productData: { productId: 'p1' } }
    const { raw: _, ...one } = product({ variantsInfo: { variants: [listed] } })
    const { raw: __, ...other } = product()
    expect(one).toEqual(other)
  })

  test('that is hidden is inactive; what it does not say it has not', () => {
    const bare = { id: 'v', price: { compareAtPrice: { amount: '0' } }, physicalProperties: { weight: 0 } }
    const { brand: _, url: __, physicalProperties: ___, ...little } = raw
    expect(toProduct({ ...little, visible: false, variantsInfo: { variants: [bare] } })).toMatchObject({
      ...{ status: 'inactive', remote_status: 'hidden', brand: null, url: null, images: [], options: [] },
      variants: [
        { sku: null, barcode: null, title: null, price: null, compare_at_price: null, weight: null, options: [] },
      ],
    })
    expect(product({ currency: undefined }).variants).toMatchObject([{ price: null }])
  })

  test('has its pictures in their order, and no films among them', () => {
    const items = [
      { mediaType: 'IMAGE', image: { url: 'https://img.example/1.jpg' }, altText: 'One' },
      { mediaType: 'VIDEO', url: 'https://img.example/film.mp4' },
      { image: { url: 'https://img.example/2.jpg', altText: 'Two' } },
    ]
    expect(product({ media: { itemsInfo: { items } } }).images).toEqual([
      { url: 'https://img.example/1.jpg', alt: 'One', position: 0 },
      { url: 'https://img.example/2.jpg', alt: 'Two', position: 1 },
    ])
    const main = { image: { url: 'https://img.example/main.jpg' } }
    expect(product({ media: { main } }).images).toEqual([
      { url: 'https://img.example/main.jpg', alt: null, position: 0 },
    ])
  })

  test.each(['id', 'name', 'updatedDate', 'variantsInfo'])('without %s is not guessed at', (name) => {
    expect(() => product({ [name]: undefined })).toThrow(TypeError)
  })
})

test('an item of stock is an article at a place', () => {
  const item = {
    ...{ id: 'i', variantId: 'v1', locationId: 'l1', quantity: 7, updatedDate: '2026-10-03T11:30:00.250Z' },
    product: { variantSku: 'POT-1' },
  }
  expect(toInventoryLevel(item)).toEqual({
    ...{ sku: 'POT-1', variant_remote_id: 'v1', location_remote_id: 'l1', available: 7, on_hand: null, reserved: null },
    updated_at: '2026-10-03T11:30:00.250000Z',
  })
  expect(toInventoryLevel({ ...item, locationId: undefined }).location_remote_id).toBeNull()
  for (const odd of [{ quantity: 1.5 }, { quantity: undefined }, { product: {} }])
    expect(() => toInventoryLevel({ ...item, ...odd })).toThrow(TypeError)
})
