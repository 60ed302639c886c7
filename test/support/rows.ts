import { sql } from 'kysely'
import type { Db } from '../../src/runtime/db/connection.ts'

/** Every row of every table of ours, as text: for saying what has changed and what has not. */
export type Snapshot = ReadonlyMap<string, readonly string[]>

/** Counters, windows and usage records change with any call; they belong to nobody. */
const shared = new Set(['list_counters', 'rate_windows', 'v1_calls', 'migrations'])

export async function snapshot(db: Db): Promise<Snapshot> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const rows = new Map<string, string[]>()
  for (const { name } of tables.rows) {
    if (shared.has(name)) continue
    const found = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db)
    rows.set(
      name,
      found.rows.map(({ row }) => row),
    )
  }
  return rows
}

/** Rows of `before` that are no longer there as they were. */
export function changedRows(before: Snapshot, after: Snapshot): string[] {
  const changed: string[] = []
  for (const [table, rows] of before) {
    const now = new Set(after.get(table))
    for (const row of rows) if (!now.has(row)) changed.push(`${table}: ${row.slice(0, 300)}`)
  }
  return changed
}

export const columnsOf = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select distinct column_name as name from information_schema.columns where table_schema = 'public' order by 1`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
