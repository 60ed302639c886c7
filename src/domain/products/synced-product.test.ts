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
