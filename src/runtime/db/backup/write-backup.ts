import type { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { connectTo } from '../address/connect-to.ts'
import { sessionSettings } from '../connection.ts'
import { type CopiedTable, readCatalogue } from './catalogue.ts'
import type { Frame } from './frames.ts'

/** What customer data is sealed with: kept apart, and for a shorter time, it lets a backup be erased. */
export const keyTable = 'privacy_keys'

/** Jobs that have not been done: pg-boss has a schema of its own, which it makes by itself. */
export const jobTable = { name: 'pgboss.job', waiting: `state < 'completed'` }

export const backupVersion = 1

export interface BackupOptions {
  url: string
  /** Which of it: all, all but the keys of customer data, or these alone. */
  part: 'all' | 'without keys' | 'keys'
  onTable?: (name: string, bytes: number) => void
}

/**
 * Everything as it was at one moment, whoever writes meanwhile: all tables, the place of every sequence, the partitions
 * there are, and the jobs that wait. No master keys.
 */
export async function* readBackup({ url, part, onTable }: BackupOptions): AsyncGenerator<Frame> {
  const client = new pg.Client({
    ...connectTo(url),
    application_name: 'entrepot backup',
    options: sessionSettings({ statement_timeout: 0, idle_in_transaction_session_timeout: 0 }),
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const { tables: all, ...catalogue } = await readCatalogue(client)
    const tables = all.filter(({ name }) => part === 'all' || (name === keyTable) === (part === 'keys'))
    if (part !== 'keys') tables.push(await describeJobs(client))
    const { rows } = await client.query<{ at: string }>('select now()::text as at')
    yield line({ entrepot: backupVersion, part, at: rows[0]?.at, ...catalogue, tables: tables.map(({ name }) => name) })
    for (const table of tables) {
      yield line({ table: table.name, columns: table.columns })
      let bytes = 0
      for await (const piece of client.query(copyTo(copyStatement(table))) as Readable) {
        bytes += piece.length
        yield { kind: 'data', bytes: piece }
      }
      onTable?.(table.name, bytes)
    }
    yield line({ whole: true })
  } finally {
    await client.end()
  }
}

const line = (value: object): Frame => ({ kind: 'line', value })

export const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => pg.escapeIdentifier(part))
    .join('.')

const copyStatement = ({ name, columns }: CopiedTable): string => {
  const list = columns.map(quoted).join(', ')
  const which = name === jobTable.name ? ` where ${jobTable.waiting}` : ''
  return `copy (select ${list} from ${quoted(name)}${which}) to stdout`
}

async function describeJobs(client: pg.Client): Promise<CopiedTable> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped
       and attgenerated = '' order by attnum`,
    [jobTable.name],
  )
  return { name: jobTable.name, columns: rows.map(({ column }) => column) }
}
