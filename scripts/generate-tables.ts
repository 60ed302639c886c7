import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../src/runtime/db/connection.ts'
import { openEmbeddedPostgres } from '../src/runtime/db/embedded/embedded.ts'
import { migrate } from '../src/runtime/db/migrate.ts'
import { readMigrations } from '../src/runtime/db/migration-files.ts'
import { createLog } from '../src/runtime/log.ts'
import { type Follows, headed, isFresh } from './generated-head.ts'

const log = createLog('warn')

const path = 'src/runtime/db/tables.gen.ts'

const follows = async (): Promise<Follows> => ({
  from: 'the migrated database',
  inputs: [
    ...(await readMigrations()).map(({ name, checksum }) => `${name} ${checksum}`),
    await readFile(import.meta.filename, 'utf8'),
  ],
})

/** Whether generating would change nothing, found out without a database. */
export const areTablesFresh = async (): Promise<boolean> => await isFresh(path, await follows())

/** The types of all tables, read from a scratch database after all migrations. */
export async function generateTables() {
  const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-generate-'))
  const postgres = await openEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
  try {
    await migrate({ url: postgres.url, log })
    const database = openDatabase({ url: postgres.url, log })
    const columns = await readColumns(database).finally(database.close)
    const body = render(columns)
    return { path, text: headed(await follows(), body) }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface Column {
  table: string
  name: string
  /** The internal name; an array's begins with an underscore. */
  type: string
  required: boolean
  /** Filled by the database if we do not. */
  filled: boolean
  /** Filled by the database only: we may not. */
  generated: boolean
}

const readColumns = (database: Database): Promise<Column[]> =>
  database.query<Column & Record<string, unknown>>(`
    select c.relname as table, a.attname as name, t.typname as type, a.attnotnull as required,
      a.atthasdef or a.attidentity <> '' as filled, a.attidentity = 'a' or a.attgenerated <> '' as generated
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'migrations'
    order by c.relname, a.attnum`)

const typeNames: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  json: 'JsonValue',
  jsonb: 'JsonValue',
}

function typeOf(column: Column): string {
  const { type, required, filled, generated } = column
  const orNull = (name: string) => (required ? name : `${name} | null`)
  if (type === 'json' || type === 'jsonb') {
    const written = orNull('JsonInput')
    const inserted = filled || !required ? `${written} | undefined` : written
    return `ColumnType<${orNull('JsonValue')}, ${inserted}, ${written}>`
  }
  const single = typeNames[type.replace(/^_/, '')] ?? 'string'
  const value = orNull(type.startsWith('_') ? `${single}[]` : single)
  if (generated) return `GeneratedAlways<${value}>`
  return filled ? `Generated<${value}>` : value
}

const interfaceName = (table: string): string =>
  `${table.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())}Table`

function render(columns: readonly Column[]): string {
  const tables = Object.entries(Object.groupBy(columns, (column) => column.table)).map(([name, own = []]) => ({
    name,
    lines: own.map((column) => `  ${column.name}: ${typeOf(column)}`),
  }))
  const interfaces = tables.map(
    ({ name, lines }) => `export interface ${interfaceName(name)} {\n${lines.join('\n')}\n}\n`,
  )
  const index = tables.map(({ name }) => `  ${name}: ${interfaceName(name)}`)
  return [
    `\nimport type { ColumnType, Generated, GeneratedAlways } from 'kysely'\n`,
    'export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }\n',
    `/** JSON as text, or an object. Never an array as it is: the driver would send PostgreSQL's own kind of array. */`,
    'export type JsonInput = string | { readonly [key: string]: unknown }\n',
    ...interfaces,
    `export interface Tables {\n${index.join('\n')}\n}\n`,
  ].join('\n')
}
