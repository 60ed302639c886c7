import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'

export const madeBy = ['sku', 'barcode', 'hand', 'file'] as const

/** Which variant of which shop an article is, what that shop is to show of it, and what it was told. */
export interface Link {
  id: number
  pool_id: number
  article_id: number
  integration_id: number
  remote_id: string
  sku: string
  location: string
  made_by: (typeof madeBy)[number]
  /** Null where the rule says that the shop is told nothing. */
  wanted: number | null
  /** What we believe the shop shows; null where that is not known. */
  shows: number | null
  due_at: string | null
  attempts: number
  error: string | null
  told: number | null
  sent_at: string | null
  /** When the shop said yes, and when it had shown it. */
  accepted_at: string | null
  confirmed_at: string | null
  doubt: boolean
  seen: number | null
  seen_at: string | null
  /** Whether orders placed before that are in what the shop shows, nobody can tell; `infinity` while it is told something that nobody can compare. */
  blind_until: string | null
}

const names = [
  ...['id', 'pool_id', 'article_id', 'integration_id', 'remote_id', 'sku', 'location', 'made_by', 'wanted', 'shows'],
  ...['due_at', 'attempts', 'error', 'told', 'sent_at', 'accepted_at', 'confirmed_at', 'doubt', 'seen', 'seen_at'],
  'blind_until',
]
const columns = sql.raw(names.map((name) => `l.${name}`).join(', '))

export interface NewLink {
  article_id: number
  integration_id: number
  remote_id: string
  sku: string
  location: string
  made_by: Link['made_by']
  /** What the shop is known to show. */
  shows: number | null
}

/** Those that are new. A variant that another article has is left to it. */
export async function insertLinks(trx: Db, poolId: number, links: readonly NewLink[]): Promise<Link[]> {
  if (links.length === 0) return []
  const { rows } = await sql<Link>`
    insert into stock_links as l (pool_id, article_id, integration_id, remote_id, sku, location, made_by, shows)
    select ${poolId}, r.article_id, r.integration_id, r.remote_id, r.sku, r.location, r.made_by, r.shows
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) r(article_id bigint, integration_id bigint, remote_id text,
      sku text, location text, made_by text, shows bigint)
    order by r.integration_id, r.remote_id, r.sku
    on conflict (integration_id, remote_id, sku) do nothing
    returning ${columns}`.execute(trx)
  return rows
}

export async function deleteLink(trx: Db, articleId: number, id: number): Promise<Link> {
  const { rows } = await sql<Link>`
    delete from stock_links l where l.id = ${id} and l.article_id = ${articleId} returning ${columns}`.execute(trx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The shop keeps what it shows. */
export async function endLinks(trx: Db, integrationId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from stock_links where integration_id = ${integrationId} and id = any(${[...ids]}::bigint[])`.execute(trx)
}

/** At another location of the shop, where it has been told nothing so far. */
export async function relocateLinks(
  trx: Db,
  integrationId: number,
  moved: readonly { id: number; location: string; shows: number | null }[],
): Promise<void> {
  if (moved.length === 0) return
  await sql`
    update stock_links l set location = r.location, shows = r.shows, told = null, sent_at = null, accepted_at = null,
      confirmed_at = null, due_at = null, attempts = 0, error = null, doubt = false, at_least = null, own_sold = 0, seen = null, seen_at = null,
      wanted = null, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) r(id bigint, location text, shows bigint)
    where l.integration_id = ${integrationId} and l.id = r.id`.execute(trx)
}

export async function linksOfArticles(db: Db, articleIds: readonly number[]): Promise<Link[]> {
  if (articleIds.length === 0) return []
  const { rows } = await sql<Link>`
    select ${columns} from stock_links l where l.article_id = any(${[...articleIds]}::bigint[])
    order by l.article_id, l.id`.execute(db)
  return rows
}

/** All variants of a shop that are linked already, as keys of `variantKey`. */
export async function linkedVariants(db: Db, integrationId: number): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select ${columns} from stock_links l where l.integration_id = ${integrationId}`.execute(db)
  return rows
}

/** Links of the shop that lines of orders or levels may mean. */
export async function linksMeant(
  db: Db,
  integrationId: number,
  { remoteIds, skus }: { remoteIds: readonly string[]; skus: readonly string[] },
): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select ${columns} from stock_links l where l.integration_id = ${integrationId}
      and (l.remote_id = any(${[...remoteIds]}::text[]) or l.sku = any(${[...skus]}::text[]))
    order by l.id`.execute(db)
  return rows
}

/**
 * Links of articles and of a shop, locked one after the other: whoever reads rules, and what is available, after this sees all that was changed by those
 * who had them before.
 */
export async function lockLinks(
  trx: Db,
  poolId: number,
  { articleIds, integrationId = null }: { articleIds: readonly number[]; integrationId?: number | null },
): Promise<Link[]> {
  const ofArticles = sql`l.article_id = any(${[...articleIds]}::bigint[])`
  const which = integrationId === null ? ofArticles : sql`(l.integration_id = ${integrationId} or ${ofArticles})`
  const { rows } = await sql<Link>`
    select ${columns} from stock_links l where l.pool_id = ${poolId} and ${which} order by l.id for update`.execute(trx)
  return rows
}

/** All links of the pool, locked in the order in which everybody locks them: for whoever then takes one shop after the other. */
export async function lockAllLinks(trx: Db, poolId: number): Promise<void> {
  await sql`
    select count(*) from (select from stock_links where pool_id = ${poolId} order by id for update) l`.execute(trx)
}

/** Articles of the shop of which fewer are available than that; what bundles are made of is not looked at. */
export async function articlesBelow(db: Db, integrationId: number, below: number): Promise<number[]> {
  const { rows } = await sql<{ article_id: number }>`
    select distinct l.article_id from stock_links l
    where l.integration_id = ${integrationId} and coalesce(
      (select sum(b.on_hand - b.reserved) from stock_balances b where b.article_id = l.article_id), 0) < ${below}`.execute(
    db,
  )
  return rows.map((row) => row.article_id)
}

export interface Target {
  id: number
  wanted: number | null
  shows: number | null
  /** Seconds until the shop is told; null where there is nothing to tell. */
  due_in: number | null
  is_new: boolean
}

export async function setTargets(trx: Db, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return
  await sql`
    update stock_links l set wanted = r.wanted, shows = r.shows, updated_at = now(),
      due_at = case when r.due_in is null then null
        else least(l.due_at, now() + make_interval(secs => r.due_in)) end,
      attempts = case when r.is_new then 0 else l.attempts end, error = case when r.is_new then null else l.error end
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
      r(id bigint, wanted bigint, shows bigint, due_in double precision, is_new boolean)
    where l.id = r.id`.execute(trx)
}
