import type { RemoteProduct } from '../../commerce/product.ts'
import type { SyncedProduct } from './product.ts'

/** What is sold are the variants; the product shows its own number or the first one's, the first one's price, and what there is of all. */
export function syncedProduct(product: RemoteProduct): SyncedProduct {
  const [first] = product.variants
  const quantities = product.variants.flatMap(({ quantity }) => (quantity === null ? [] : [quantity]))
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
