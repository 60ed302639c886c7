import { sql } from 'kysely'
import type { Variant } from '../../commerce/product.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import type { ListPlan, PageOf, PageQuery, Reader } from '../../runtime/db/lists/paginate.ts'
import { paginateBuckets } from '../../runtime/db/lists/paginate-buckets.ts'
import { allProducts, type Product } from './product.ts'
import { emitProducts, type ProductChange } from './product-events.ts'

export const productColumns = [
  'integration_id',
  'id',
  'remote_id',
  'sku',
  'name',
  'description',
  'price',
  'currency',
  'quantity',
  'active',
  'images',
  'exported_at',
  'created_at',
  'updated_at',
] as const

export const productList: ListPlan = {
  name: 'products',
  from: 'products',
  columns: productColumns.join(', '),
  filters: {
    sku: { column: 'sku', type: 'text' },
    remote_id: { column: 'remote_id', type: 'text' },
    active: { column: 'active', type: 'boolean' },
  },
  sorts: { id: 'id', sku: 'sku', name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
}

/** Over many integrations. */
export const productsAcross: AcrossPlan = {
  name: 'products-across',
  from: 'products',
  columns: 'integration_id, id, remote_id, sku, name, price, currency, quantity, active, updated_at',
  where: 'deleted_at is null',
  keys: [{ column: 'id', type: 'bigint' }],
  filters: { sku: { column: 'sku', type: 'text' } },
}

export async function listProducts<Row = Product>(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
  plan: ListPlan = productList,
): Promise<PageOf<Row>> {
  const scope = {
    key: 'all',
    sql: 'integration_id = ? and deleted_at is null',
    params: [integrationId],
    integrationId,
    kind: allProducts,
  }
  return await paginateBuckets(reader, plan, scope, query)
}

export async function findProducts(db: Db, integrationId: number, ids: readonly number[]): Promise<Product[]> {
  return await db
    .selectFrom('products')
    .select(productColumns)
    .where('integration_id', '=', integrationId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('deleted_at', 'is', null)
    .$castTo<Product>()
    .execute()
}

/** The ids here of those that the shop knows by these. */
export async function idsOfProducts(
  db: Db,
  integrationId: number,
  remoteIds: readonly string[],
): Promise<Map<string, number>> {
  if (remoteIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .select(['id', 'remote_id'])
    .where('integration_id', '=', integrationId)
    .where('remote_id', 'in', remoteIds)
    .execute()
  return new Map(rows.map((row) => [String(row.remote_id), Number(row.id)]))
}

/** What an event says about a product. */
const eventColumns = sql.raw(
  'p.id, p.remote_id, p.sku, p.name, p.price, p.currency, p.quantity, p.active, p.updated_at',
)

const emitChanges = (trx: Db, integrationId: number, changed: readonly ProductChange['product'][]): Promise<void> =>
  emitProducts(trx, integrationId, changed, (product) => ({ type: 'product.updated', product }))

/** Remembers that the shop has them, and under which id where it gave one for the first time; and emits the event. */
export async function markExported(
  trx: Db,
  integrationId: number,
  exported: readonly { id: number; remoteId: string | null }[],
): Promise<void> {
  if (exported.length === 0) return
  const document = JSON.stringify(exported.map(({ id, remoteId }) => ({ id, remote_id: remoteId })))
  const { rows } = await sql<ProductChange['product']>`
    update products p
    set exported_at = now(), updated_at = now(), remote_id = coalesce(p.remote_id, r.remote_id)
    from jsonb_to_recordset(${document}::jsonb) r(id bigint, remote_id text)
    where p.integration_id = ${integrationId} and p.id = r.id
    returning ${eventColumns}`.execute(trx)
  await emitChanges(trx, integrationId, rows)
}

/** What the products show of their stock; those that change are emitted. */
export async function setQuantities(
  trx: Db,
  integrationId: number,
  items: readonly { sku: string; quantity: number }[],
): Promise<void> {
  if (items.length === 0) return
  const document = JSON.stringify(items.map(({ sku, quantity }) => ({ sku, quantity })))
  const { rows } = await sql<ProductChange['product']>`
    update products p
    set quantity = r.quantity, updated_at = now()
    from jsonb_to_recordset(${document}::jsonb) r(sku text, quantity bigint)
    where p.integration_id = ${integrationId} and p.sku = r.sku and p.deleted_at is null
      and p.quantity is distinct from r.quantity
    returning ${eventColumns}`.execute(trx)
  await emitChanges(trx, integrationId, rows)
}

/** Products with what they are sold as, held until the end of the transaction. */
export async function soldAs(
  trx: Db,
  integrationId: number,
  { remoteIds, skus }: { remoteIds: readonly string[]; skus: readonly string[] },
): Promise<{ id: number; variants: readonly Variant[] }[]> {
  const { rows } = await sql<{ id: number; variants: readonly Variant[] }>`
    select id, variants from products
    where integration_id = ${integrationId} and deleted_at is null
      and (remote_id = any(${[...remoteIds]}::text[]) or sku = any(${[...skus]}::text[]))
    order by id for update`.execute(trx)
  return rows
}

/** What products and their variants cost; those that change are emitted. */
export async function repriceProducts(
  trx: Db,
  integrationId: number,
  products: readonly { id: number; variants: readonly Variant[]; price: string; currency: string }[],
): Promise<void> {
  if (products.length === 0) return
  const { rows } = await sql<ProductChange['product']>`
    update products p
    set variants = r.variants, price = r.price, currency = r.currency, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) r(id bigint, variants jsonb, price numeric, currency text)
    where p.integration_id = ${integrationId} and p.id = r.id
      and (p.variants, p.price, p.currency) is distinct from (r.variants, r.price, r.currency)
    returning ${eventColumns}`.execute(trx)
  await emitChanges(trx, integrationId, rows)
}
