import { expect, test } from 'vitest'
import { type InventoryRules, type ProductRules, toLevel, toProduct } from './translate-product.ts'

const list = { path: '/goods', paging: { style: 'none' as const } }

const rules: ProductRules = {
  list,
  fields: {
    ...{ remote_id: 'id', title: 'name', description_html: 'text', status: 'state', brand: 'by', type: 'kind' },
    ...{ tags: 'tags', url: 'page', image: 'picture', created_at: 'made', updated_at: 'changed' },
  },
  statuses: [{ theirs: 'off', ours: 'inactive' }],
  variants: {
    items: 'sold',
    fields: {
      ...{
        remote_id: 'id',
        inventory_item_remote_id: 'item',
        sku: 'sku',
        barcode: 'ean',
        title: 'name',
        price: 'price',
      },
      ...{ compare_at_price: 'was', currency: 'cur', quantity: 'left' },
    },
  },
}

const variant = {
  id: 1,
  item: 'I1',
  sku: 'CUP',
  ean: '4006381333931',
  name: 'Blue',
  price: '11.90',
  was: '15',
  cur: 'eur',
  left: 7,
}

const product = {
  ...{ id: 70, name: 'Cup', text: 'Holds tea.', state: 'off', by: 'Analytical', kind: 'Crockery', tags: ['tea'] },
  ...{ page: 'https://shop.example/cup', picture: 'https://shop.example/cup.png' },
  ...{ made: '2026-09-01T08:00:00Z', changed: '2026-10-01T08:00:00Z' },
  sold: [variant],
}

test('a product with everything', () => {
  expect(toProduct(rules, {}, product)).toEqual({
    remote_id: '70',
    title: 'Cup',
    description_html: 'Holds tea.',
    status: 'inactive',
    remote_status: 'off',
    brand: 'Analytical',
    type: 'Crockery',
    tags: ['tea'],
    images: [{ url: 'https://shop.example/cup.png', alt: null, position: 0 }],
    options: [],
    variants: [
      {
        remote_id: '1',
        inventory_item_remote_id: 'I1',
        sku: 'CUP',
        barcode: '4006381333931',
        title: 'Blue',
        options: [],
        price: { amount: '11.90', currency: 'EUR' },
        compare_at_price: { amount: '15.00', currency: 'EUR' },
        weight: null,
        quantity: 7,
        track_inventory: true,
      },
    ],
    url: 'https://shop.example/cup',
    remote_created_at: '2026-09-01T08:00:00.000000Z',
    remote_updated_at: '2026-10-01T08:00:00.000000Z',
    remote_version: '2026-10-01T08:00:00.000000Z',
    raw: product,
  })
})

test('a product of which little is known is its own variant', () => {
  const { items, ...own } = rules.variants
  const little = { id: 70, name: 'Cup', changed: '2026-10-01T08:00:00Z' }
  expect(toProduct({ ...rules, variants: own }, {}, little)).toMatchObject({
    status: 'active',
    remote_status: '',
    images: [],
    remote_created_at: null,
    variants: [
      { remote_id: '70', title: 'Cup', price: null, compare_at_price: null, quantity: null, track_inventory: null },
    ],
  })
})

test('one of two prices is enough to need a currency', () => {
  const sold = (changes: object) =>
    toProduct(rules, { currency: 'USD' }, { ...product, sold: [{ ...variant, ...changes }] }).variants
  expect(sold({ price: null, cur: null })).toMatchObject([
    { price: null, compare_at_price: { amount: '15.00', currency: 'USD' } },
  ])
  expect(sold({ was: null, cur: null })).toMatchObject([
    { price: { amount: '11.90', currency: 'USD' }, compare_at_price: null },
  ])
  expect(() => toProduct(rules, {}, { ...product, sold: [{ ...variant, cur: null }] })).toThrow('"" is no currency.')
})

test('one without variants is refused', () => {
  expect(() => toProduct(rules, {}, { ...product, sold: [] })).toThrow('The product has no variants.')
})

test('stock', () => {
  const stock: InventoryRules = {
    list,
    fields: {
      ...{ sku: 'sku', variant_remote_id: 'v', location_remote_id: 'at', available: 'free', on_hand: 'all' },
      ...{ reserved: 'held', updated_at: 'changed' },
    },
  }
  const level = { sku: 'CUP', v: 'V1', at: 'North', free: 5, all: 7, held: 2, changed: '2026-10-01T08:00:00Z' }
  expect(toLevel(stock, {}, level)).toEqual({
    sku: 'CUP',
    variant_remote_id: 'V1',
    location_remote_id: 'North',
    available: 5,
    on_hand: 7,
    reserved: 2,
    updated_at: '2026-10-01T08:00:00.000000Z',
  })
})
