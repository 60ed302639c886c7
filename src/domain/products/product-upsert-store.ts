import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import { isOlderVersion } from '../../lib/remote-version.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { countRows, lockCounted } from '../../runtime/db/row-counters.ts'
import { allProducts, type SyncedProduct } from './product.ts'

export interface UpsertedProducts {
  inserted: number[]
  updated: number[]
  unchanged: number
}

/** A page of products from the shop, as `upsertOrders` does it for orders. */
export async function upsertProducts(
  trx: Db,
  integrationId: number,
  input: { ids: readonly number[]; products: readonly SyncedProduct[] },
): Promise<UpsertedProducts> {
  if ((await lockCounted(trx, integrationId)) === null) throw notFound()
  const newest = new Map<string, SyncedProduct>()
  for (const product of input.products) {
    const other = newest.get(product.remote_id)
    if (!other || !isOlderVersion(product.remote_version, other.remote_version)) newest.set(product.remote_id, product)
  }
  const held = await heldProducts(trx, integrationId, [...newest.keys()])
  const rows = [...newest.values()].flatMap((product, index) => {
    const known = held.get(product.remote_id)
    if (known && (known.deleted || isOlderVersion(product.remote_version, known.remote_version))) return []
    return [{ ...product, id: known?.id ?? input.ids[index] }]
  })
  const written = await writeRows(trx, integrationId, rows)
  const inserted = written.filter((row) => !held.has(row.remote_id)).map((row) => row.id)
  await countRows(
    trx,
    integrationId,
    inserted.map((id) => ({ kind: allProducts, id, by: 1 as const })),
  )
  return {
    inserted,
    updated: written.filter((row) => held.has(row.remote_id)).map((row) => row.id),
    unchanged: input.products.length - written.length,
  }
}

interface HeldProduct {
  id: number
  remote_id: string
  remote_version: string | null
  deleted: boolean
}

async function heldProducts(trx: Db, integrationId: number, remoteIds: string[]): Promise<Map<string, HeldProduct>> {
  const { rows } = await sql<HeldProduct>`
    select id, remote_id, remote_version, deleted_at is not null as deleted
    from products
    where integration_id = ${integrationId} and remote_id = any(${remoteIds}::text[])`.execute(trx)
  return new Map(rows.map((row) => [row.remote_id, row]))
}

const told = [
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
  'remote_payload',
] as const

const toldColumns = sql.raw(told.join(', '))
const heldColumns = sql.raw(told.map((column) => `p.${column}`).join(', '))
const newColumns = sql.raw(told.map((column) => `excluded.${column}`).join(', '))
const assignments = sql.raw(told.map((column) => `${column} = excluded.${column}`).join(', '))

async function writeRows(trx: Db, integrationId: number, rows: readonly object[]) {
  if (rows.length === 0) return []
  const { rows: written } = await sql<{ id: number; remote_id: string }>`
    insert into products as p (integration_id, id, remote_id, ${toldColumns})
    select s.integration_id, r.id, r.remote_id, ${toldColumns}
    from integration_state s
    cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(
      id bigint, remote_id text, sku text, name text, description text, price numeric, currency text, quantity bigint,
      active boolean, images jsonb, variants jsonb, remote_status text, remote_version text, remote_payload jsonb)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, remote_id) do update
    set ${assignments}, updated_at = excluded.updated_at
    where (${heldColumns}) is distinct from (${newColumns})
    returning id, remote_id`.execute(trx)
  return written
}
