import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { connectTo } from './address/connect-to.ts'
import { type Ask, distribute, isDistributed } from './citus/distribute.ts'
import { sqlState } from './database-away.ts'
import { type Migration, readMigrations } from './migration-files.ts'

/** The database and this version of the program do not fit. Shown to the person at the terminal as it is. */
export class MigrationError extends Error {}

const waitForOthersMs = 120_000
/** Well below what a request waits for a connection (2 s): those that queue up behind a migration are late, not refused. */
const lockWaitMs = 500
/** With growing pauses, for about two minutes in all. */
const lockTries = 40

/** Brings the database to the state of the files, and returns the names of those it applied. */
export async function migrate(options: {
  url: string
  log: Log
  folder?: string
  /** The names of those to apply, where that is not all. */
  only?: ReadonlySet<string>
  /** The service will work through a pooler, which drops what a connection is opened with. */
  pooled?: boolean
}): Promise<string[]> {
  const files = await readMigrations(options.folder)
  return await inTurn(options.url, async (client) => {
    const ask = askerOf(client)
    if (await isDistributed(ask)) await client.query(`set citus.multi_shard_modify_mode = 'sequential'`)
    const applied: string[] = []
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now(), needs text)',
    )
    if (!(await knowsNeeds(client))) await client.query('alter table migrations add column if not exists needs text')
    const { pending, ahead } = await compare(client, files)
    if (ahead.length > 0)
      options.log.warn({ migrations: ahead }, 'the database is newer than this program, which can work with it')
    for (const migration of pending.filter(({ name }) => options.only?.has(name) ?? true)) {
      await apply(client, migration)
      options.log.info({ migration: migration.name }, 'migrated')
      applied.push(migration.name)
    }
    if (options.pooled) await keepSettings(client)
    if (await isDistributed(ask)) {
      for (const step of await distribute(ask)) options.log.info({ step }, 'distributed')
    }
    return applied
  })
}

/** Looked at first: even with nothing to add the statement would wait for whoever reads the table, such as a backup of hours. */
async function knowsNeeds(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>(`
    select exists (select from pg_attribute where attrelid = to_regclass('migrations') and attname = 'needs') as known`)
  return rows[0]?.known === true
}

/** On a connection that nobody else migrates or distributes beside. */
const inTurn = <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  onDirectConnection(url, async (client) => {
    await takeTurn(client)
    return await work(client)
  })

const askerOf =
  (client: pg.Client): Ask =>
  async <Row extends object>(text: string, values?: unknown[]) =>
    (await client.query<Row>(text, values)).rows

/** For whoever distributes tables: not while somebody migrates. */
export const askInTurn = <T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> =>
  inTurn(url, (client) => work(askerOf(client)))

/** As `sessionSettings` has them for workers: kept with the role, they reach us through any pooler. */
async function keepSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  for (const [setting, value] of Object.entries(roleSettings)) {
    await client.query(`alter role current_user in database ${rows[0]?.name} set ${setting} = '${value}'`)
  }
}

const roleSettings = {
  timezone: 'UTC',
  statement_timeout: '60s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
}

/** What `migrate` would apply. It throws as that would if the two do not fit. */
export async function pendingMigrations(url: string, folder?: string): Promise<string[]> {
  const files = await readMigrations(folder)
  return await onDirectConnection(url, async (client) => (await compare(client, files)).pending.map(({ name }) => name))
}

async function onDirectConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...connectTo(url),
    application_name: 'entrepot migrate',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Held until the connection closes, so a killed process cannot keep it. */
async function takeTurn(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = ${waitForOthersMs}`)
  try {
    await client.query(`select pg_advisory_lock(hashtext('entrepot migrations'))`)
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error
    throw new MigrationError('Another process is still migrating the database. Try again when it has finished.')
  }
}

interface Comparison {
  pending: Migration[]
  /** Names of what a newer program has done to the database, which this one can work with. */
  ahead: string[]
}

/**
 * A newer program may have been here: during a rolling upgrade, or before it was taken back. What it has added does not
 * matter to us; what it has changed says from which migration on a program understands it.
 */
async function compare(client: pg.Client, files: readonly Migration[]): Promise<Comparison> {
  const applied = await readApplied(client)
  const checksums = new Map(files.map((file) => [file.name, file.checksum]))
  const latest = files.at(-1)?.name ?? ''
  const ahead: string[] = []
  for (const { name, checksum, needs } of applied) {
    const expected = checksums.get(name)
    if (expected === undefined) {
      // What is older than our latest and missing here was never ours: these are two programs, not two versions of one.
      if (name < latest || (needs !== null && needs > latest.slice(0, 4))) {
        throw new MigrationError(
          `The database is newer than this program: it has the migration ${name}, with which this program cannot work. Start the newer one.`,
        )
      }
      ahead.push(name)
    } else if (expected !== checksum) {
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied. Put it back, and add a new one.`,
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  return { pending: files.filter(({ name }) => !done.has(name)), ahead }
}

async function readApplied(client: pg.Client): Promise<{ name: string; checksum: string; needs: string | null }[]> {
  const { rows } = await client.query<{ present: boolean }>(`select to_regclass('migrations') is not null as present`)
  if (!rows[0]?.present) return []
  // Of a database that no program has looked at since there is such a column, nothing is known to be needed.
  const { rows: applied } = await client.query<{ name: string; checksum: string; needs: string | null }>(
    `select name, checksum, to_jsonb(m) ->> 'needs' as needs from migrations m order by name`,
  )
  return applied
}

/** A migration waits only shortly for a lock: behind a waiting one every request to that table would queue up. */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(`set lock_timeout = ${lockWaitMs}`)
  for (let attempt = 1; ; attempt++) {
    try {
      return await (migration.transactional ? applyInTransaction(client, migration) : applyStepwise(client, migration))
    } catch (error) {
      if (sqlState(error) !== '55P03' || attempt >= lockTries) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new MigrationError(`The migration ${migration.name} failed: ${reason}`, { cause: error })
      }
      await sleep(Math.min(100 * 2 ** attempt, 3000))
    }
  }
}

async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of migration.statements) await client.query(statement)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** For what PostgreSQL refuses in a transaction. Such a file must bear to be run again from the start. */
async function applyStepwise(client: pg.Client, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await client.query(statement)
  await record(client, migration)
}

async function record(client: pg.Client, { name, checksum, needs }: Migration): Promise<void> {
  await client.query('insert into migrations (name, checksum, needs) values ($1, $2, $3)', [name, checksum, needs])
}
