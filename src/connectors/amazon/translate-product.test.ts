import { describe, expect, test } from 'vitest'
import { levelsIn, toInventoryLevel, toProduct } from './translate-product.ts'

const facts = { shop: 'a2seller0001', settings: { marketplace: 'DE' as const } }
const [here, elsewhere] = ['A1PA6795UKMFR9', 'A13V1IB3VIYZZH']
const is = (amount: string) => ({ amount, currency: 'EUR' })

const summary = (fields: object = {}) => ({
  marketplaceId: here,
  asin: 'B0CUP',
  itemName: 'Cup',
  productType: 'DRINKING_CUP',
  status: ['BUYABLE', 'DISCOVERABLE'],
  mainImage: { link: 'https://m.example/main.jpg' },
  createdDate: '2026-09-01T08:00:00Z',
  lastUpdatedDate: '2026-10-01T08:00:00Z',
  ...fields,
})

const value = (text: unknown, place?: string) => ({ value: text, ...(place && { marketplace_id: place }) })

const attributes = {
  item_name: [value('Cup, by its attribute')],
  product_description: [value('Ailleurs', elsewhere), value('Holds tea.', here)],
  brand: [value('Analytical')],
  externally_assigned_product_identifier: [value('4006381333931')],
  list_price: [{ value: 15, currency: 'EUR' }],
  item_weight: [{ value: 0.25, unit: 'kilograms' }],
  main_product_image_locator: [{ media_location: 'https://m.example/own.jpg' }],
  other_product_image_locator_1: [{ media_location: 'https://m.example/1.jpg' }],
  other_product_image_locator_8: [{ media_location: 'https://m.example/8.jpg' }],
  color: [value('blue')],
  size: [value(12)],
  shape: [value({ round: true })],
}

const offer = (fields: object = {}) => ({
  marketplaceId: here,
  offerType: 'B2C',
  price: { amount: '11.9', currencyCode: 'EUR' },
  ...fields,
})

const theme = (...names: string[]) => [
  {
    marketplaceId: here,
    relationships: [{ type: 'VARIATION', parentSkus: ['HEAD'], variationTheme: { attributes: names } }],
  },
]

const listing = (sku: string, fields: object = {}) => ({
  sku,
  summaries: [summary({ marketplaceId: elsewhere, itemName: 'Tasse' }), summary()],
  attributes,
  offers: [offer({ offerType: 'B2B', price: { amount: '9', currencyCode: 'EUR' } }), offer()],
  fulfillmentAvailability: [
    { fulfillmentChannelCode: 'AMAZON_EU', quantity: 3 },
    { fulfillmentChannelCode: 'DEFAULT', quantity: 7 },
    { fulfillmentChannelCode: 'UNKNOWN' },
  ],
  ...fields,
})

const variant = (fields: object) => toProduct(listing('CUP', fields), facts).variants[0]
const withAttributes = (fields: object) => ({ attributes: { ...attributes, ...fields } })

test('a listing with everything', () => {
  const raw = listing('CUP')
  expect(toProduct(raw, facts)).toEqual({
    remote_id: 'CUP',
    title: 'Cup',
    description_html: 'Holds tea.',
    status: 'active',
    remote_status: 'BUYABLE DISCOVERABLE',
    brand: 'Analytical',
    type: 'DRINKING_CUP',
    tags: [],
    images: ['main', '1', '8'].map((name, position) => ({ url: `https://m.example/${name}.jpg`, alt: null, position })),
    options: [],
    variants: [
      {
        remote_id: 'CUP',
        inventory_item_remote_id: 'CUP',
        sku: 'CUP',
        barcode: '4006381333931',
        title: null,
        options: [],
        price: is('11.90'),
        compare_at_price: is('15.00'),
        weight: { value: '0.25', unit: 'kg' },
        quantity: 7,
        track_inventory: true,
      },
    ],
    url: 'https://www.amazon.de/dp/B0CUP',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw,
  })
})

test('a listing of which little is known', () => {
  const little = { summaries: [summary({ itemName: null, asin: null, status: [], mainImage: null })] }
  expect(toProduct(listing('CUP', little), facts)).toMatchObject({
    title: 'Cup, by its attribute',
    status: 'inactive',
    remote_status: 'NONE',
    url: null,
    images: [{ url: 'https://m.example/own.jpg' }, {}, {}],
  })
  const { attributes: _, offers: __, fulfillmentAvailability: ___, ...bare } = listing('CUP', little)
  expect(toProduct(bare, facts)).toMatchObject({
    title: 'CUP',
    description_html: null,
    brand: null,
    images: [],
    variants: [{ barcode: null, price: null, compare_at_price: null, weight: null, quantity: null }],
  })
})

test('a listing whose status is no list is refused', () => {
  expect(() => toProduct(listing('CUP', { summaries: [summary({ status: 'BUYABLE' })] }), facts)).toThrow(
    '"status" is no list.',
  )
})

test('a family is what its kinds are', () => {
  const kind = (sku: string, color: string, fields: object = {}) =>
    listing(sku, {
      ...withAttributes({ color: [value(color)] }),
      summaries: [summary({ status: ['DISCOVERABLE'], ...fields })],
      relationships: theme('color', 'size', 'shape', 'material', 'color'),
    })
  const children = [
    kind('A', 'blue', { lastUpdatedDate: '2026-10-03T08:00:00Z' }),
    kind('B', 'red', { status: ['BUYABLE'] }),
    kind('C', 'blue'),
  ]
  const raw = listing('HEAD', {
    children,
    summaries: [summary({ status: [], lastUpdatedDate: '2026-10-02T08:00:00Z' })],
  })
  expect(toProduct(raw, facts)).toMatchObject({
    remote_id: 'HEAD',
    status: 'active',
    remote_status: 'DISCOVERABLE BUYABLE',
    remote_version: '2026-10-03T08:00:00.000000Z',
    options: [
      { name: 'color', values: ['blue', 'red'] },
      { name: 'size', values: ['12'] },
    ],
    variants: [
      {
        sku: 'A',
        title: 'blue / 12',
        options: [
          { name: 'color', value: 'blue' },
          { name: 'size', value: '12' },
        ],
      },
      { sku: 'B', title: 'red / 12' },
      { sku: 'C', title: 'blue / 12' },
    ],
  })
})

test('what does not differ by anything that is said', () => {
  const relationships = [{ marketplaceId: here, relationships: [{ type: 'VARIATION', parentSkus: ['HEAD'] }] }]
  expect(variant({ relationships })).toMatchObject({ title: null, options: [] })
})

describe('what a listing costs', () => {
  test.each([
    ['to others', { offers: [offer({ offerType: 'B2B' }), offer({ marketplaceId: elsewhere })] }, null],
    ['without a currency', { offers: [offer({ price: { amount: '11.9' } })] }, null],
    ['without an amount', { offers: [offer({ price: { currencyCode: 'EUR' } })] }, null],
    [
      'in yen',
      { offers: [offer({ price: { amount: '1190', currencyCode: 'JPY' } })] },
      { amount: '1190', currency: 'JPY' },
    ],
  ])('%s', (_, fields, price) => {
    expect(variant(fields)?.price).toEqual(price)
  })
})

describe('a weight', () => {
  test.each([
    ['grams', 'g'],
    ['kilograms', 'kg'],
    ['ounces', 'oz'],
    ['pounds', 'lb'],
  ])('in %s', (unit, ours) => {
    expect(variant(withAttributes({ item_weight: [{ value: 3, unit }] }))?.weight).toEqual({ value: '3', unit: ours })
  })

  test('in what nobody knows, or of nothing', () => {
    expect(variant(withAttributes({ item_weight: [{ value: 3, unit: 'stones' }] }))?.weight).toBeNull()
    expect(variant(withAttributes({ item_weight: [{ unit: 'grams' }] }))?.weight).toBeNull()
    expect(variant(withAttributes({ item_weight: 'heavy' }))?.weight).toBeNull()
  })
})

test('stock as far as it is reported', () => {
  expect(levelsIn(listing('CUP'))).toEqual([
    { channel: 'AMAZON_EU', quantity: 3 },
    { channel: 'DEFAULT', quantity: 7 },
  ])
  expect(levelsIn({})).toEqual([])
  expect(
    variant({ fulfillmentAvailability: [{ fulfillmentChannelCode: 'AMAZON_EU', quantity: 3 }] })?.quantity,
  ).toBeNull()
})

test('stock of one channel', () => {
  expect(toInventoryLevel({ sku: 'CUP', channel: 'DEFAULT', quantity: 7 })).toEqual({
    sku: 'CUP',
    variant_remote_id: 'CUP',
    location_remote_id: 'DEFAULT',
    available: 7,
    on_hand: null,
    reserved: null,
    updated_at: null,
  })
})
