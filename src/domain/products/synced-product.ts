import type { RemoteProduct } from '../../commerce/product.ts'
import type { SyncedProduct } from './product.ts'

/** What is sold are the variants; the product shows its own number or the first one's, the first one's price, and what there is of all. */
export function syncedProduct(product: RemoteProduct): SyncedProduct {
  const [first] = product.variants
  const quantities = quantitiesIn(product)
  return {
    remote_id: product.remote_id,
    sku: product.sku ?? first?.sku ?? product.remote_id,
    name: product.title,
    description: product.description_html,
    price: first?.price?.amount ?? '0',
    // ISO 4217 for "no currency": a shop that reports no price reports none either.
    currency: first?.price?.currency ?? 'XXX',
    quantity: quantities.length === 0 ? null : quantities.reduce((sum, quantity) => sum + quantity, 0),
    active: product.status === 'active',
    images: product.images,
    variants: product.variants,
    remote_status: product.remote_status,
    remote_version: product.remote_version,
    remote_payload: product.raw,
  }
}

/** Variants that draw on the same stock, as variations may on their product's, have it together and not each. */
function quantitiesIn({ variants }: RemoteProduct): number[] {
  const stocks = new Map<string, number>()
  for (const { remote_id, inventory_item_remote_id: item, quantity } of variants) {
    if (quantity !== null) stocks.set(item === null ? `variant ${remote_id}` : `item ${item}`, quantity)
  }
  return [...stocks.values()]
}
