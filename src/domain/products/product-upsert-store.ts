import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import { isOlderVersion, versionsIn } from '../../lib/remote-version.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { jsonRows } from '../../runtime/db/lists/json-rows.ts'
import { countRows, lockCounted } from '../../runtime/db/lists/row-counters.ts'
import { namedRows } from '../../runtime/db/rows/named-rows.ts'
import { allProducts, type SyncedProduct } from './product.ts'
import { emitProducts, type ProductChange } from './product-events.ts'

export interface UpsertedProducts {
  inserted: number[]
  updated: number[]
  unchanged: number
  /** As of orders. */
  versions: Map<string, string | null>
}

/** A page of products from the shop, as `upsertOrders` does it for orders. */
export async function upsertProducts(
  trx: Db,
  integrationId: number,
  input: { ids: readonly number[]; products: readonly SyncedProduct[] },
): Promise<UpsertedProducts> {
  const at = await lockCounted(trx, integrationId)
  if (at === null) throw notFound()
  const newest = new Map<string, SyncedProduct>()
  for (const product of input.products) {
    const other = newest.get(product.remote_id)
    if (!other || !isOlderVersion(product.remote_version, other.remote_version)) newest.set(product.remote_id, product)
  }
  const held = await heldProducts(trx, integrationId, [...newest.keys()])
  const ids = input.ids.values()
  const rows = [...newest.values()].flatMap((product) => {
    const known = held.get(product.remote_id)
    if (known && (known.removed || isOlderVersion(product.remote_version, known.remote_version))) return []
    return [{ ...product, id: known?.id ?? ids.next().value }]
  })
  const written = await writeRows(trx, integrationId, rows)
  const inserted = written.filter((row) => !held.has(row.remote_id)).map((row) => row.id)
  const back = written.filter((row) => held.get(row.remote_id)?.deleted === true).map((row) => row.id)
  await countRows(
    trx,
    integrationId,
    [...inserted, ...back].map((id) => ({ kind: allProducts, id, by: 1 as const })),
  )
  await emitProducts(trx, integrationId, written, (row) => {
    const product = newest.get(row.remote_id)
    const type = held.get(row.remote_id)?.deleted === false ? 'product.updated' : 'product.created'
    return product ? { type, product: { ...product, id: row.id, updated_at: at } } : null
  })
  return {
    inserted,
    updated: written.filter((row) => held.has(row.remote_id)).map((row) => row.id),
    unchanged: input.products.length - written.length,
    versions: versionsIn(held),
  }
}

interface HeldProduct {
  id: number
  remote_id: string
  remote_version: string | null
  deleted: boolean
  /** Deleted, and not because the shop had it no longer. */
  removed: boolean
}

async function heldProducts(trx: Db, integrationId: number, remoteIds: string[]): Promise<Map<string, HeldProduct>> {
  const { rows } = await sql<HeldProduct>`
    select id, remote_id, remote_version, deleted_at is not null as deleted,
      deleted_at is not null and vanished_at is null as removed
    from ${namedRows('products', integrationId, remoteIds)}`.execute(trx)
  return new Map(rows.map((row) => [row.remote_id, row]))
}

/** What the shop decides about a product, and by which it is compared: as of orders, without the shop's own record. */
const syncedColumnNames = [
  'sku',
  'name',
  'description',
  'price',
  'currency',
  'quantity',
  'active',
  'images',
  'variants',
  'remote_status',
  'remote_version',
] as const

const syncedColumns = sql.raw([...syncedColumnNames, 'remote_payload'].join(', '))
const heldColumns = sql.raw(syncedColumnNames.map((column) => `p.${column}`).join(', '))
const newColumns = sql.raw(syncedColumnNames.map((column) => `excluded.${column}`).join(', '))
const readColumns = sql.raw(syncedColumnNames.map((column) => `r.${column}`).join(', '))
const assignments = sql.raw([...syncedColumnNames, 'remote_payload'].map((c) => `${c} = excluded.${c}`).join(', '))

/** Those that are as we hold them are left out first: what stands in the way of an insert is locked, which is written into each row. */
async function writeRows(trx: Db, integrationId: number, rows: readonly object[]) {
  if (rows.length === 0) return []
  const document = await jsonRows(rows)
  const { rows: written } = await sql<{ id: number; remote_id: string }>`
    insert into products as p (integration_id, id, remote_id, ${syncedColumns})
    select s.integration_id, r.id, r.remote_id, ${syncedColumns}
    from integration_state s
    cross join jsonb_to_recordset(${document}::jsonb) r(
      id bigint, remote_id text, sku text, name text, description text, price numeric, currency text, quantity bigint,
      active boolean, images jsonb, variants jsonb, remote_status text, remote_version text, remote_payload jsonb)
    left join lateral (
      select true as held from products p
      where p.integration_id = ${integrationId} and p.remote_id = r.remote_id and p.vanished_at is null
        and (${heldColumns}) is not distinct from (${readColumns}) offset 0
    ) same on true
    where s.integration_id = ${integrationId} and same.held is null
    on conflict (integration_id, remote_id) do update
    set ${assignments}, updated_at = excluded.updated_at, deleted_at = null, vanished_at = null
    where p.vanished_at is not null or (${heldColumns}) is distinct from (${newColumns})
    returning id, remote_id`.execute(trx)
  return written
}

/** As of orders. */
export async function countKnownProducts(db: Db, integrationId: number, remoteIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${namedRows('products', integrationId, remoteIds)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** As of orders. */
export async function removeVanishedProducts(
  trx: Db,
  integrationId: number,
  remoteIds: readonly string[],
): Promise<number> {
  if (remoteIds.length === 0) return 0
  const at = await lockCounted(trx, integrationId)
  if (at === null) throw notFound()
  const { rows } = await sql<ProductChange['product']>`
    update products set deleted_at = ${at}::timestamptz, vanished_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
    where integration_id = ${integrationId} and remote_id = any(${[...remoteIds]}::text[]) and deleted_at is null
    returning id, remote_id, sku, name, price, currency, quantity, active, updated_at`.execute(trx)
  await countRows(
    trx,
    integrationId,
    rows.map(({ id }) => ({ kind: allProducts, id, by: -1 as const })),
  )
  await emitProducts(trx, integrationId, rows, (product) => ({ type: 'product.deleted', product }))
  return rows.length
}
