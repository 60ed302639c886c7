import { describe, expect, test } from 'vitest'
import { stockIn, toProduct } from './translate-product.ts'

const is = (value: string) => ({ amount: value, currency: 'EUR' })
const money = (value: string) => ({ value, currency: 'EUR' })

const offer = (fields: object = {}) => ({
  status: 'PUBLISHED',
  categoryId: '30120',
  listingDescription: '<p>Holds tea.</p>',
  listing: { listingId: '1100', listingStatus: 'ACTIVE' },
  pricingSummary: { price: money('11.90'), originalRetailPrice: money('15.00'), auctionStartPrice: money('1.00') },
  ...fields,
})

const item = (sku: string, fields: object = {}) => ({
  sku,
  product: {
    title: `Cup ${sku}`,
    description: 'A cup.',
    brand: 'Analytical',
    ean: ['Does not apply'],
    upc: ['012345678905'],
    imageUrls: ['https://i.example/1.png', 'https://i.example/2.png'],
    aspects: { Colour: [sku], Size: ['L', 'XL'], Empty: [] },
  },
  offers: [offer({ status: 'UNPUBLISHED', categoryId: '1', pricingSummary: null }), offer()],
  packageWeightAndSize: { weight: { value: 0.25, unit: 'KILOGRAM' } },
  availability: {
    shipToLocationAvailability: {
      quantity: 7,
      availabilityDistributions: [{ merchantLocationKey: 'north', quantity: 3 }],
    },
  },
  ...fields,
})

const group = (fields: object = {}) => ({
  inventoryItemGroupKey: 'CUPS',
  title: 'Cups',
  description: 'Many cups.',
  imageUrls: ['https://i.example/g.png'],
  variesBy: {
    specifications: [
      { name: 'Colour', values: ['BLUE', 'RED'] },
      { name: 'Size', values: ['L'] },
      { name: 'Empty', values: [] },
      { name: 'Gone', values: [] },
    ],
  },
  items: [item('BLUE'), item('RED')],
  ...fields,
})

const offered = (...offers: object[]) => toProduct(item('CUP', { offers }))

test('an article with everything', () => {
  const raw = item('CUP')
  expect(toProduct(raw)).toEqual({
    remote_id: 'CUP',
    title: 'Cup CUP',
    description_html: '<p>Holds tea.</p>',
    status: 'active',
    remote_status: 'PUBLISHED',
    brand: 'Analytical',
    type: '30120',
    tags: [],
    images: [
      { url: 'https://i.example/1.png', alt: null, position: 0 },
      { url: 'https://i.example/2.png', alt: null, position: 1 },
    ],
    options: [],
    variants: [
      {
        remote_id: 'CUP',
        inventory_item_remote_id: null,
        sku: 'CUP',
        barcode: '012345678905',
        title: null,
        options: [],
        price: is('11.90'),
        compare_at_price: is('15.00'),
        weight: { value: '0.25', unit: 'kg' },
        quantity: 7,
        track_inventory: true,
      },
    ],
    url: 'https://www.ebay.com/itm/1100',
    remote_created_at: null,
    remote_updated_at: null,
    remote_version: '0',
    raw,
  })
})

test('a group with everything', () => {
  expect(toProduct(group())).toMatchObject({
    remote_id: 'group:CUPS',
    title: 'Cups',
    brand: 'Analytical',
    images: [{ url: 'https://i.example/g.png', position: 0 }],
    options: [
      { name: 'Colour', values: ['BLUE', 'RED'] },
      { name: 'Size', values: ['L'] },
      { name: 'Empty' },
      { name: 'Gone' },
    ],
    variants: [
      {
        sku: 'BLUE',
        title: 'BLUE / L, XL',
        options: [
          { name: 'Colour', value: 'BLUE' },
          { name: 'Size', value: 'L, XL' },
        ],
      },
      { sku: 'RED', title: 'RED / L, XL' },
    ],
  })
  expect(toProduct(group()).variants[0]?.options).toHaveLength(2)
})

test('a group of which little is known', () => {
  expect(toProduct(group({ title: '', imageUrls: null, variesBy: null }))).toMatchObject({
    title: 'Cup BLUE',
    images: [],
    options: [],
  })
  expect(toProduct(group({ variesBy: {} })).options).toEqual([])
})

describe('an offer', () => {
  test.each([
    ['that is on', [offer()], { status: 'active', remote_status: 'PUBLISHED' }],
    ['that has ended', [offer({ listing: { listingStatus: 'ENDED' } })], { status: 'inactive', url: null }],
    ['that is off', [offer({ listing: { listingStatus: 'INACTIVE' } })], { status: 'inactive' }],
    ['that is not listed', [offer({ listing: { listingStatus: 'NOT_LISTED' } })], { status: 'inactive' }],
    ['whose listing is unknown', [offer({ listing: null })], { status: 'active', url: null }],
    [
      'that nobody sees',
      [offer({ status: 'UNPUBLISHED', categoryId: '7' })],
      { status: 'draft', remote_status: 'UNPUBLISHED', type: '7' },
    ],
    ['that says nothing', [offer({ listingDescription: '' })], { description_html: 'A cup.' }],
    [
      'that there is none of',
      [],
      { status: 'draft', remote_status: 'NOT_OFFERED', type: null, description_html: 'A cup.', url: null },
    ],
  ])('%s', (_, offers, expected) => {
    expect(offered(...offers)).toMatchObject(expected)
  })

  test('has a price, that of an auction, or none', () => {
    const price = (pricingSummary: object | null) => offered(offer({ pricingSummary })).variants[0]
    expect(price({ auctionStartPrice: money('1.00') })).toMatchObject({ price: is('1.00'), compare_at_price: null })
    expect(price(null)).toMatchObject({ price: null, compare_at_price: null })
    expect(
      offered(offer({ status: 'UNPUBLISHED', pricingSummary: { price: money('2.00') } })).variants[0]?.price,
    ).toEqual(is('2.00'))
    expect(offered().variants[0]?.price).toBeNull()
  })
})

describe('an article', () => {
  const product = item('CUP').product
  test.each([
    ['with another number', { ean: ['4006381333931'] }, '4006381333931'],
    ['that is a book', { ean: null, upc: null, isbn: ['9783161484100'] }, '9783161484100'],
    ['without a number', { upc: ['Does not apply'] }, null],
  ])('%s', (_, fields, barcode) => {
    expect(toProduct(item('CUP', { product: { ...product, ...fields } })).variants[0]?.barcode).toBe(barcode)
  })

  test.each([
    ['POUND', 'lb'],
    ['KILOGRAM', 'kg'],
    ['OUNCE', 'oz'],
    ['GRAM', 'g'],
  ])('that is weighed in %s', (unit, ours) => {
    expect(
      toProduct(item('CUP', { packageWeightAndSize: { weight: { value: 3, unit } } })).variants[0]?.weight,
    ).toEqual({ value: '3', unit: ours })
  })

  test('that nobody has weighed', () => {
    expect(toProduct(item('CUP', { packageWeightAndSize: null })).variants[0]?.weight).toBeNull()
    expect(toProduct(item('CUP', { packageWeightAndSize: {} })).variants[0]?.weight).toBeNull()
    expect(
      toProduct(item('CUP', { packageWeightAndSize: { weight: { value: 3, unit: 'STONE' } } })).variants[0]?.weight,
    ).toBeNull()
  })

  test('that nobody has counted', () => {
    expect(toProduct(item('CUP', { availability: null })).variants[0]?.quantity).toBeNull()
    const { aspects, ...plain } = product
    expect(toProduct(group({ items: [item('BLUE', { product: plain })] })).variants[0]?.options).toEqual([])
  })
})

test('stock, and where it lies', () => {
  expect(stockIn(item('CUP'))).toEqual({ quantity: 7, places: new Map([['north', 3]]) })
  expect(stockIn({ availability: { shipToLocationAvailability: { quantity: 2 } } })).toEqual({
    quantity: 2,
    places: new Map(),
  })
  expect(stockIn({ availability: { shipToLocationAvailability: {} } })).toBeNull()
  expect(stockIn({ availability: {} })).toBeNull()
  expect(stockIn({})).toBeNull()
})
