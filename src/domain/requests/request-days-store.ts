import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** Days are partitions: made ahead, dropped whole. Names carry the day, so that they can be told apart again. */

const stem = 'api_requests_y'

/** Today and the days after it. */
export async function daysAhead(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(date_trunc('day', now() at time zone 'UTC') + make_interval(days => n), 'YYYY-MM-DD') as day
    from generate_series(0, ${count}::int) n`.execute(db)
  return rows.map(({ day }) => day)
}

const tableOf = (day: string): string => `${stem}${day.slice(0, 4)}m${day.slice(5, 7)}d${day.slice(8, 10)}`

/** False if it is there, or if requests of that day lie in the default partition already: those stay where they are. */
export async function makeDay(db: Db, day: string): Promise<boolean> {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  const [from, to] = [`${day} 00:00:00+00`, `${next} 00:00:00+00`]
  const { rows } = await sql<{ possible: boolean }>`
    select to_regclass(${tableOf(day)}) is null and not exists (
      select 1 from api_requests_default where at >= ${from}::timestamptz and at < ${to}::timestamptz
    ) as possible`.execute(db)
  if (!rows[0]?.possible) return false
  await sql`create table if not exists ${sql.table(tableOf(day))} partition of api_requests
    for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db)
  return true
}

/** Every day that ended before `days` ago, by name. */
export async function oldDays(db: Db, days: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'api_requests'::regclass and c.relname ~ ${`^${stem}\\d{4}m\\d{2}d\\d{2}$`}
      and to_date(substr(c.relname, ${stem.length + 1}), 'YYYY"m"MM"d"DD') < (now() at time zone 'UTC')::date - ${days}::int
    order by c.relname`.execute(db)
  return rows.map(({ name }) => name)
}

export async function dropDay(db: Db, name: string): Promise<void> {
  await sql`drop table if exists ${sql.table(name)}`.execute(db)
}

const piece = 5000

/** What is as old in the default partition, and the counts of these minutes; a piece at a time. True if there may be more. */
export async function deleteOldRows(db: Db, days: number): Promise<boolean> {
  const requests = await sql`
    delete from api_requests_default where (app_id, at, id) in (
      select app_id, at, id from api_requests_default where at < now() - make_interval(days => ${days}::int)
      limit ${piece})`.execute(db)
  const minutes = await sql`
    delete from api_request_minutes where (app_id, minute, caller, client_id) in (
      select app_id, minute, caller, client_id from api_request_minutes
      where minute < now() - make_interval(days => ${days}::int) limit ${piece})`.execute(db)
  const most = BigInt(piece)
  return requests.numAffectedRows === most || minutes.numAffectedRows === most
}
