import { expect, test } from 'vitest'
import type { RemoteProduct } from '../../commerce/product.ts'
import { syncedProduct } from './synced-product.ts'

const variant = (
  remote_id: string,
  item: string | null,
  quantity: number | null,
): RemoteProduct['variants'][number] => ({
  ...{ remote_id, inventory_item_remote_id: item, sku: `SKU-${remote_id}`, barcode: null, title: null, options: [] },
  ...{ price: null, compare_at_price: null, weight: null, quantity, track_inventory: true },
})

const product = (variants: RemoteProduct['variants']): RemoteProduct => ({
  ...{ remote_id: '79', sku: null, title: 'Shirt', description_html: null, status: 'active', remote_status: 'publish' },
  ...{ brand: null, type: null, tags: [], images: [], options: [], variants, url: null },
  ...{ remote_created_at: null, remote_updated_at: null, remote_version: '1', raw: {} },
})

test('a product has what its variants have, and a stock that several of them share once', () => {
  const quantity = (...variants: RemoteProduct['variants']) => syncedProduct(product(variants)).quantity
  expect(quantity(variant('1', null, 3), variant('2', null, 3))).toBe(6)
  expect(quantity(variant('1', '79', 300), variant('2', '79', 300), variant('3', null, 4))).toBe(304)
  expect(quantity(variant('1', null, null))).toBeNull()
})

test('a product shows its own number or its first variant’s, and that one’s price', () => {
  const priced = { ...variant('1', null, 1), price: { amount: '12.50', currency: 'CHF' } }
  const shirt = product([priced, { ...variant('2', null, 1), price: { amount: '99.00', currency: 'EUR' } }])
  expect(syncedProduct(shirt)).toMatchObject({
    remote_id: '79',
    sku: 'SKU-1',
    name: 'Shirt',
    price: '12.50',
    currency: 'CHF',
    active: true,
    remote_status: 'publish',
    remote_version: '1',
  })
  expect(syncedProduct({ ...shirt, sku: 'SHIRT' }).sku).toBe('SHIRT')
})

test('a product of which the shop says little has its id for a number, and no price', () => {
  const little = { sku: '79', price: '0', currency: 'XXX', quantity: null, variants: [] }
  expect(syncedProduct(product([]))).toMatchObject(little)
  const nameless = { ...variant('1', null, 2), sku: null }
  expect(syncedProduct(product([nameless]))).toMatchObject({ sku: '79', price: '0', currency: 'XXX', quantity: 2 })
})

test.each([
  ['active', true],
  ['draft', false],
  ['archived', false],
] as const)('a product that is %s is sold: %s', (status, active) => {
  expect(syncedProduct({ ...product([]), status }).active).toBe(active)
})

test('variants are told apart from the stocks that others draw on', () => {
  expect(syncedProduct(product([variant('79', null, 3), variant('1', '79', 4)])).quantity).toBe(7)
  expect(syncedProduct(product([variant('1', null, 3), variant('2', null, null)])).quantity).toBe(3)
})
