import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/**
 * Events, deliveries and attempts lie in ranges of ids (partitions), which follow each other in time. Attempts lie in the
 * ranges of their deliveries.
 */
export const ranged = {
  webhook_events: ['webhook_events'],
  webhook_deliveries: ['webhook_attempts', 'webhook_deliveries'],
} as const
export type Ranged = keyof typeof ranged

export interface Range {
  /** What its tables are called behind their stem. */
  name: string
  /** Ids from here, 0 where it has no beginning, to below `end`. */
  begin: number
  end: number
}

/** In order, without the partition that takes what belongs nowhere else. */
export async function readRanges(db: Db, table: Ranged): Promise<Range[]> {
  const { rows } = await sql<Range>`
    select substr(c.relname, ${table.length + 2}::int) as name,
      coalesce((regexp_match(bound, 'FROM \\(''?(\\d+)'))[1], '0')::bigint as begin,
      (regexp_match(bound, 'TO \\(''?(\\d+)'))[1]::bigint as end
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound offset 0) b
    where i.inhparent = ${table}::regclass and bound <> 'DEFAULT'
    order by 3`.execute(db)
  return rows
}

const measuredIds = 1_000_000

/** The last id that was given out, and those of an hour, as it has gone lately. */
export async function readPace(db: Db, table: Ranged): Promise<{ reached: number; perHour: number }> {
  const { rows } = await sql<{ reached: number; perHour: number }>`
    select coalesce(pg_sequence_last_value(${`${table}_id_seq`}::regclass), 0) as reached,
      coalesce((
        select ceil((newest.id - lately.id) / greatest(1, extract(epoch from now() - lately.created_at) / 3600))
        from (select max(id) as id from ${sql.table(table)}) newest, lateral (
          select id, created_at from ${sql.table(table)} where id >= newest.id - ${measuredIds} order by id limit 1) lately
      ), 0)::bigint as "perHour"`.execute(db)
  return rows[0] ?? { reached: 0, perHour: 0 }
}

export async function makeRange(db: Db, table: Ranged, { name, begin, end }: Range): Promise<void> {
  for (const each of ranged[table]) {
    // Deliveries change a few times: room beside them keeps that out of the indexes.
    const room = each === 'webhook_deliveries' ? sql`with (fillfactor = 80)` : sql``
    await sql`create table if not exists ${sql.table(`${each}_${name}`)} partition of ${sql.table(each)}
      for values from (${sql.lit(begin)}) to (${sql.lit(end)}) ${room}`.execute(db)
  }
}

export async function dropRange(db: Db, table: Ranged, { name }: Range): Promise<void> {
  for (const each of ranged[table]) await sql`drop table if exists ${sql.table(`${each}_${name}`)}`.execute(db)
}

/** For how many days its newest row has been there; null if it has none. */
export async function ageOf(db: Db, table: Ranged, { name }: Range): Promise<number | null> {
  const { rows } = await sql<{ days: number }>`
    select (extract(epoch from now() - created_at) / 86400)::float8 as days
    from ${sql.table(`${table}_${name}`)} order by id desc limit 1`.execute(db)
  return rows[0]?.days ?? null
}
