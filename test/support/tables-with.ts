import { sql } from 'kysely'
import type { Db } from '../../src/runtime/db/connection.ts'

/** The tables of the whole database that hold one of the words, as text or as bytes: what a dump of it would show. */
export async function tablesWith(db: Db, ...words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db)
  const wanted = words.flatMap((word) => [word, Buffer.from(word).toString('hex')])
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.raw(name)} one cross join lateral (select lower(one::text) as text) t
      where exists (select from unnest(${wanted}::text[]) word where strpos(t.text, word) > 0) limit 1`.execute(db)
    if (rows.length > 0) found.push(name.replace(/^public\.|_y\d+m\d+$/g, ''))
  }
  return [...new Set(found)]
}
