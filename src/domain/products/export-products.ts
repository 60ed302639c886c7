import { Fault, invalid } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { openShopFor } from '../integrations/open-shop-for.ts'
import type { Product } from './product.ts'
import { findProducts, markExported } from './product-store.ts'

export interface ExportOutcome {
  product: Product
  remoteId: string | null
  error: string | null
}

/** Puts products into the shop, one after the other, each with a result of its own. */
export async function exportProducts(
  context: Context,
  integration: Integration,
  ids: readonly number[],
): Promise<ExportOutcome[]> {
  const known = new Map((await findProducts(context.db, integration.id, ids)).map((product) => [product.id, product]))
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]))
  if (unknown.length > 0) {
    throw invalid(
      Object.fromEntries(unknown.map((index) => [`products.${index}`, [`The selected products.${index} is invalid.`]])),
    )
  }
  const open = await openShopFor(context, integration, ({ products }) => products?.export)
  const outcomes: ExportOutcome[] = []
  let away: string | null = open ? null : 'The service takes no products.'
  for (const product of known.values()) {
    if (!open || away !== null) {
      outcomes.push({ product, remoteId: product.remote_id, error: away })
      continue
    }
    try {
      const told = await open.part.send(open.shop, draftOf(product), { id: `product-${product.id}` })
      outcomes.push({ product, remoteId: told.remote_id, error: null })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      // A refusal concerns one product. When the shop is away there is no use in asking for the next.
      if (error.kind !== 'upstream_refused') {
        if (outcomes.length === 0) throw error
        away = 'The shop cannot be reached at the moment.'
      }
      outcomes.push({ product, remoteId: product.remote_id, error: away ?? error.message })
    }
  }
  const done = outcomes.filter(({ error }) => error === null)
  await markExported(
    context.db,
    integration.id,
    done.map(({ product, remoteId }) => ({ id: product.id, remoteId })),
  )
  return outcomes
}

const draftOf = (product: Product) => ({
  sku: product.sku,
  title: product.name,
  description_html: product.description,
  status: product.active ? ('active' as const) : ('inactive' as const),
  price: product.price,
  currency: product.currency,
  quantity: product.quantity,
})
