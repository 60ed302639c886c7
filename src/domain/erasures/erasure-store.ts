import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { AccountTenant } from '../tenant.ts'
import type { Erasure, ErasureShop } from './erasure.ts'

const columns = sql.raw('id, app_id, account_id, requested_by, named_by, created_at, completed_at')
const shopColumns = sql.raw(
  'erasure_id, integration_id, words, phrases, at_table, after, touched, waiting, completed_at',
)

export async function insertErasure(
  trx: Db,
  { app_id, account_id, requested_by, named_by }: Omit<Erasure, 'id' | 'created_at' | 'completed_at'>,
  shops: ReadonlyMap<number, readonly number[]>,
): Promise<Erasure> {
  const { rows } = await sql<Erasure>`
    insert into erasures (app_id, account_id, requested_by, named_by)
    values (${app_id}, ${account_id}, ${requested_by}, ${named_by}) returning ${columns}`.execute(trx)
  const [made] = rows
  if (!made) throw notFound()
  const ids = [...shops.keys()]
  const words = [...shops.values()].map((own) => `{${own.join(',')}}`)
  await sql`
    insert into erasure_shops (erasure_id, integration_id, words)
    select ${made.id}, r.id, r.words::bigint[] from unnest(${ids}::bigint[], ${words}::text[]) r(id, words)`.execute(
    trx,
  )
  return made
}

export async function findErasure(db: Db, tenant: AccountTenant, id: number): Promise<Erasure> {
  const { rows } = await sql<Erasure>`
    select ${columns} from erasures
    where id = ${id} and app_id = ${tenant.appId} and account_id = ${tenant.accountId}`.execute(db)
  const [found] = rows
  if (!found) throw notFound()
  return found
}

export async function shopsOfErasure(db: Db, erasureId: number): Promise<ErasureShop[]> {
  const { rows } = await sql<ErasureShop>`
    select ${shopColumns} from erasure_shops where erasure_id = ${erasureId} order by integration_id`.execute(db)
  return rows
}

/** How many an account has begun within a day. */
export async function countErasures(db: Db, { appId, accountId }: AccountTenant): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from erasures
    where app_id = ${appId} and account_id = ${accountId} and created_at > now() - interval '1 day'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Those that are not done, oldest first. */
export async function openErasures(db: Db, { after, limit }: { after: number; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from erasures where completed_at is null and id > ${after} order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

type Shop = Pick<ErasureShop, 'erasure_id' | 'integration_id'>

export interface ErasureStep {
  at: Pick<ErasureShop, 'at_table' | 'after'>
  touched: Readonly<Record<string, number>>
  waiting?: number
  phrases?: readonly number[]
}

/** What was done and where it goes on: part of the transaction that has done it. Whoever comes again counts nothing twice. */
export async function saveStep(
  trx: Db,
  shop: Shop,
  { at, touched, waiting = 0, phrases = [] }: ErasureStep,
): Promise<void> {
  await sql`
    update erasure_shops set at_table = ${at.at_table}, after = ${at.after}, waiting = waiting + ${waiting},
      phrases = array(select distinct unnest(phrases || ${[...phrases]}::bigint[])),
      touched = touched || (
        select coalesce(jsonb_object_agg(r.key, coalesce((touched ->> r.key)::bigint, 0) + r.value::bigint), '{}')
        from jsonb_each_text(${JSON.stringify(touched)}::jsonb) r where r.value <> '0')
    where erasure_id = ${shop.erasure_id} and integration_id = ${shop.integration_id}`.execute(trx)
}

/** From the beginning: what had to wait is looked at again. */
export async function restartShop(db: Db, shop: Shop): Promise<void> {
  await sql`
    update erasure_shops set at_table = null, after = null, waiting = 0
    where erasure_id = ${shop.erasure_id} and integration_id = ${shop.integration_id}`.execute(db)
}

/** Nothing is left to look for, nor what it was looked for by. */
export async function completeShop(db: Db, shop: Shop): Promise<void> {
  await sql`
    update erasure_shops set words = '{}', phrases = '{}', completed_at = now()
    where erasure_id = ${shop.erasure_id} and integration_id = ${shop.integration_id}`.execute(db)
}

export async function completeErasure(db: Db, id: number): Promise<void> {
  await sql`
    update erasures set completed_at = now() where id = ${id} and completed_at is null and not exists (
      select from erasure_shops where erasure_id = ${id} and completed_at is null)`.execute(db)
}
