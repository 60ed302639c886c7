import { glob, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstEra } from '../src/domain/inbound/eras/era-store.ts'
import { dataPlane } from '../src/runtime/db/citus/data-plane.ts'
import { namesIntegrations, refusals } from './support/citus-refuses.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { type SourceStatement, statementsNaming } from './support/sql-statements.ts'

/** What must stay true so that the data plane can be distributed by integration (docs/decisions). */

let it: TestContext
let statements: SourceStatement[]

beforeAll(async () => {
  it = await createTestContext()
  statements = await statementsNaming(dataPlane)
})
afterAll(() => it.close())

const isData = (table: string): boolean => dataPlane.some((name) => name === table)

interface Key {
  table: string
  kind: 'p' | 'u' | 'f'
  columns: string[]
  target: string | null
  target_columns: string[] | null
}

async function readKeys(): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select c.conrelid::regclass::text as table, c.contype as kind, c.confrelid::regclass::text as target,
      array(select a.attname::text from unnest(c.conkey) with ordinality k(n, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by place) as columns,
      array(select a.attname::text from unnest(c.confkey) with ordinality k(n, place)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by place) as target_columns
    from pg_constraint c where c.connamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'f')
    union all
    select i.indrelid::regclass::text, 'u', null,
      array(select a.attname::text from unnest(i.indkey::int2[]) k(n)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n), null
    from pg_index i where i.indisunique and i.indrelid::regclass::text = any(${[...dataPlane, firstEra]})`.execute(
    it.context.db,
  )
  // On a single node of Citus the shards lie beside their tables.
  const own = rows.filter(({ table }) => !/_\d{6,}$/.test(table))
  return own.map((key) => ({
    ...key,
    table: key.table === firstEra ? 'shop_messages' : key.table.replace(/_era_\d+$/, ''),
  }))
}

describe('every table of the data plane', () => {
  test('is known: it begins with its integration, and refers to nothing of the control plane', async () => {
    const keys = await readKeys()
    const outward = new Set(
      keys.filter(({ kind, target }) => kind === 'f' && !isData(target ?? '')).map(({ table }) => table),
    )
    const keyed = keys.filter(
      ({ table, kind, columns }) => kind === 'p' && columns[0] === 'integration_id' && !outward.has(table),
    )
    const tables = keyed.map(({ table }) => table.replace(/_(y\d+m\d+|default)$/, ''))
    expect([...new Set(tables)].sort()).toEqual([...dataPlane].sort())
  })

  test('has its integration in every key', async () => {
    const keys = (await readKeys()).filter(({ table, kind }) => isData(table) && kind !== 'f')
    expect(new Set(keys.map(({ table }) => table)).size).toBe(dataPlane.length)
    expect(keys.filter(({ columns }) => !columns.includes('integration_id'))).toEqual([])
  })

  test('refers to its own plane only, with the integration on both sides of each key', async () => {
    const references = (await readKeys()).filter(({ kind }) => kind === 'f')
    const inside = references.filter(({ table }) => isData(table))
    const wrong = inside.filter(
      ({ target, columns, target_columns: there }) =>
        !isData(target ?? '') || columns.indexOf('integration_id') !== there?.indexOf('integration_id'),
    )
    expect(wrong).toEqual([])
    expect(inside.length).toBeGreaterThan(5)
    expect(references.filter(({ table, target }) => !isData(table) && isData(target ?? ''))).toEqual([])
  })

  test('has no trigger', async () => {
    const { rows } = await sql`
      select tgrelid::regclass::text as table, tgname as trigger from pg_trigger
      where not tgisinternal and tgrelid::regclass::text = any(${[...dataPlane]})`.execute(it.context.db)
    expect(rows).toEqual([])
  })

  test('has a plain sequence where it counts, and integrations as bigint everywhere', async () => {
    const { rows } = await sql<{ table: string; column: string; type: string; identity: string }>`
      select table_name as table, column_name as column, udt_name as type, is_identity as identity
      from information_schema.columns where table_schema = 'public' and table_name = any(${[...dataPlane]})`.execute(
      it.context.db,
    )
    expect(rows.filter(({ identity }) => identity === 'YES')).toEqual([])
    const integrations = rows.filter(({ column }) => column === 'integration_id')
    expect(integrations.filter(({ type }) => type !== 'int8')).toEqual([])
    expect(integrations).toHaveLength(dataPlane.length)
  })
})

describe('every statement on the data plane', () => {
  test('is found', () => {
    expect(statements.length).toBeGreaterThan(30)
    expect(new Set(statements.flatMap(({ tables }) => tables)).size).toBeGreaterThan(8)
  })

  test('names the integration once for each table in it', () => {
    const short = statements.filter(({ text, whole, tables, where }) => {
      if (!namesIntegrations(whole) && fileOf(where) in allShards) return false
      return (text.match(/integration_?id|\$\{mine\}/gi) ?? []).length < tables.length
    })
    expect(
      short.map(({ where, tables, text }) => `${where} (${tables}): ${text.replace(/\s+/g, ' ').slice(0, 200)}`),
    ).toEqual([])
  })

  test('is none that Citus refuses', () => {
    const refused = statements.flatMap(({ where, whole }) => refusals(whole).map((why) => `${where}: ${why}`))
    expect(refused).toEqual([])
  })

  test('asks one shard, or those of the integrations it names, but for upkeep', () => {
    const everywhere = statements.filter(({ whole }) => !namesIntegrations(whole)).map(({ where }) => fileOf(where))
    expect([...new Set(everywhere)].sort()).toEqual(Object.keys(allShards).sort())
  })

  test('joins no table of the control plane', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${[...dataPlane]})`.execute(
      it.context.db,
    )
    // The names of partitions and shards begin with that of their table.
    const names = rows
      .map(({ name }) => name)
      .filter((name) => !dataPlane.some((table) => name.startsWith(`${table}_`)))
    const control = new RegExp(`\\b(?:from|join)\\s+(?:${names.join('|')})\\b`)
    expect(names).toContain('stock_links')
    expect(statements.filter(({ text }) => control.test(text)).map(({ where }) => where)).toEqual([])
  })
})

async function sourcesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('src/**/*.ts')) {
    if (!path.endsWith('.test.ts') && pattern.test(await readFile(path, 'utf8'))) found.push(path)
  }
  return found
}

describe('nothing in the source', () => {
  test('asks an error for its constraint or table: on Citus these are names of shards', async () => {
    const asking =
      /\b(error|err|cause|e)\??\.(constraint|table)\b|\[['"]constraint['"]\]|\{[^}]*\bconstraint\b[^}]*\} = (error|err)/
    expect(await sourcesWith(asking)).toEqual([])
  })

  test('finds rows by their place on the disk', async () => {
    expect(await sourcesWith(/\bctid\b/)).toEqual([])
  })
})

const fileOf = (where: string): string => where.replace(/:\d+$/, '')

/** What asks every shard, and stops while a node is away. Nobody waits for any of it. */
const allShards: Record<string, string> = {
  'src/domain/inbound/eras/era-store.ts': 'eras of messages begin and are dropped, nightly',
  'src/domain/inbound/inbound-list-store.ts': 'old messages are deleted and emptied, nightly',
  'src/domain/inbound/inbound-store.ts': 'messages are taken in; where distributed, those of one integration at a time',
  'src/domain/logs/log-months-store.ts': 'months of the log are made and dropped, nightly',
  'src/domain/operations/operation-store.ts': 'operations of a month ago are deleted, nightly',
  'src/runtime/db/backup/read-into.ts': 'restoring: keys of shops that are not in the backup',
}
