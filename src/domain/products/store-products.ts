import type { RemoteProduct } from '../../commerce/product.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { SyncedProduct } from './product.ts'
import { type UpsertedProducts, upsertProducts } from './product-upsert-store.ts'

/** Products as the shop has told them, stored in one transaction; those that say nothing new are not written. */
export async function storeProducts(
  context: Pick<Context, 'db' | 'transaction'>,
  integration: { id: number },
  products: readonly RemoteProduct[],
): Promise<UpsertedProducts> {
  const ids = await takeIds(context.db, 'products', products.length)
  return await context.transaction((trx) =>
    upsertProducts(trx, integration.id, { ids, products: products.map(toSynced) }),
  )
}

/** What is sold are the variants; the product shows the first one's number and price, and what there is of all. */
export function toSynced(product: RemoteProduct): SyncedProduct {
  const [first] = product.variants
  const quantities = product.variants.flatMap(({ quantity }) => (quantity === null ? [] : [quantity]))
  return {
    remote_id: product.remote_id,
    sku: first?.sku ?? product.remote_id,
    name: product.title,
    description: product.description_html,
    price: first?.price?.amount ?? '0',
    // ISO 4217 for "no currency": a shop that tells no price tells none either.
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
