import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { movementColumnNames } from './ledger-store.ts'
import type { Movement } from './stock.ts'

/** A value that a shop was told. */
export interface ToldValue {
  link_id: number
  quantity: number
  /** What we believed it to show before. */
  was: number | null
  sent_at: string
  /** When the shop said yes, and when it had shown it. */
  accepted_at: string | null
  confirmed_at: string | null
  error: string | null
}

/** The newest movements of an article, newest first. */
export async function newestMovements(db: Db, articleId: number, limit: number): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select ${sql.raw(movementColumnNames)} from stock_movements where article_id = ${articleId}
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** The newest of each link, newest first. */
export async function newestTold(db: Db, linkIds: readonly number[], limit: number): Promise<ToldValue[]> {
  if (linkIds.length === 0) return []
  const { rows } = await sql<ToldValue>`
    select t.link_id, t.quantity, t.was, t.sent_at, t.accepted_at, t.confirmed_at, t.error
    from unnest(${[...linkIds]}::bigint[]) r(id) cross join lateral (
      select * from stock_tellings where link_id = r.id order by id desc limit ${limit}
    ) t order by t.link_id, t.id desc`.execute(db)
  return rows
}

/** What a shop was seen to show instead. */
export interface Sighting {
  link_id: number
  at: string
  expected: number
  found: number
  resolution: 'believed' | 'corrected' | null
}

/** The newest of each link, newest first. */
export async function newestSeen(db: Db, linkIds: readonly number[], limit: number): Promise<Sighting[]> {
  if (linkIds.length === 0) return []
  const { rows } = await sql<Sighting>`
    select s.link_id, s.at, s.expected, s.found, s.resolution
    from unnest(${[...linkIds]}::bigint[]) r(id) cross join lateral (
      select * from stock_sightings where link_id = r.id order by id desc limit ${limit}
    ) s order by s.link_id, s.id desc`.execute(db)
  return rows
}

/** What shops were told, or seen to show, longer ago than anybody asks. */
export async function deleteOldTold(db: Db, days: number, limit: number): Promise<number> {
  const { rows: told } = await sql`
    delete from stock_tellings where id in (
      select id from stock_tellings where sent_at < now() - make_interval(days => ${days}) order by sent_at limit ${limit}
    ) returning id`.execute(db)
  const { rows: seen } = await sql`
    delete from stock_sightings where id in (
      select id from stock_sightings where at < now() - make_interval(days => ${days}) order by at limit ${limit}
    ) returning id`.execute(db)
  return Math.max(told.length, seen.length)
}
