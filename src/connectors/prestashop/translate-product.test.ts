import { expect, test } from 'vitest'
import { toInventoryLevel, toProduct } from './translate-product.ts'

const settings = { timezone: 'Europe/Paris', currency: 'EUR', base_url: 'https://shop.example/boutique/' }
const facts = { shop: 'shop.example', settings }
const is = (amount: string) => ({ amount, currency: 'EUR' })

const combination = (id: string, values: string[], fields: object = {}) => ({
  id,
  reference: `CUP-${id}`,
  ean13: '',
  upc: '012345678905',
  isbn: '9783161484100',
  price: '2.500000',
  weight: '0.050000',
  associations: { product_option_values: values.map((value) => ({ id: value })) },
  ...fields,
})

const product = {
  id: '70',
  reference: 'CUP',
  name: [{ value: 'Tasse' }],
  description: '<p>Thé.</p>',
  active: '1',
  state: '1',
  manufacturer_name: 'Analytical',
  product_type: 'combinations',
  type: 'simple',
  ean13: '4006381333931',
  price: '10.000000',
  weight: '0.200000',
  associations: { images: [{ id: '12' }, { id: '7' }] },
  combinations: [combination('80', ['1', '3']), combination('81', ['2', '3', '99'])],
  values: [
    { id: '1', group: 'Couleur', name: 'Bleu' },
    { id: '2', group: 'Couleur', name: 'Rouge' },
    { id: '3', group: '', name: '' },
  ],
  stocks: [
    { id: '900', id_product_attribute: '0', quantity: '12' },
    { id: '901', id_product_attribute: '80', quantity: '5' },
  ],
  date_add: '2026-09-01 10:00:00',
  date_upd: '2026-10-01 10:00:00',
}
const alone = { ...product, combinations: [] }
const first = (changes: object, own: object = facts.settings) =>
  toProduct({ ...alone, ...changes }, { shop: 'shop.example', settings: own }).variants[0]

test('a product with everything', () => {
  const { variants, ...rest } = toProduct(product, facts)
  expect(rest).toEqual({
    remote_id: '70',
    sku: 'CUP',
    title: 'Tasse',
    description_html: '<p>Thé.</p>',
    status: 'active',
    remote_status: '1',
    brand: 'Analytical',
    type: 'combinations',
    tags: [],
    images: [
      { url: 'https://shop.example/boutique/img/p/1/2/12.jpg', alt: null, position: 0 },
      { url: 'https://shop.example/boutique/img/p/7/7.jpg', alt: null, position: 1 },
    ],
    options: [
      { name: 'Couleur', values: ['Bleu', 'Rouge'] },
      { name: 'Option', values: ['3'] },
    ],
    url: 'https://shop.example/boutique/index.php?controller=product&id_product=70',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw: product,
  })
  expect(variants).toEqual([
    {
      remote_id: '80',
      inventory_item_remote_id: '901',
      sku: 'CUP-80',
      barcode: '012345678905',
      title: 'Bleu, 3',
      options: [
        { name: 'Couleur', value: 'Bleu' },
        { name: 'Option', value: '3' },
      ],
      price: is('12.50'),
      compare_at_price: null,
      weight: { value: '0.25', unit: 'kg' },
      quantity: 5,
      track_inventory: true,
    },
    expect.objectContaining({ remote_id: '81', title: 'Rouge, 3', inventory_item_remote_id: null, quantity: null }),
  ])
})

test('a product without combinations is its own variant', () => {
  expect(toProduct(alone, facts).variants).toEqual([
    {
      remote_id: '70',
      inventory_item_remote_id: '900',
      sku: 'CUP',
      barcode: '4006381333931',
      title: null,
      options: [],
      price: is('10.00'),
      compare_at_price: null,
      weight: { value: '0.2', unit: 'kg' },
      quantity: 12,
      track_inventory: true,
    },
  ])
})

test.each([
  ['hidden', { active: '0' }, { status: 'inactive', remote_status: '0' }],
  ['not finished', { state: '0' }, { status: 'draft', remote_status: 'draft' }],
  ['without a name', { name: [{ value: '' }] }, { title: 'CUP' }],
  ['of no maker', { manufacturer_name: false }, { brand: null }],
  ['of an older shop', { product_type: '' }, { type: 'simple' }],
  ['that nobody knows the age of', { date_add: '' }, { remote_created_at: null }],
])('a product that is %s', (_, changes, expected) => {
  expect(toProduct({ ...product, ...changes }, facts)).toMatchObject(expected)
})

test('numbers of articles, one after the other', () => {
  expect(first({ ean13: '', isbn: '9783161484100' })?.barcode).toBe('9783161484100')
  expect(first({ ean13: '' })?.barcode).toBeNull()
})

test.each(['g', 'kg', 'oz', 'lb'])('a weight in %s', (unit) => {
  expect(first({}, { ...settings, weight_unit: unit.toUpperCase() })?.weight).toEqual({ value: '0.2', unit })
})

test('weights that say little', () => {
  expect(first({}, { ...settings, weight_unit: 'lbs' })?.weight).toEqual({ value: '0.2', unit: 'lb' })
  expect(first({}, { ...settings, weight_unit: 'stone' })?.weight).toBeNull()
  expect(first({ weight: '0.000000' })?.weight).toBeNull()
  expect(first({ weight: '' })?.weight).toBeNull()
})

test('prices and stock that are not there', () => {
  expect(first({ price: '' })?.price).toEqual(is('0.00'))
  expect(first({ stocks: [{ id: '900', quantity: '3' }] })).toMatchObject({
    quantity: 3,
    inventory_item_remote_id: '900',
  })
  expect(first({ stocks: [] })).toMatchObject({ quantity: null, inventory_item_remote_id: null })
})

test('without the currency of the shop there is no price', () => {
  expect(() => first({}, {})).toThrow('The currency of the shop is unknown; reconnect the shop to detect it.')
})

test('stock of an article', () => {
  const stock = { reference: 'CUP', id_product: '70', id_product_attribute: '80', quantity: '5' }
  expect(toInventoryLevel(stock)).toEqual({
    sku: 'CUP',
    variant_remote_id: '80',
    location_remote_id: null,
    available: 5,
    on_hand: null,
    reserved: null,
    updated_at: null,
  })
  expect(toInventoryLevel({ ...stock, id_product_attribute: '0' }).variant_remote_id).toBe('70')
  expect(toInventoryLevel({ ...stock, id_product_attribute: '' }).variant_remote_id).toBe('70')
})
