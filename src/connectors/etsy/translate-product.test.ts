import { expect, test } from 'vitest'
import { isQuantityShared, offeringsIn, productsIn, quantityOf, toProduct } from './translate-product.ts'

const is = (amount: string) => ({ amount, currency: 'EUR' })
const money = (amount: number) => ({ amount, divisor: 100, currency_code: 'EUR' })
const seconds = (time: string) => Date.parse(time) / 1000

const offering = (quantity: number, fields: object = {}) => ({
  quantity,
  price: money(1190),
  is_enabled: true,
  is_deleted: false,
  ...fields,
})

const product = (id: number, colour: string, fields: object = {}) => ({
  product_id: id,
  sku: `CUP-${colour}`,
  is_deleted: false,
  property_values: [
    { property_name: 'Colour', property_id: 200, values: [colour] },
    { property_name: '', property_id: 300, values: ['10', 'cm'] },
  ],
  offerings: [offering(4), offering(2), offering(8, { is_enabled: false }), offering(16, { is_deleted: true })],
  ...fields,
})

const listing = {
  listing_id: 500,
  state: 'active',
  title: 'Cup',
  description: 'Holds <tea>.\nAnd more.',
  taxonomy_id: 1633,
  tags: ['cup', 'tea'],
  skus: ['CUP', 'CUP-2'],
  price: money(1000),
  quantity: 12,
  item_weight: 0.25,
  item_weight_unit: 'kg',
  url: 'https://etsy.example/500',
  images: [
    { url_fullxfull: 'https://i.example/2.png', alt_text: '', rank: 2 },
    { url_fullxfull: 'https://i.example/1.png', alt_text: 'Front', rank: 1 },
  ],
  inventory: { products: [product(1, 'Blue'), product(2, 'Red'), product(3, 'Gone', { is_deleted: true })] },
  created_timestamp: seconds('2026-09-01T08:00:00Z'),
  creation_timestamp: 1,
  updated_timestamp: seconds('2026-10-01T08:00:00Z'),
}

const alone = { ...listing, inventory: null }

test('a listing with everything', () => {
  const { variants, ...rest } = toProduct(listing)
  expect(rest).toEqual({
    remote_id: '500',
    title: 'Cup',
    description_html: 'Holds &lt;tea&gt;.<br>And more.',
    status: 'active',
    remote_status: 'active',
    brand: null,
    type: '1633',
    tags: ['cup', 'tea'],
    images: [
      { url: 'https://i.example/1.png', alt: 'Front', position: 0 },
      { url: 'https://i.example/2.png', alt: null, position: 1 },
    ],
    options: [
      { name: 'Colour', values: ['Blue', 'Red'] },
      { name: '300', values: ['10, cm'] },
    ],
    url: 'https://etsy.example/500',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw: listing,
  })
  expect(variants).toEqual([
    {
      remote_id: '1',
      inventory_item_remote_id: null,
      sku: 'CUP-Blue',
      barcode: null,
      title: 'Blue / 10, cm',
      options: [
        { name: 'Colour', value: 'Blue' },
        { name: '300', value: '10, cm' },
      ],
      price: is('11.90'),
      compare_at_price: null,
      weight: { value: '0.25', unit: 'kg' },
      quantity: 6,
      track_inventory: true,
    },
    expect.objectContaining({ remote_id: '2' }),
  ])
})

test('a listing without products is its own', () => {
  expect(toProduct(alone).variants).toEqual([
    {
      remote_id: '500',
      inventory_item_remote_id: null,
      sku: 'CUP',
      barcode: null,
      title: null,
      options: [],
      price: is('10.00'),
      compare_at_price: null,
      weight: { value: '0.25', unit: 'kg' },
      quantity: 12,
      track_inventory: true,
    },
  ])
})

test('a listing of which little is known', () => {
  const {
    description,
    taxonomy_id,
    tags,
    skus,
    price,
    quantity,
    item_weight,
    url,
    images,
    created_timestamp,
    creation_timestamp,
    ...bare
  } = alone
  expect(toProduct(bare)).toMatchObject({
    description_html: null,
    type: null,
    tags: [],
    images: [],
    options: [],
    url: null,
    remote_created_at: null,
    variants: [{ sku: null, price: null, weight: null, quantity: null }],
  })
  expect(
    toProduct({ ...bare, skus: [], creation_timestamp: 1, item_weight: 1, item_weight_unit: 'stone' }),
  ).toMatchObject({
    remote_created_at: '1970-01-01T00:00:01.000000Z',
    variants: [{ sku: null, weight: null }],
  })
})

test.each(['g', 'kg', 'oz', 'lb'])('a weight in %s', (unit) => {
  expect(toProduct({ ...alone, item_weight_unit: unit }).variants[0]?.weight).toEqual({ value: '0.25', unit })
})

test.each([
  ['active', 'active'],
  ['inactive', 'inactive'],
  ['sold_out', 'inactive'],
  ['expired', 'archived'],
  ['draft', 'draft'],
])('one that is %s is %s', (state, status) => {
  expect(toProduct({ ...listing, state })).toMatchObject({ status, remote_status: state })
})

test.each(['removed', 'toString'])('a state that nobody knows is refused: %s', (state) => {
  expect(() => toProduct({ ...listing, state })).toThrow(`Unknown value of "status": ${state}.`)
})

test('a product without properties and offerings', () => {
  const { property_values, ...bare } = product(1, 'Blue', { sku: '', offerings: [] })
  expect(toProduct({ ...listing, inventory: { products: [bare] } }).variants).toMatchObject([
    { sku: null, title: null, options: [], price: null, quantity: 0 },
  ])
})

test('what has been deleted is not there', () => {
  expect(productsIn(listing).map((one) => one['product_id'])).toEqual([1, 2])
  expect(productsIn({ inventory: {} })).toEqual([])
  expect(productsIn({})).toEqual([])
  expect(offeringsIn(product(1, 'Blue'))).toHaveLength(3)
  expect(quantityOf(product(1, 'Blue'))).toBe(6)
})

test('whether products share a number', () => {
  expect(isQuantityShared({})).toBe(true)
  expect(isQuantityShared({ quantity_on_property: [] })).toBe(true)
  expect(isQuantityShared({ quantity_on_property: [200] })).toBe(false)
})
