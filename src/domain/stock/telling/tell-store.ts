import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** Whoever tells a shop holds it for so long, and says again that they are at it before that ends. */
const leaseSeconds = 30

/** Whether nobody else is telling the shop, and it is to be told anything at all. */
export async function claimShop(db: Db, integrationId: number, holder: string): Promise<boolean> {
  const { rows } = await sql`
    update stock_shops s set holder = ${holder}, held_until = now() + make_interval(secs => ${leaseSeconds})
    from stock_pools p
    where s.integration_id = ${integrationId} and p.id = s.pool_id and p.mode = 'on' and s.active
      and (s.held_until is null or s.held_until < now() or s.holder = ${holder})
    returning s.integration_id`.execute(db)
  return rows.length > 0
}

export async function releaseShop(db: Db, integrationId: number, holder: string): Promise<void> {
  await sql`
    update stock_shops set holder = null, held_until = null
    where integration_id = ${integrationId} and holder = ${holder}`.execute(db)
}

export interface Telling {
  id: number
  telling_id: number
  article_id: number
  remote_id: string
  sku: string
  location: string
  /** What is sent. */
  quantity: number
  /** What the shop should show then; more than is sent where it has sold something of which no order has come yet. */
  wanted: number
  /** What it was believed to show, and when it was first seen to show something else. */
  was: number | null
  seen_at: string | null
  /** What it was last known to show: platforms that compare change it from there only. */
  expected: number | null
  attempts: number
}

/**
 * What a shop is to be told now: what is about to run out first. From here on it is not known what the shop shows, until it has
 * said so; whoever dies over it leaves it due. What the shop was seen to have taken off itself, and no order explains yet, stays off: it is
 * most likely a sale. What it was seen to have more is kept only where hands in the shop are believed.
 */
export async function takeDue(trx: Db, integrationId: number, holder: string, limit: number): Promise<Telling[]> {
  const { rows } = await sql<Telling>`
    with due as (
      select l.id, l.shows, l.seen_at, coalesce(l.seen, l.shows) as expected,
        case when l.seen < l.shows or (l.seen > l.shows and s.by_hand = 'believe')
          then greatest(0, l.wanted + l.seen - l.shows) else l.wanted end as quantity
      from stock_links l join stock_shops s on s.integration_id = l.integration_id
      where l.integration_id = ${integrationId} and l.due_at <= now() and l.wanted is not null and s.holder = ${holder}
      order by l.wanted, l.due_at, l.id limit ${limit} for update of l
    ), taken as (
      update stock_links l set told = due.quantity, sent_at = now(), accepted_at = null, confirmed_at = null, shows = null,
        doubt = false, seen = null, seen_at = null
      from due where l.id = due.id
      returning l.id, l.article_id, l.remote_id, l.sku, l.location, l.wanted, l.attempts, due.quantity, due.shows as was,
        due.expected, due.seen_at
    ), written as (
      insert into stock_tellings (link_id, quantity, was, sent_at) select id, quantity, expected, now() from taken
      returning id as telling_id, link_id
    )
    select t.id, w.telling_id, t.article_id, t.remote_id, t.sku, t.location, t.quantity, t.wanted, t.was, t.expected,
      t.seen_at, t.attempts
    from taken t join written w on w.link_id = t.id order by t.quantity, t.id`.execute(trx)
  return rows
}

/** A telling that the shop accepted, and what it showed afterwards; null where nobody has looked. */
export type Told = Telling & {
  shown: number | null
  /** It showed that before anything was sent. */
  unsent?: true
}

/**
 * The shop has said yes, and where it was looked at again, shown it. Where an order came meanwhile, or there is something else to tell by now, it is
 * due again. What it shows otherwise is to be explained.
 */
export async function settleTold(trx: Db, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return
  const document = JSON.stringify(
    told.map(({ id, telling_id, quantity, wanted, shown, seen_at, unsent = false }) => ({
      ...{ id, telling_id, wanted, seen: shown ?? quantity, seen_at, confirmed: shown === quantity, unsent },
    })),
  )
  await sql`
    update stock_links l set accepted_at = now(), confirmed_at = case when r.confirmed then now() end,
      shows = case when l.doubt then null else r.wanted end,
      seen = case when l.doubt then null else nullif(r.seen, r.wanted) end,
      seen_at = case when l.doubt or r.seen = r.wanted then null else coalesce(r.seen_at, now()) end,
      attempts = 0, error = null,
      due_at = case when not l.doubt and l.wanted is not distinct from r.wanted then null else now() end, updated_at = now()
    from jsonb_to_recordset(${document}::jsonb)
      r(id bigint, wanted bigint, seen bigint, seen_at timestamptz, confirmed boolean)
    where l.id = r.id`.execute(trx)
  await sql`
    update stock_tellings t set accepted_at = now(), confirmed_at = case when r.confirmed then now() end,
      was = case when r.unsent then t.quantity else t.was end
    from jsonb_to_recordset(${document}::jsonb) r(telling_id bigint, confirmed boolean, unsent boolean)
    where t.id = r.telling_id`.execute(trx)
}

/** A telling that changed nothing: the shop showed something else than was expected. */
export type Stale = Telling & { found: number; againSeconds: number }

/** Told again from what is there. Until an order explains it, what the shop has taken off itself stays off. */
export async function settleStale(trx: Db, stale: readonly Stale[]): Promise<void> {
  if (stale.length === 0) return
  const document = JSON.stringify(
    stale.map(({ id, telling_id, was, found, seen_at, againSeconds }) => ({
      ...{ id, telling_id, was, found, seen_at, again: againSeconds },
    })),
  )
  await sql`
    update stock_links l set shows = case when l.doubt then null else coalesce(r.was, r.found) end,
      seen = case when l.doubt or r.was is null or r.was = r.found then null else r.found end,
      seen_at = case when l.doubt or r.was is null or r.was = r.found then null else coalesce(r.seen_at, now()) end,
      attempts = l.attempts + 1, due_at = now() + make_interval(secs => r.again), updated_at = now()
    from jsonb_to_recordset(${document}::jsonb)
      r(id bigint, was bigint, found bigint, seen_at timestamptz, again double precision)
    where l.id = r.id`.execute(trx)
  await sql`
    update stock_tellings t set error = 'The shop showed ' || r.found || '.'
    from jsonb_to_recordset(${document}::jsonb) r(telling_id bigint, found bigint) where t.id = r.telling_id`.execute(
    trx,
  )
}

export interface Failed {
  telling: Telling
  error: string
  againSeconds: number
}

export async function settleFailed(trx: Db, failed: readonly Failed[]): Promise<void> {
  if (failed.length === 0) return
  const document = JSON.stringify(
    failed.map(({ telling: { id, telling_id }, error, againSeconds }) => ({
      id,
      telling_id,
      error,
      again: againSeconds,
    })),
  )
  await sql`
    update stock_links l set attempts = l.attempts + 1, error = r.error, due_at = now() + make_interval(secs => r.again),
      updated_at = now()
    from jsonb_to_recordset(${document}::jsonb) r(id bigint, error text, again double precision)
    where l.id = r.id`.execute(trx)
  await sql`
    update stock_tellings t set error = r.error
    from jsonb_to_recordset(${document}::jsonb) r(telling_id bigint, error text) where t.id = r.telling_id`.execute(trx)
}

/**
 * Shops with links of a kind, each found by one step in the index of that kind, whatever the number of links: most shops have none, and a pool that is
 * dry has many.
 */
const shopsWith = (kind: RawBuilder<unknown>) => sql`
  with recursive found as (
    (select l.integration_id as id from stock_links l where ${kind} order by l.integration_id limit 1)
    union all
    select (select l.integration_id from stock_links l where ${kind} and l.integration_id > found.id
      order by l.integration_id limit 1)
    from found where found.id is not null
  ) select id from found where id is not null`

/** Shops that are to be told something, of pools that are on. */
export async function shopsToTell(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ integration_id: number }>`
    select s.integration_id from (${shopsWith(sql`l.due_at is not null`)}) due
    join stock_shops s on s.integration_id = due.id join stock_pools p on p.id = s.pool_id
    where p.mode = 'on' and s.active and (s.held_until is null or s.held_until < now())
      and exists (select from stock_links l where l.integration_id = due.id and l.due_at <= now())
    limit ${limit}`.execute(db)
  return rows.map(({ integration_id: id }) => id)
}

/** Shops, of pools that are on, that show something which nobody has explained yet. */
export const shopsWithDrift = (db: Db, limit: number): Promise<number[]> =>
  shopsThat(db, sql`l.seen_at is not null`, limit)

/** Shops, of pools that are on, that nobody has seen to show what they accepted. */
export const shopsUnconfirmed = (db: Db, limit: number): Promise<number[]> =>
  shopsThat(db, sql`l.accepted_at is not null and l.confirmed_at is null`, limit)

async function shopsThat(db: Db, kind: RawBuilder<unknown>, limit: number): Promise<number[]> {
  const { rows } = await sql<{ integration_id: number }>`
    select s.integration_id from (${shopsWith(kind)}) found
    join stock_shops s on s.integration_id = found.id join stock_pools p on p.id = s.pool_id
    where p.mode = 'on' limit ${limit}`.execute(db)
  return rows.map(({ integration_id: id }) => id)
}
