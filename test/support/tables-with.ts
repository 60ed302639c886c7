import { createDecipheriv } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import type { RecordKey } from '../../src/lib/sealing/record-box.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import { keysForOpening } from '../../src/runtime/db/vault/vault.ts'

interface Table {
  name: string
  /** What it is a part of; its own name where it is whole. */
  root: string
  /** Columns that are sealed with the key of an integration. */
  sealed: string[]
}

async function tablesOf(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select c.oid::regclass::text as name, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as root, array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and not a.attisdropped
        and (a.attname = 'remote_record' or a.attname like 'private%') and a.attname <> 'private_key') as sealed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`.execute(db)
  return rows
}

async function namesOf(tables: readonly Table[], holds: (table: Table) => Promise<boolean>): Promise<string[]> {
  const found = new Set<string>()
  for (const table of tables) if (await holds(table)) found.add(table.root)
  return [...found].sort()
}

/** The tables of the whole database that hold one of the words, as text or as bytes: what a dump of it would show. */
export const clearTablesWith = async (db: Db, ...words: readonly string[]): Promise<string[]> =>
  await namesOf(await tablesOf(db), (table) => showsOne(db, table, words))

/** The same for whoever has the dump and all keys. */
export const tablesWith = async (db: Db, ...words: readonly string[]): Promise<string[]> =>
  await namesOf(
    await tablesOf(db),
    async (table) => (await showsOne(db, table, words)) || (await holdsSealed(db, table, words)),
  )

async function showsOne(db: Db, { name }: Table, words: readonly string[]): Promise<boolean> {
  const wanted = words.flatMap((word) => [word, Buffer.from(word).toString('hex')])
  const { rows } = await sql`
    with lines as materialized (select lower(one::text) as text from ${sql.raw(name)} one)
    select 1 as found from lines
    where exists (select from unnest(${wanted}::text[]) word where strpos(lines.text, word) > 0) limit 1`.execute(db)
  return rows.length > 0
}

async function holdsSealed(db: Db, { name, sealed }: Table, words: readonly string[]): Promise<boolean> {
  if (sealed.length === 0) return false
  const { rows: owners } = await sql<{ id: number }>`select integration_id as id from privacy_keys`.execute(db)
  const keys = [
    ...(
      await keysForOpening(
        db,
        owners.map(({ id }) => id),
      )
    ).values(),
  ]
  for (const column of sealed) {
    const { rows } = await sql<{ bytes: Buffer }>`
      select ${sql.ref(column)} as bytes from ${sql.raw(name)} where ${sql.ref(column)} is not null`.execute(db)
    const texts = rows.map(({ bytes }) => readAnyhow(keys, bytes).toLowerCase())
    if (texts.some((text) => words.some((word) => text.includes(word)))) return true
  }
  return false
}

/** With whichever key it is, and without asking whether it belongs there, as an intruder would. */
function readAnyhow(keys: readonly RecordKey[], bytes: Buffer): string {
  const key = keys.find(({ mark }) => mark.equals(bytes.subarray(1, 5)))
  if (!key) return ''
  const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(5, 17))
  const body = decipher.update(bytes.subarray(17, -16))
  return (bytes[0] === 2 ? zstdDecompressSync(body) : body).toString()
}
