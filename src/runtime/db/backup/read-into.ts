import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connectTo } from '../address/connect-to.ts'
import { sessionSettings } from '../connection.ts'
import type { Catalogue } from './catalogue.ts'
import { BackupError, type Frame } from './frames.ts'
import { backupVersion, keyTable, quoted } from './write-backup.ts'

/**
 * Numbers that were given out after the backup was made are not given out again: whoever has noted down the number of an
 * order never finds another order under it.
 */
export const skippedNumbers = 1_000_000

export interface BackupHead extends Omit<Catalogue, 'tables'> {
  entrepot: number
  part: 'all' | 'without keys' | 'keys'
  /** When everything was as it says. */
  at: string
  tables: readonly string[]
}

export interface RestoreOptions {
  url: string
  frames: AsyncGenerator<Frame>
  /** Makes the tables as they were when the backup was made. */
  prepare(head: BackupHead): Promise<void>
  onTable?: (name: string, bytes: number) => void
}

/** Puts a backup into an empty database: all of it, or nothing. */
export async function restoreBackup({ url, frames, prepare, onTable }: RestoreOptions): Promise<BackupHead> {
  const head = readHead((await frames.next()).value)
  await prepare(head)
  const client = await connect(url)
  try {
    await client.query('begin')
    // Of Citus: shard by shard, as tables that refer to each other have to be changed there.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    const references = await dropReferences(client, head.part === 'keys' ? keyTable : null)
    if (head.part === 'keys') await client.query(`truncate ${quoted(keyTable)}`)
    else await clear(client, head)
    await copyTables(client, frames, onTable)
    if (head.part === 'keys') await dropStrangers(client)
    else await finish(client, head)
    for (const { table, name, words } of references) {
      await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${words}`)
    }
    await client.query('commit')
    await client.query('analyze')
    return head
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectTo(url),
    application_name: 'entrepot restore',
    options: sessionSettings({ statement_timeout: 0, idle_in_transaction_session_timeout: 0 }),
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** The same in a database that was brought back to an earlier moment as a whole, by PostgreSQL itself. */
export async function skipNumbers(url: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $1::bigint)
      from pg_sequences where schemaname = 'public'`,
      [skippedNumbers],
    )
  } finally {
    await client.end()
  }
}

function readHead(frame: Frame | undefined): BackupHead {
  const value = frame?.kind === 'line' ? frame.value : null
  if (typeof value !== 'object' || value === null || !('entrepot' in value)) {
    throw new BackupError('This is not a backup of Entrepot.')
  }
  if (value.entrepot !== backupVersion)
    throw new BackupError('The backup was made by a newer version. Restore it with that one.')
  return value as BackupHead
}

interface Reference {
  table: string
  name: string
  words: string
}

/** Tables refer to each other in circles: that all of it fits is looked at when all of it is there. `only`: those of one table. */
async function dropReferences(client: pg.Client, only: string | null): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as words
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace
      and c.relname = coalesce($1, c.relname)`,
    [only],
  )
  for (const { table, name } of rows) await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  return rows
}

/** Keys are written a while after the rest: those of shops that were connected in between open nothing that is here. */
async function dropStrangers(client: pg.Client): Promise<void> {
  await client.query(`
    delete from ${quoted(keyTable)} k
    where not exists (select from integration_state s where s.integration_id = k.integration_id)`)
}

/** What migrations have put there goes as well: the backup has its own. Counting is in it, so nothing counts meanwhile. */
async function clear(client: pg.Client, { tables, partitions }: BackupHead): Promise<void> {
  const { rows } = await client.query<{ filled: boolean }>(
    'select exists (select from users) or exists (select from apps) as filled',
  )
  if (rows[0]?.filled) throw new BackupError('The database is not empty. Restore into one that nobody has used.')
  for (const name of await triggered(client)) await client.query(`alter table ${quoted(name)} disable trigger user`)
  await client.query(`truncate ${ownTables(tables).map(quoted).join(', ')} cascade`)
  for (const { name, parent, bound, keys = [] } of partitions) {
    const own = keys.length > 0 ? `(${keys.join(', ')})` : ''
    await client.query(`create table if not exists ${quoted(name)} partition of ${quoted(parent)} ${own} ${bound}`)
  }
}

const ownTables = (tables: readonly string[]) => tables.filter((name) => !name.includes('.'))

/** Tables with triggers of ours. None is distributed: Citus takes no word about triggers of those that are. */
async function triggered(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'public'::regnamespace`)
  return rows.map(({ name }) => name)
}

async function finish(client: pg.Client, { sequences }: BackupHead): Promise<void> {
  for (const name of await triggered(client)) await client.query(`alter table ${quoted(name)} enable trigger user`)
  for (const { name, last } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint + $3)', [quoted(name), last, skippedNumbers])
  }
}

async function copyTables(
  client: pg.Client,
  frames: AsyncGenerator<Frame>,
  onTable: RestoreOptions['onTable'],
): Promise<void> {
  let table: { name: string; bytes: number; into: ReturnType<typeof copyFrom>; done: Promise<unknown> } | null = null
  const end = async () => {
    if (!table) return
    table.into.end()
    await table.done
    onTable?.(table.name, table.bytes)
    table = null
  }
  for await (const frame of frames) {
    if (frame.kind === 'data') {
      if (!table) throw new BackupError('The backup is damaged: data that belongs to no table.')
      table.bytes += frame.bytes.length
      if (!table.into.write(frame.bytes)) await Promise.race([once(table.into, 'drain'), table.done])
      continue
    }
    await end()
    const value = Object(frame.value)
    if (value.whole === true) return
    const { table: name, columns }: { table: string; columns: readonly string[] } = value
    const into = client.query(copyFrom(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`))
    const done = once(into, 'finish')
    done.catch(() => undefined)
    table = { name, bytes: 0, into, done }
  }
  throw new BackupError('The backup ends in the middle: it is not whole. Nothing was restored.')
}
