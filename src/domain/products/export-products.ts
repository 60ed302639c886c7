import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { productErrors } from '../../commerce/rules/product-draft.ts'
import { Fault, invalid } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { fingerprint } from '../operations/operation.ts'
import type { WriteToShop } from '../shop/open-remote.ts'
import { useShop } from '../shop/use-shop.ts'
import type { Product } from './product.ts'
import { findProducts, idsOfProducts, markExported } from './product-store.ts'
import { upsertProducts } from './product-upsert-store.ts'
import { syncedProduct } from './synced-product.ts'

export interface ExportOutcome {
  /** Null for one that the shop did not make. */
  id: number | null
  sku: string
  remoteId: string | null
  error: string | null
}

/** One that is kept here, or one to be made. */
interface Exported {
  product: Product | null
  draft: ProductDraft
}

interface Tried extends Exported {
  error: string | null
  /** The shop's own record of it afterwards. */
  made: RemoteProduct | null
  /** Belongs into the transaction that keeps it. */
  settle(trx: Db): Promise<unknown>
}

/** Puts products into the shop, one after the other, each with a result of its own: some by their id here, some new. */
export async function exportProducts(
  context: Context,
  integration: Integration,
  wanted: readonly (number | ProductDraft)[],
): Promise<ExportOutcome[]> {
  const exported = await exportedOf(context, integration, wanted)
  const part = (connector: Connector) => connector.products?.export
  const tried =
    (await useShop(context, integration, part, (_shop, part, write) => exportEach(write, part, exported))) ??
    exported.map((one) => ({ ...one, error: 'The service does not accept products.', made: null, settle: nothing }))
  const done = tried.filter(({ error }) => error === null)
  const made = done.flatMap(({ product, made }) => (product === null && made !== null ? [syncedProduct(made)] : []))
  // Before the transaction, which would otherwise hold one connection while it waits for another.
  const ids = await takeIds(context.db, 'products', made.length)
  const known = await context.transaction(async (trx) => {
    for (const { settle } of done) await settle(trx)
    if (made.length > 0) await upsertProducts(trx, integration.id, { ids, products: made })
    const kept = await idsOfProducts(
      trx,
      integration.id,
      made.map(({ remote_id: remoteId }) => remoteId),
    )
    const idOf = ({ product, made: one }: Tried) => product?.id ?? kept.get(one?.remote_id ?? '') ?? null
    const marked = done.flatMap((one) => {
      const id = idOf(one)
      return id === null ? [] : [{ id, remoteId: one.made?.remote_id ?? null }]
    })
    await markExported(trx, integration.id, marked)
    return new Map(tried.map((one) => [one, idOf(one)]))
  })
  return tried.map((one) => ({
    id: known.get(one) ?? null,
    sku: one.draft.sku,
    remoteId: one.made?.remote_id ?? one.product?.remote_id ?? null,
    error: one.error,
  }))
}

async function exportedOf(
  context: Context,
  integration: Integration,
  wanted: readonly (number | ProductDraft)[],
): Promise<Exported[]> {
  const ids = wanted.filter((one) => typeof one === 'number')
  const known = new Map((await findProducts(context.db, integration.id, ids)).map((product) => [product.id, product]))
  const connector = connectorFor(context.connectors, integration)
  const complaints = wanted.flatMap((one, index): [string, string[]][] => {
    if (typeof one !== 'number')
      return connector?.products?.export
        ? Object.entries(productErrors(connector, one, `products.${index}.`))
        : [[`products.${index}`, ['Products cannot be made in shops of this service.']]]
    return known.has(one) ? [] : [[`products.${index}`, [`The selected products.${index} is invalid.`]]]
  })
  if (complaints.length > 0) throw invalid(Object.fromEntries(complaints))
  const seen = new Set<number>()
  return wanted.flatMap((one): Exported[] => {
    if (typeof one !== 'number') return [{ product: null, draft: one }]
    const product = seen.has(one) ? undefined : known.get(one)
    seen.add(one)
    return product ? [{ product, draft: draftOf(product) }] : []
  })
}

const nothing = async () => undefined

type Export = NonNullable<NonNullable<Connector['products']>['export']>

/** A refusal concerns one product. When the shop is away there is no use in asking for the next. */
async function exportEach(write: WriteToShop, part: Export, exported: readonly Exported[]): Promise<Tried[]> {
  const tried: Tried[] = []
  let away: string | null = null
  for (const one of exported) {
    const { draft } = one
    let outcome: Omit<Tried, keyof Exported> = { error: away, made: null, settle: nothing }
    if (away === null) {
      try {
        const { result, settle } = await write({ kind: 'export_product', key: fingerprint(draft), input: draft }, part)
        outcome = { error: null, made: result, settle }
      } catch (cause) {
        if (!(cause instanceof Fault) || isCredentialsRefusal(cause)) throw cause
        if (cause.kind !== 'upstream_refused') {
          if (tried.length === 0) throw cause
          away = 'The shop cannot be reached at the moment.'
        }
        outcome = { ...outcome, error: away ?? cause.message }
      }
    }
    tried.push({ ...one, ...outcome })
  }
  return tried
}

const draftOf = (product: Product): ProductDraft => ({
  sku: product.sku,
  title: product.name,
  description_html: product.description,
  status: product.active ? ('active' as const) : ('inactive' as const),
  price: product.price,
  currency: product.currency,
  quantity: product.quantity,
})
