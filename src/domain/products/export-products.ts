import type { Connector } from '../../commerce/connector.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { Fault, invalid } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { fingerprint } from '../operations/operation.ts'
import type { WriteToShop } from '../shop/open-remote.ts'
import { useShop } from '../shop/use-shop.ts'
import type { Product } from './product.ts'
import { findProducts, markExported } from './product-store.ts'

export interface ExportOutcome {
  product: Product
  remoteId: string | null
  error: string | null
  /** Belongs into the transaction that marks it as exported. */
  settle(trx: Db): Promise<void>
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
  const products = [...known.values()]
  const part = (connector: Connector) => connector.products?.export
  const outcomes =
    (await useShop(context, integration, part, (_shop, part, write) => exportEach(write, part, products))) ??
    products.map((product) => ({
      product,
      remoteId: product.remote_id,
      error: 'The service does not accept products.',
      settle: nothing,
    }))
  const done = outcomes.filter(({ error }) => error === null)
  await context.transaction(async (trx) => {
    for (const { settle } of done) await settle(trx)
    const exported = done.map(({ product, remoteId }) => ({ id: product.id, remoteId }))
    await markExported(trx, integration.id, exported)
  })
  return outcomes
}

const nothing = async () => undefined

type Export = NonNullable<NonNullable<Connector['products']>['export']>

/** A refusal concerns one product. When the shop is away there is no use in asking for the next. */
async function exportEach(write: WriteToShop, part: Export, products: readonly Product[]): Promise<ExportOutcome[]> {
  const outcomes: ExportOutcome[] = []
  let away: string | null = null
  for (const product of products) {
    let error = away
    let remoteId = product.remote_id
    let settle: ExportOutcome['settle'] = nothing
    if (away === null) {
      try {
        const draft = draftOf(product)
        const written = await write({ kind: 'export_product', key: fingerprint(draft), input: draft }, part)
        remoteId = written.result.remote_id
        settle = written.settle
      } catch (cause) {
        if (!(cause instanceof Fault) || isCredentialsRefusal(cause)) throw cause
        if (cause.kind !== 'upstream_refused') {
          if (outcomes.length === 0) throw cause
          away = 'The shop cannot be reached at the moment.'
        }
        error = away ?? cause.message
      }
    }
    outcomes.push({ product, remoteId, error, settle })
  }
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
