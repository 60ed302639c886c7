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

/** As PostgreSQL writes one: of a thousand numbers that is a tenth of the work that the driver makes of them. */
const listOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`
const anyOf = (ids: readonly number[]): RawBuilder<number> => sql`any(${listOf(ids)}::bigint[])`
const orderColumnNames = ['integration_id', 'id', 'remote_id', 'number', 'status', 'currency', 'total', 'placed_at']
const orderColumns = sql.raw(orderColumnNames.join(', '))

async function ordersThat(
  db: Db,
  ids: readonly number[],
  { match, limit }: { match: RawBuilder<boolean>; limit: number },
): Promise<FoundOrder[]> {
  const { rows } = await sql<FoundOrder>`
    select ${orderColumns} from orders
    where integration_id = ${anyOf(ids)} and ${match} and deleted_at is null
    limit ${limit}`.execute(db)
  return rows
}

/** By number, in any of its spellings. */
export const ordersNumbered = (
  db: Db,
  ids: readonly number[],
  { numbers, limit }: { numbers: readonly string[]; limit: number },
): Promise<FoundOrder[]> => ordersThat(db, ids, { match: sql`number = any(${[...numbers]}::text[])`, limit })

/** By the shop's own id. A statement of its own: each is a look per shop, and several connections look at the same time. */
export const ordersWithRemoteId = (
  db: Db,
  ids: readonly number[],
  { remoteId, limit }: { remoteId: string; limit: number },
): Promise<FoundOrder[]> => ordersThat(db, ids, { match: sql`remote_id = ${remoteId}`, limit })

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

/** Somebody as a shop knows them: the hashes that its key makes of the words, which are others in every shop. */
export interface KnownAs {
  integration_id: number
  hashes: readonly number[]
}

/**
 * Of whoever is known by all of the hashes of a shop. Each shop is one look into the index of words, which needs no shop: were it part
 * of the join, the database would rather walk through the shop's orders, since of hashes it knows next to nothing. That an
 * order has all of them and also one of them is said for its sake: of what is true twice it expects little.
 */
export async function ordersOfPerson(
  db: Db,
  known: readonly KnownAs[],
  { limit }: { limit: number },
): Promise<FoundOrder[]> {
  const ids = listOf(known.map(({ integration_id: id }) => id))
  const hashes = known.map((one) => listOf(one.hashes))
  const { rows } = await sql<FoundOrder & { known_in: number }>`
    select w.integration_id as known_in, ${sql.raw(orderColumnNames.map((name) => `o.${name}`).join(', '))}
    from unnest(${ids}::bigint[], ${hashes}::text[]) w(integration_id, hashes)
    join orders o on o.private_words @> w.hashes::bigint[] and o.private_words && w.hashes::bigint[]
    where o.integration_id = any(${ids}::bigint[]) and o.deleted_at is null
    order by o.id desc limit ${limit}`.execute(db)
  // Two shops make the same hash of different words once in a very long time.
  return rows.flatMap(({ known_in: knownIn, ...order }) => (order.integration_id === knownIn ? [order] : []))
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
