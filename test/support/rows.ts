import { type RawBuilder, sql } from 'kysely'
import { chunks } from '../../src/lib/chunks.ts'
import type { Db } from '../../src/runtime/db/connection.ts'

/** Every row of every table of ours, as text: for saying what has changed and what has not. */
export type Snapshot = ReadonlyMap<string, readonly string[]>

/** Counters, windows, turns, usage records and signs of life change with any call, or by themselves; they belong to nobody. */
const shared = new Set(['list_counters', 'rate_windows', 'run_turns', 'v1_calls', 'migrations', 'heartbeats'])

/** Of these it is written a little later when they were used. */
const lastUsed = new Set(['access_tokens', 'console_sessions'])

export async function snapshot(db: Db): Promise<Snapshot> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const rows = new Map<string, string[]>()
  for (const { name } of tables.rows) {
    if (shared.has(name)) continue
    const row = lastUsed.has(name) ? sql`to_jsonb(t) - '{last_used_at,address,agent}'::text[]` : sql`t`
    const found = await sql<{ row: string }>`select (${row})::text as row from ${sql.table(name)} t`.execute(db)
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

export interface Column {
  table: string
  column: string
  type: string
  /** The text of the default, null where there is none. */
  usual: string | null
}

const known = new WeakMap<Db, Promise<Column[]>>()

/** Every column of every table; asked once of each database, because the catalogue answers slowly. */
export function columnsOf(db: Db): Promise<Column[]> {
  const columns =
    known.get(db) ??
    sql<Column>`
      select c.table_name as table, c.column_name as column, c.udt_name as type, c.column_default as usual
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, c.ordinal_position`
      .execute(db)
      .then(({ rows }) => rows)
  known.set(db, columns)
  return columns
}

/** How many rows there are, and of how many it is so, for each of these columns: every table is read once for all of its own. */
export async function countRows(
  db: Db,
  columns: readonly Column[],
  holds: (column: Column) => RawBuilder<unknown>,
): Promise<(Column & { yes: number; rows: number })[]> {
  const tables = Map.groupBy(columns, ({ table }) => table)
  const looks = [...tables].map(([table, own]) => {
    const counts = own.map((column) => sql`count(*) filter (where ${holds(column)})`)
    return sql`select ${table}::text as table, count(*)::int as rows, array[${sql.join(counts)}]::int[] as counts
      from ${sql.table(table)}`
  })
  const found = await allOf<{ table: string; rows: number; counts: number[] }>(db, looks)
  return found.flatMap(({ table, rows, counts }) =>
    (tables.get(table) ?? []).map((column, n) => ({ ...column, yes: counts[n] ?? 0, rows })),
  )
}

/**
 * The rows of all these questions, some tables at a time: a statement about all of them is too long for its plan to be kept, and planning
 * it is most of what it costs.
 */
export async function allOf<Row>(db: Db, questions: readonly RawBuilder<unknown>[]): Promise<Row[]> {
  const found: Row[] = []
  for (const some of chunks(questions, 25)) {
    const { rows } = await sql<Row>`${sql.join([...some], sql` union all `)}`.execute(db)
    found.push(...rows)
  }
  return found
}
