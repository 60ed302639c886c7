import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { AccountTenant } from '../tenant.ts'
import type { Mode, Pool, PoolShop } from './stock.ts'

const columns = sql.raw('id, app_id, account_id, mode, deal_below, created_at, updated_at')

export async function poolOf(db: Db, tenant: AccountTenant): Promise<Pool | null> {
  const { rows } = await sql<Pool>`
    select ${columns} from stock_pools where account_id = ${tenant.accountId} and app_id = ${tenant.appId}`.execute(db)
  return rows[0] ?? null
}

export async function findPool(db: Db, tenant: AccountTenant): Promise<Pool> {
  const pool = await poolOf(db, tenant)
  if (!pool) throw notFound()
  return pool
}

export async function readPool(db: Db, id: number): Promise<Pool> {
  const { rows } = await sql<Pool>`select ${columns} from stock_pools where id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Nobody changes the pool until the transaction ends. Before its shops, and these before links, by everybody who holds more than one. */
export async function holdPool(trx: Db, id: number): Promise<void> {
  await sql`select from stock_pools where id = ${id} for share`.execute(trx)
}

/** Nobody else puts articles of the pool together, nor books what outsiders tell of them, until the transaction ends. In the place of `holdPool`, and as early. */
export async function holdBundles(trx: Db, id: number): Promise<void> {
  await sql`select from stock_pools where id = ${id} for no key update`.execute(trx)
}

/** The pool that a shop shares; null where it shares none. */
export async function poolOfShop(db: Db, integrationId: number): Promise<Pool | null> {
  const { rows } = await sql<Pool>`
    select ${columns} from stock_pools
    where id = (select pool_id from stock_shops where integration_id = ${integrationId})`.execute(db)
  return rows[0] ?? null
}

/** What is left out stays as it is. */
export interface PoolChanges {
  mode?: Mode | undefined
  deal_below?: number | undefined
}

/** The pool of the account, made if there is none yet. */
export async function savePool(
  trx: Db,
  tenant: AccountTenant,
  { mode, deal_below: below }: PoolChanges,
): Promise<Pool> {
  const { rows } = await sql<Pool>`
    insert into stock_pools as p (app_id, account_id, mode, deal_below)
    values (${tenant.appId}, ${tenant.accountId}, ${mode ?? 'dry'}, ${below ?? 0})
    on conflict (account_id) do update set mode = coalesce(${mode ?? null}, p.mode),
      deal_below = coalesce(${below ?? null}, p.deal_below), updated_at = now()
    where p.app_id = excluded.app_id
    returning ${columns}`.execute(trx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export interface Place {
  id: number
  name: string
  created_at: string
}

/** Places by name, made where they are new. */
export async function savePlaces(trx: Db, poolId: number, names: readonly string[]): Promise<Map<string, Place>> {
  const wanted = [...new Set(names)].sort()
  await sql`
    insert into stock_places (pool_id, name) select ${poolId}, r.name from unnest(${wanted}::text[]) r(name)
    on conflict (pool_id, name) do nothing`.execute(trx)
  const { rows } = await sql<Place>`
    select id, name, created_at from stock_places
    where pool_id = ${poolId} and name = any(${wanted}::text[])`.execute(trx)
  return new Map(rows.map((place) => [place.name, place]))
}

export const maxPlaces = 100

export async function placesOf(db: Db, poolId: number): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select id, name, created_at from stock_places where pool_id = ${poolId} order by id limit ${maxPlaces}`.execute(db)
  return rows
}

const shopColumnNames = [
  ...['integration_id', 'pool_id', 'place_id', 'active', 'share_percent', 'margin', 'cap', 'minimum', 'multiple'],
  ...['location', 'by_hand', 'restock_returns', 'cancel_oversold', 'joined_at', 'updated_at'],
]
export const shopColumns = (alias: string) => sql.raw(shopColumnNames.map((name) => `${alias}.${name}`).join(', '))

export const maxShops = 200

export async function shopsOf(db: Db, poolId: number): Promise<PoolShop[]> {
  const { rows } = await sql<PoolShop>`
    select ${shopColumns('s')} from stock_shops s where s.pool_id = ${poolId}
    order by s.integration_id limit ${maxShops}`.execute(db)
  return rows
}

/** The rules of these shops. */
export async function rulesOf(db: Db, integrationIds: readonly number[]): Promise<Map<number, PoolShop>> {
  const { rows } = await sql<PoolShop>`
    select ${shopColumns('s')} from stock_shops s
    where s.integration_id = any(${[...integrationIds]}::bigint[])`.execute(db)
  return new Map(rows.map((shop) => [shop.integration_id, shop]))
}

export const shopOf = async (db: Db, integrationId: number): Promise<PoolShop | null> =>
  (await rulesOf(db, [integrationId])).get(integrationId) ?? null

/** Of a shop that has sold nothing for so long, nobody expects another order any moment. */
const sellingMinutes = 10

/** Whether a row of `stock_shops` that is called `s` is selling. */
export const sellsNow = sql<boolean>`coalesce(s.sold_at > now() - make_interval(mins => ${sql.lit(sellingMinutes)}), false)`

/** Which of these share their stock with others at this moment, and whether they are selling. */
export async function sharingShops(
  db: Db,
  integrationIds: readonly number[],
): Promise<Map<number, { isSelling: boolean }>> {
  const { rows } = await sql<{ integration_id: number; selling: boolean }>`
    select s.integration_id, ${sellsNow} as selling
    from stock_shops s join stock_pools p on p.id = s.pool_id
    where s.integration_id = any(${[...integrationIds]}::bigint[]) and p.mode = 'on'`.execute(db)
  return new Map(rows.map(({ integration_id: id, selling }) => [id, { isSelling: selling }]))
}

/** The shop is selling. Whether that is news: it is written down every half a minute at most. */
export async function markSelling(trx: Db, integrationId: number): Promise<boolean> {
  const { rows } = await sql`
    update stock_shops set sold_at = now()
    where integration_id = ${integrationId} and (sold_at is null or sold_at < now() - interval '30 seconds')
    returning integration_id`.execute(trx)
  return rows.length > 0
}

/** Nobody else follows the shop until the transaction ends. */
export async function lockShop(trx: Db, integrationId: number): Promise<PoolShop | null> {
  const { rows } = await sql<PoolShop>`
    select ${shopColumns('s')} from stock_shops s where s.integration_id = ${integrationId} for update`.execute(trx)
  return rows[0] ?? null
}

export type RuleChanges = Partial<
  Omit<PoolShop, 'integration_id' | 'pool_id' | 'place_id' | 'joined_at' | 'updated_at'>
>

export async function insertShop(
  trx: Db,
  { poolId, integrationId, placeId }: { poolId: number; integrationId: number; placeId: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into stock_shops (integration_id, pool_id, place_id) values (${integrationId}, ${poolId}, ${placeId})
    on conflict (integration_id) do nothing returning integration_id`.execute(trx)
  return rows.length > 0
}

export async function changeShop(
  trx: Db,
  { poolId, integrationId }: { poolId: number; integrationId: number },
  changes: RuleChanges & { place_id?: number | undefined },
): Promise<PoolShop> {
  const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  await trx
    .updateTable('stock_shops')
    .set({ ...set, updated_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('pool_id', '=', poolId)
    .execute()
  const shop = await shopOf(trx, integrationId)
  if (shop?.pool_id !== poolId) throw notFound()
  return shop
}

/** Its links, and what the ledger knows of its orders, go with it; the movements stay. */
export async function deleteShop(trx: Db, poolId: number, integrationId: number): Promise<boolean> {
  const { rows } = await sql`
    delete from stock_shops where integration_id = ${integrationId} and pool_id = ${poolId}
    returning integration_id`.execute(trx)
  return rows.length > 0
}

/** From now on changes in the shop leave marks, or no longer. Waits for whoever is just storing orders of it. */
export async function setInPool(trx: Db, integrationId: number, inPool: boolean): Promise<void> {
  await sql`
    update integration_state set in_pool = ${inPool} where integration_id = ${integrationId}`.execute(trx)
}

/** Values that shops have not been told. */
export async function countWaiting(db: Db, poolId: number): Promise<{ waiting: number; failing: number }> {
  const { rows } = await sql<{ waiting: number; failing: number }>`
    select count(*) as waiting, count(*) filter (where l.error is not null) as failing
    from stock_shops s join stock_links l on l.integration_id = s.integration_id
    where s.pool_id = ${poolId} and l.due_at is not null and l.shows is distinct from l.wanted`.execute(db)
  return rows[0] ?? { waiting: 0, failing: 0 }
}
