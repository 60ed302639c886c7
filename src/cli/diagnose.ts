import { X509Certificate } from 'node:crypto'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { currentSigningKey } from '../domain/oauth/signing-keys/signing-keys.ts'
import { countUnsealed } from '../domain/sealing/sealable-store.ts'
import { loadMasterKeys } from '../keys.ts'
import { parseDatabaseAddress } from '../runtime/db/address/database-address.ts'
import { type Database, openDatabase } from '../runtime/db/connection.ts'
import { openEmbeddedPostgres } from '../runtime/db/embedded/embedded.ts'
import { openListener } from '../runtime/db/listener.ts'
import { pendingMigrations } from '../runtime/db/migrate.ts'
import { createLog } from '../runtime/log.ts'
import { createMailer } from '../runtime/mail/mailer.ts'
import { distribution } from './doctor/distribution.ts'
import type { Finding } from './doctor/finding.ts'
import { shops, webhooks } from './doctor/troubles.ts'

const ok = (subject: string, words: string): Finding => ({ level: 'ok', subject, words })
const warning = (subject: string, words: string): Finding => ({ level: 'warning', subject, words })
const problem = (subject: string, words: string): Finding => ({ level: 'problem', subject, words })
const reason = (error: unknown) => (error instanceof Error ? error.message || error.name : String(error))

/** Looks at everything the service needs and says what it found; one thing being broken does not end the search. */
export async function diagnose(): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    return [nodeVersion(), problem('settings', reason(error))]
  }
  return [
    nodeVersion(),
    ok('settings', 'all understood'),
    await dataFolder(config),
    ...certificate(config),
    ...publicAddress(config),
    await port(config),
    await mail(config),
    ...(await database(config)),
  ]
}

function nodeVersion(): Finding {
  const [major = 0] = process.versions.node.split('.').map(Number)
  return major >= 24
    ? ok('node', process.versions.node)
    : warning('node', `${process.versions.node} works, 24 is what we test with`)
}

async function dataFolder(config: Config): Promise<Finding> {
  try {
    await mkdir(config.dataDir, { recursive: true })
    await access(config.dataDir, constants.R_OK | constants.W_OK)
    const { bavail, bsize } = await statfs(config.dataDir)
    const free = Math.floor((bavail * bsize) / 2 ** 20)
    return free < 1024
      ? warning('data folder', `${config.dataDir} has only ${free} MiB left`)
      : ok('data folder', `${config.dataDir}, ${Math.floor(free / 1024)} GiB free`)
  } catch (error) {
    return problem('data folder', `${config.dataDir} cannot be used: ${reason(error)}`)
  }
}

async function mail(config: Config): Promise<Finding> {
  if (!config.mail) return ok('mail', 'no SMTP_URL: links of invitations and for passwords are handed over by people')
  const mailer = createMailer(config.mail)
  try {
    await mailer.check()
    return ok('mail', `goes out through ${new URL(config.mail.url).host}`)
  } catch (error) {
    return problem('mail', reason(error))
  } finally {
    mailer.close()
  }
}

function certificate(config: Config): Finding[] {
  if (!config.tls) return []
  try {
    const { validTo } = new X509Certificate(config.tls.cert)
    const days = Math.floor((Date.parse(validTo) - Date.now()) / 86_400_000)
    if (days < 0) return [problem('TLS', `the certificate ended on ${validTo}`)]
    return [days < 21 ? warning('TLS', `the certificate ends in ${days} days`) : ok('TLS', `valid until ${validTo}`)]
  } catch (error) {
    return [problem('TLS', `TLS_CERT is not a certificate: ${reason(error)}`)]
  }
}

function publicAddress(config: Config): Finding[] {
  const local = /^https?:\/\/(127\.|localhost|\[::1\])/.test(config.publicUrl)
  if (local) return [ok('public address', `${config.publicUrl}, this machine only`)]
  return config.publicUrl.startsWith('https:')
    ? [ok('public address', config.publicUrl)]
    : [problem('public address', `${config.publicUrl} is not https: tokens would travel in the clear`)]
}

async function port(config: Config): Promise<Finding> {
  const taken = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: config.host, port: config.port, timeout: 1000 })
    const done = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', done(true)).on('error', done(false)).on('timeout', done(false))
  })
  return ok('port', `${config.host}:${config.port} ${taken ? 'answers: something is running there' : 'is free'}`)
}

async function database(config: Config): Promise<Finding[]> {
  const log = createLog('silent')
  let embedded: Awaited<ReturnType<typeof openEmbeddedPostgres>> | null = null
  let opened: Database | null = null
  try {
    embedded = config.databaseUrl ? null : await openEmbeddedPostgres({ dataDir: config.dataDir, log })
    const url = config.databaseUrl ?? embedded?.url ?? ''
    opened = openDatabase({ url, max: 1, log, applicationName: 'entrepot-doctor', pooled: config.directUrl !== null })
    const reached = await setting(opened, 'server_version_num')
    const facts = { config, database: opened, url, embedded: embedded !== null, version: Number(reached) }
    const findings: Finding[] = []
    for (const [subject, check] of databaseChecks(facts)) {
      findings.push(await check().catch((error: unknown) => unchecked(subject, error)))
    }
    return findings
  } catch (error) {
    return [problem('database', `cannot be reached: ${reason(error)}`)]
  } finally {
    await opened?.close()
    await embedded?.stop()
  }
}

/** A database that nobody has migrated yet is empty, not broken. */
const unchecked = (subject: string, error: unknown): Finding =>
  /^relation .* does not exist/.test(reason(error))
    ? warning(subject, 'cannot be checked before the schema is there')
    : problem(subject, reason(error))

interface DatabaseFacts {
  config: Config
  database: Database
  url: string
  embedded: boolean
  version: number
}

type DatabaseCheck = [string, () => Promise<Finding>]

function databaseChecks(facts: DatabaseFacts): DatabaseCheck[] {
  const { config, database, url } = facts
  return [
    ['database', () => serverVersion(database, facts)],
    ['role', () => role(database)],
    ['durability', () => durability(database)],
    ...(isOneOfSeveral(url) ? [standbyCheck(database)] : []),
    ['connections', () => connections(database)],
    ['activity', () => activity(database)],
    ['planning', () => planning(database)],
    ['clock', () => clocks(database)],
    ['schema', () => schema(config.directUrl ?? url)],
    ['notifications', () => notifications(database, config.directUrl ?? url)],
    ['writes', () => writes(database)],
    ['distribution', () => distribution((text, values) => database.query(text, values))],
    ['master keys', () => keys(config, database)],
    ['customer data', () => customerData(database)],
    ['shops', () => shops(database.db)],
    ['webhooks', () => webhooks(database.db)],
  ]
}

/** Nothing is lost meanwhile: both forms are read. A dump shows what is left. */
async function customerData({ db }: Database): Promise<Finding> {
  const left = (await countUnsealed(db)).filter(({ rows }) => rows > 0)
  if (left.length === 0) return ok('customer data', 'is sealed')
  const words = left.map(({ table, rows }) => `${rows} in ${table}`).join(', ')
  return warning('customer data', `not sealed yet, which workers do by and by: ${words}`)
}

const setting = async (database: Database, name: string) =>
  (await database.query<{ value: string }>('select current_setting($1) as value', [name]))[0]?.value ?? ''

async function serverVersion(database: Database, facts: { version: number; embedded: boolean }): Promise<Finding> {
  const { version, embedded } = facts
  const words = `PostgreSQL ${await setting(database, 'server_version')}${embedded ? ', embedded' : ''}`
  return version < 150000 ? problem('database', `${words}: 15 or newer is needed`) : ok('database', words)
}

/** Statements that somebody smuggles in may do what the role may. */
async function role(database: Database): Promise<Finding> {
  const [found] = await database.query<{ name: string; super: boolean }>(
    'select rolname as name, rolsuper as super from pg_roles where rolname = current_user',
  )
  return found?.super
    ? warning('role', `${found.name} is a superuser of the database: an ordinary role that owns the database is enough`)
    : ok('role', `${found?.name ?? 'unknown'} is an ordinary role`)
}

async function durability(database: Database): Promise<Finding> {
  const off: string[] = []
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    if ((await setting(database, name)) === 'off') off.push(name)
  }
  return off.length === 0
    ? ok('durability', 'what is committed stays')
    : problem('durability', `${off.join(', ')} off: acknowledged data can be lost in a crash`)
}

const isOneOfSeveral = (url: string): boolean => (parseDatabaseAddress(url)?.urls.length ?? 1) > 1

/** Where another server may take over, what only the first has is lost with it. */
const standbyCheck = (database: Database): DatabaseCheck => [
  'standbys',
  async () =>
    (await setting(database, 'synchronous_standby_names')) === ''
      ? warning(
          'standbys',
          'none has to have what is committed (synchronous_standby_names is empty): if the server is lost, so is what it acknowledged last',
        )
      : ok('standbys', 'one has what is committed before it is acknowledged'),
]

/** Who follows changes relies on it: what is open must be seen (`runtime/db/lists/changes.ts`). */
async function activity(database: Database): Promise<Finding> {
  return (await setting(database, 'track_activities')) === 'on'
    ? ok('activity', 'open transactions can be seen')
    : problem('activity', 'track_activities is off: whoever follows changes may miss some')
}

/** The standard of PostgreSQL is for disks that turn; our lists and searches are planned, and tried, for others. */
async function planning(database: Database): Promise<Finding> {
  const cost = Number(await setting(database, 'random_page_cost'))
  return cost > 2
    ? warning(
        'planning',
        `random_page_cost is ${cost}, which is for disks that turn: on others PostgreSQL reads whole tables where an index would do. Set it to 1.1`,
      )
    : ok('planning', 'expects a disk that finds any page quickly')
}

async function connections(database: Database): Promise<Finding> {
  const maxConnections = Number(await setting(database, 'max_connections'))
  return maxConnections < 50
    ? warning('connections', `the server allows ${maxConnections}; each process of ours uses up to 20`)
    : ok('connections', `the server allows ${maxConnections}`)
}

async function clocks(database: Database): Promise<Finding> {
  const rows = await database.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const apart = Math.abs((rows[0]?.ms ?? 0) - Date.now())
  return apart > 5000
    ? warning('clock', `this machine and the database differ by ${Math.round(apart / 1000)} s`)
    : ok('clock', 'agrees with the database')
}

/** Whether what is said on one connection is heard on another, as all processes of the service rely on. */
async function notifications(database: Database, directUrl: string): Promise<Finding> {
  const say = (channel: string, word: string) => database.query('select pg_notify($1, $2)', [channel, word])
  const listener = openListener({ url: directUrl, log: createLog('silent'), say })
  try {
    await listener.begun
    const zone = await setting(database, 'timezone')
    return zone === 'UTC'
      ? ok('notifications', 'arrive')
      : problem(
          'notifications',
          `arrive, but connections have the time zone ${zone}: start the service once, then restart the pooler`,
        )
  } catch (error) {
    return problem('notifications', reason(error))
  } finally {
    await listener.close()
  }
}

async function writes(database: Database): Promise<Finding> {
  return (await setting(database, 'transaction_read_only')) === 'off'
    ? ok('writes', 'are taken')
    : problem('writes', 'are not taken: this is a standby, or a server that was set to read only')
}

async function schema(url: string): Promise<Finding> {
  const pending = await pendingMigrations(url)
  return pending.length === 0
    ? ok('schema', 'up to date')
    : warning('schema', `${pending.length} migrations to apply: run "entrepot migrate", or start the service`)
}

async function keys(config: Config, database: Database): Promise<Finding> {
  try {
    const ring = await loadMasterKeys(config)
    await currentSigningKey({ db: database.db, keys: ring })
    return ok('master keys', `${ring.map(({ id }) => id).join(', ')}; stored secrets open with them`)
  } catch (error) {
    const words = reason(error)
    if (error instanceof ConfigError) return problem('master keys', words)
    return /does not exist/.test(words)
      ? warning('master keys', 'cannot be tried before the schema is there')
      : problem('master keys', `stored secrets do not open: ${words}`)
  }
}
