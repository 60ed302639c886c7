import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Link } from '../articles/link-store.ts'
import type { PoolShop } from '../stock.ts'

export interface ReadLevel {
  sku: string
  location: string
  remote_id: string
  quantity: number
}

/** What the shop is read to show. */
export async function readLevels(
  db: Db,
  { integration_id: id }: PoolShop,
  skus: readonly string[],
): Promise<ReadLevel[]> {
  const { rows } = await sql<ReadLevel>`
    select sku, location, case when remote_id = '' then sku else remote_id end as remote_id, quantity from inventory
    where integration_id = ${id} and sku = any(${[...skus]}::text[]) and deleted_at is null`.execute(db)
  return rows
}

/** Articles of which that is something else than we believe, or no longer is. */
export async function articlesApart(
  db: Db,
  { integration_id: id }: PoolShop,
  levels: readonly ReadLevel[],
): Promise<{ article_id: number; sku: string }[]> {
  const { rows } = await sql<{ article_id: number; sku: string }>`
    select distinct l.article_id, l.sku
    from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) r(sku text, location text, remote_id text, quantity bigint)
    join stock_links l on l.integration_id = ${id} and l.sku = r.sku and l.location = r.location
      and l.remote_id = r.remote_id
    where (l.shows, l.seen) is distinct from (r.quantity, null::bigint)`.execute(db)
  return rows
}

/** Holds levels of the shop against what we believe it to show. The articles of which something is new. */
export async function noteLevels(
  trx: Db,
  shop: PoolShop,
  { levels, isOn }: { levels: readonly ReadLevel[]; isOn: boolean },
): Promise<number[]> {
  const document = JSON.stringify(levels)
  if (isOn)
    await sql`
      insert into stock_sightings (link_id, expected, found)
      select l.id, l.shows, r.quantity
      from jsonb_to_recordset(${document}::jsonb) r(sku text, location text, remote_id text, quantity bigint)
      join stock_links l on l.integration_id = ${shop.integration_id} and r.sku = l.sku and r.location = l.location
        and r.remote_id = l.remote_id
      where l.sent_at is not null and l.shows <> r.quantity and l.seen is distinct from r.quantity
      order by l.id`.execute(trx)
  const { rows } = await sql<{ article_id: number }>`
    update stock_links l set
      -- Before anything is ever told, what the shop shows is what it is read to show.
      shows = case when ${isOn} and l.sent_at is not null then l.shows else r.quantity end,
      seen = case when ${isOn} and l.sent_at is not null and l.shows <> r.quantity then r.quantity end,
      seen_at = case when ${isOn} and l.sent_at is not null and l.shows <> r.quantity
        then case when l.seen = r.quantity then l.seen_at else now() end end,
      confirmed_at = case when l.shows = r.quantity and l.accepted_at is not null
        then coalesce(l.confirmed_at, now()) else l.confirmed_at end,
      updated_at = now()
    from jsonb_to_recordset(${document}::jsonb) r(sku text, location text, remote_id text, quantity bigint)
    where l.integration_id = ${shop.integration_id} and r.sku = l.sku and r.location = l.location
      and r.remote_id = l.remote_id and (l.shows, l.seen) is distinct from (r.quantity, null::bigint)
    returning l.article_id`.execute(trx)
  return rows.map((row) => row.article_id)
}

/** So long a difference has to last where the shop is not read by the clock. */
const patienceSeconds = 1800

/** When what the shop shows, and where it matters its orders, began to be read for the last time. */
async function lastRead(trx: Db, integrationId: number, resources: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ began: string | null }>`
    select case when count(*) = ${resources.length} then min(began) end as began from (
      select max(created_at) as began from runs
      where integration_id = ${integrationId} and resource = any(${[...resources]}::text[]) and status = 'completed'
        and created_at > now() - interval '1 day'
      group by resource
    ) r`.execute(trx)
  return rows[0]?.began ?? null
}

/** What shops accepted and nobody has looked at since: all levels have been read, and these did not differ. */
export async function confirmRead(trx: Db, { integration_id: id }: PoolShop): Promise<void> {
  const began = await lastRead(trx, id, ['sync_inventory'])
  if (began === null) return
  const { rows } = await sql<{ id: number; sent_at: string }>`
    update stock_links set confirmed_at = now(), updated_at = now()
    where integration_id = ${id} and accepted_at is not null and confirmed_at is null and accepted_at < ${began}::timestamptz
      and shows is not null and seen is null
    returning id, sent_at`.execute(trx)
  if (rows.length === 0) return
  await sql`
    update stock_tellings t set confirmed_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(id bigint, sent_at timestamptz)
    where t.link_id = r.id and t.sent_at = r.sent_at and t.confirmed_at is null`.execute(trx)
}

/** So long an order may take that a shop tells of by itself. */
const messageSeconds = 3

/** Whether the shop has shown less for a moment, and its orders have not been asked for since. */
export async function awaitsOrders(trx: Db, { integration_id: id }: PoolShop): Promise<boolean> {
  const { rows: less } = await sql<{ at: string | null }>`
    select max(seen_at) as at from stock_links
    where integration_id = ${id} and seen_at < now() - make_interval(secs => ${messageSeconds}) and seen < shows`.execute(
    trx,
  )
  const at = less[0]?.at ?? null
  if (at === null) return false
  // Runs lie with the shop's data: the two planes are asked apart.
  const { rows: asked } = await sql`
    select 1 as found from runs
    where integration_id = ${id} and resource = 'sync_orders' and created_at > ${at}::timestamptz limit 1`.execute(trx)
  return asked.length === 0
}

export type Drifted = Pick<Link, 'id' | 'article_id' | 'sku'> & { expected: number; found: number; seen_at: string }

/** What the shop shows is what was seen. */
export async function takeAsSeen(trx: Db, linkIds: readonly number[]): Promise<void> {
  await sql`
    update stock_links set shows = seen, seen = null, seen_at = null, updated_at = now(),
      -- What it was told it never showed.
      accepted_at = case when confirmed_at is null then null else accepted_at end
    where id = any(${[...linkIds]}::bigint[])`.execute(trx)
}

/** What was made of differences that nothing explained. */
export async function noteResolved(
  trx: Db,
  drifted: readonly (Pick<Drifted, 'id' | 'expected' | 'found'> & { resolution: 'believed' | 'corrected' })[],
): Promise<void> {
  await sql`
    insert into stock_sightings (link_id, expected, found, resolution)
    select id, expected, found, resolution
    from jsonb_to_recordset(${JSON.stringify(drifted)}::jsonb) r(id bigint, expected bigint, found bigint, resolution text)
    order by id`.execute(trx)
}

/** Differences that have lasted although the shop has been read since. */
export async function unexplained(trx: Db, { integration_id: id }: PoolShop): Promise<Drifted[]> {
  // Orders, which may explain it, and levels, which may be those from before we wrote, have both been read once more.
  const began = await lastRead(trx, id, ['sync_orders', 'sync_inventory'])
  const { rows } = await sql<Drifted>`
    select id, article_id, sku, shows as expected, seen as found, seen_at from stock_links
    where integration_id = ${id} and seen_at is not null and shows is not null and seen <> shows
      and (seen_at < ${began}::timestamptz or seen_at < now() - make_interval(secs => ${patienceSeconds}))
    order by id limit 500 for update`.execute(trx)
  return rows
}
