import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { OrderStatus } from '../orders/order.ts'
import type { RunStatus } from '../runs/run.ts'

/** What is found by its name. Every statement names the integrations it looks into, and has an index for what it looks for. */

export interface FoundOrder {
  integration_id: number
  id: number
  remote_id: string
  number: string | null
  status: OrderStatus
  currency: string
  total: string
  placed_at: string | null
}

const anyOf = (ids: readonly number[]): RawBuilder<number> => sql`any(${[...ids]}::bigint[])`
const orderColumns = sql.raw('integration_id, id, remote_id, number, status, currency, total, placed_at')

/** By number, or by the shop's own id. */
export async function ordersCalled(
  db: Db,
  ids: readonly number[],
  { names, limit }: { names: readonly string[]; limit: number },
): Promise<FoundOrder[]> {
  const { rows } = await sql<FoundOrder>`
    (select ${orderColumns} from orders
      where integration_id = ${anyOf(ids)} and number = any(${[...names]}::text[]) and deleted_at is null limit ${limit})
    union
    (select ${orderColumns} from orders
      where integration_id = ${anyOf(ids)} and remote_id = any(${[...names]}::text[]) and deleted_at is null limit ${limit})
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export async function ordersByTracking(
  db: Db,
  ids: readonly number[],
  { number, limit }: { number: string; limit: number },
): Promise<FoundOrder[]> {
  const { rows: parcels } = await sql<{ integration_id: number; order_id: number }>`
    select integration_id, order_id from shipments
    where integration_id = ${anyOf(ids)} and tracking_number = ${number} limit ${limit}`.execute(db)
  if (parcels.length === 0) return []
  const { rows } = await sql<FoundOrder>`
    select ${orderColumns} from orders
    where integration_id = ${anyOf(parcels.map(({ integration_id: id }) => id))}
      and id = ${anyOf(parcels.map(({ order_id: id }) => id))} and deleted_at is null limit ${limit}`.execute(db)
  return rows.filter((row) =>
    parcels.some((one) => one.integration_id === row.integration_id && one.order_id === row.id),
  )
}

/**
 * Of whoever is known by one hash of each list. They are gathered before the first few are taken: with a limit in sight
 * the database walks through orders instead, hoping to come across some soon.
 */
export async function ordersOfPerson(
  db: Db,
  ids: readonly number[],
  { hashes, limit }: { hashes: readonly (readonly number[])[]; limit: number },
): Promise<FoundOrder[]> {
  const known = sql.join(
    hashes.map((some) => sql`private_words && ${[...some]}::bigint[]`),
    sql` and `,
  )
  const { rows } = await sql<FoundOrder>`
    with theirs as materialized (
      select ${orderColumns} from orders where integration_id = ${anyOf(ids)} and ${known} and deleted_at is null
    )
    select * from theirs order by id desc limit ${limit}`.execute(db)
  return rows
}

export interface FoundProduct {
  integration_id: number
  id: number
  sku: string
  name: string
}

export async function productsCalled(
  db: Db,
  ids: readonly number[],
  { text, limit }: { text: string; limit: number },
): Promise<FoundProduct[]> {
  const { rows } = await sql<FoundProduct>`
    select integration_id, id, sku, name from products
    where integration_id = ${anyOf(ids)} and sku = ${text} and deleted_at is null
    order by id desc limit ${limit}`.execute(db)
  return rows
}

export interface FoundRun {
  integration_id: number
  id: number
  resource: string
  status: RunStatus
}

export async function runsNumbered(
  db: Db,
  ids: readonly number[],
  { id, limit }: { id: number; limit: number },
): Promise<FoundRun[]> {
  const { rows } = await sql<FoundRun>`
    select integration_id, id, resource, status from runs
    where integration_id = ${anyOf(ids)} and id = ${id} limit ${limit}`.execute(db)
  return rows
}

export interface FoundMerchant {
  id: number
  remote_id: string
  name: string | null
}

/** Those of the app, of which it is one read anyway; by name, by your own id, or by the address of the merchant. */
export async function merchantsCalled(
  db: Db,
  appId: number,
  { text, limit }: { text: string; limit: number },
): Promise<FoundMerchant[]> {
  const { rows } = await sql<FoundMerchant>`
    select id, remote_id, name from accounts
    where app_id = ${appId} and deleted_at is null
      and strpos(lower(coalesce(name, '') || ' ' || remote_id || ' ' || coalesce(email, '')), lower(${text}::text)) > 0
    order by id limit ${limit}`.execute(db)
  return rows
}
