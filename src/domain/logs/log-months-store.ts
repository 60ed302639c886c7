import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** Months are partitions: made ahead, dropped whole. Names carry the month, so that they can be distinguished again. */

const stem = 'integration_logs_y'

/** The month of today and the ones after it, as the first day of each. */
export async function monthsAhead(db: Db, count: number): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(date_trunc('month', now()) + make_interval(months => n), 'YYYY-MM-DD') as month
    from generate_series(0, ${count}::int) n`.execute(db)
  return rows.map(({ month }) => month)
}

const tableOf = (month: string): string => `${stem}${month.slice(0, 4)}m${month.slice(5, 7)}`

/**
 * False if it is there, or if entries of that month lie in the default partition already: those stay where they are,
 * because moving them would lock the table for as long as it takes.
 */
export async function makeMonth(db: Db, month: string): Promise<boolean> {
  const { rows } = await sql<{ possible: boolean }>`
    select to_regclass(${tableOf(month)}) is null and not exists (
      select 1 from integration_logs_default where at >= ${month}::date and at < ${month}::date + interval '1 month'
    ) as possible`.execute(db)
  if (!rows[0]?.possible) return false
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`
  await sql`create table if not exists ${sql.table(tableOf(month))} partition of integration_logs
    for values from (${sql.lit(`${month} 00:00:00+00`)}) to (${sql.lit(`${next} 00:00:00+00`)})`.execute(db)
  return true
}

/** Drops every month that ended before `months` ago, and what is as old in the default partition. */
export async function dropOldMonths(db: Db, months: number): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'integration_logs'::regclass and c.relname ~ ${`^${stem}\\d{4}m\\d{2}$`}
      and to_date(substr(c.relname, ${stem.length + 1}), 'YYYY"m"MM') < date_trunc('month', now()) - make_interval(months => ${months}::int)`.execute(
    db,
  )
  for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(db)
  await sql`delete from integration_logs_default
    where at < date_trunc('month', now()) - make_interval(months => ${months}::int)`.execute(db)
  return rows.length
}
