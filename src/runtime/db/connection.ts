import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { yieldBackend } from '../threads/yield-processor.ts'
import { connectTo, doubtServer } from './address/connect-to.ts'
import { followPlanes, guardStatement } from './citus/commit-guard.ts'
import { type Ask as AskRows, isDistributed } from './citus/distribute.ts'
import { columnTypes } from './column-types.ts'
import { committed } from './commit/around-commit.ts'
import { isDatabaseAway, sqlState } from './database-away.ts'
import type { Reader } from './lists/paginate.ts'
import { type Ask, isPlanLost, planOnce } from './plans/plan-once.ts'
import { fairConnections } from './pool/fair-connections.ts'
import { patientClient, patientConnections } from './pool/patience.ts'
import { type Connections, readyConnections } from './pool/ready-connections.ts'
import { watchForSilence } from './silence.ts'
import type { Tables } from './tables.gen.ts'
import { bindVault, type Vault } from './vault/bind-vault.ts'

export { isDatabaseAway, isDatabaseBusy, sqlState } from './database-away.ts'

export type Db = Kysely<Tables>

export interface Database {
  /** For reads and single statements. */
  db: Db
  /** Everything in `work` commits together or not at all; a serialisation failure, a deadlock or a plan that no longer fits starts it again. */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>
  pool: pg.Pool
  /** For statements as the lists have them, which are text. */
  reader: Reader
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** Connections at most; 10 by default. */
  max?: number
  /** So many stay open once one has been needed, so that requests find them; by default they come and go with the need. */
  ready?: number
  /** So many are held for one caller at once; by default all. */
  share?: number
  /** What is done for others goes first, also in a PostgreSQL on this machine. */
  yields?: boolean
  /** Shown in pg_stat_activity, behind "entrepot": feeds of changes wait for connections of that name (`lists/changes.ts`). */
  applicationName?: string
  /** 5 s by default, which suits requests; a worker passes 60 s. */
  statementTimeoutMs?: number
  /** How long a statement waits for a row that others hold: 2 s by default. */
  lockTimeoutMs?: number
  /** How long a transaction is left open in which nothing is asked: 10 s by default. */
  idleTransactionMs?: number
  /** How long a connection is waited for: 2 s by default, after which a request is answered with 503. */
  connectTimeoutMs?: number
  /** What customer data is sealed and opened with; whoever reads or writes none needs no keys. */
  vault?: Vault
  /**
   * A pooler stands in between that gives each transaction another connection: nothing may be set on one for longer, and no
   * statement has a name.
   */
  pooled?: boolean
  log: Log
}

export const defaultConnections = 10
const defaultStatementMs = 5000
const defaultConnectMs = 2000

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options)
  const { ready = 0, share = Number.POSITIVE_INFINITY, connectTimeoutMs = defaultConnectMs } = options
  const given = patientConnections(readyConnections(pool, ready), connectTimeoutMs)
  // Nobody else is kept waiting by whoever waits for his own share.
  const connections = fairConnections(pool, given, { share, patienceMs: 5 * connectTimeoutMs })
  // The server's own limit answers first; this one is for a server that does not answer at all.
  const limitMs = (options.statementTimeoutMs ?? defaultStatementMs) + 1000
  const silence = watchForSilence({ url: options.url, limitMs })
  pool.on('connect', silence.add)
  const shards = detectShards(connections)
  const ask = planOnce({ pooled: options.pooled ?? false })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolForKysely(connections, ask, shards) }) })
  const reader: Reader = {
    isOneServer: shards.isOneServer,
    query: <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
      onClient(connections, (client) => ask<Row>(client, text, values)),
  }
  if (options.vault) bindVault(options.vault, db, reader, pool)
  return {
    db,
    pool,
    reader,
    transaction: (work) => transaction(db, shards, work),
    query: async <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
      (await reader.query<Row>(text, values)).rows,
    async close() {
      silence.close()
      await db.destroy()
      await pool.end()
    },
  }
}

function openPool(options: DatabaseOptions): pg.Pool {
  const {
    url,
    max = defaultConnections,
    ready = 0,
    applicationName = 'entrepot',
    statementTimeoutMs = defaultStatementMs,
    lockTimeoutMs = 2000,
    idleTransactionMs = 10_000,
    log,
  } = options
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectMs
  const way = connectTo(url, { patienceMs: connectTimeoutMs / 2 })
  const pool = new pg.Pool({
    ...way,
    // What the address says takes precedence, so it is seen to there as well.
    connectionString: way.connectionString.replace(/([?&]application_name=)(?!entrepot)/, '$1entrepot%20'),
    max,
    min: Math.min(ready, max),
    application_name: applicationName.startsWith('entrepot') ? applicationName : `entrepot ${applicationName}`,
    Client: patientClient(pg.Client, connectTimeoutMs),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    ...(!options.pooled && {
      options: sessionSettings({
        statement_timeout: statementTimeoutMs,
        idle_in_transaction_session_timeout: idleTransactionMs,
        lock_timeout: lockTimeoutMs,
      }),
    }),
    types: columnTypes,
  })
  // An 'error' event without a listener ends the process. The pool listens to idle clients only, hence both.
  pool.on('error', () => undefined)
  pool.on('release', (error) => {
    // Also after a server has said that it no longer takes writes.
    if (isBroken(error)) doubtServer(url)
  })
  pool.on('connect', (client) => {
    if (options.yields) yieldTo(client)
    client.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  })
  return pool
}

/** Of a connection that has just been opened; pg declares neither what it knows of the server's process nor its socket. */
function yieldTo(client: pg.PoolClient): void {
  const { processID, connection } = client as unknown as { processID?: number; connection?: { stream?: Socket } }
  if (processID) yieldBackend(processID, connection?.stream?.localPort)
}

/** How a connection is given back with which something is wrong. */
const isBroken = (how: unknown): boolean => how === true || isDatabaseAway(how)

/**
 * A server whose client the network has lost keeps the connection, and what it has locked, for hours unless it is configured to
 * look after it. So it finds out within a minute.
 */
const deadPeers = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
}

/** Sent when the connection opens, so that they cost no round trip and no connection can be without them. */
export const sessionSettings = (settings: Record<string, string | number>): string =>
  Object.entries({ ...deadPeers, timezone: 'UTC', ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** The pool's own `query` closes the connection after any error, even a duplicate key; this only after a lost one. */
async function onClient<T>(connections: Connections, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connections.take()
  let broken = false
  try {
    return await work(client)
  } catch (error) {
    broken = isDatabaseAway(error)
    throw error
  } finally {
    client.release(broken)
  }
}

/** Whether the data plane is distributed. */
interface Shards {
  known: boolean
  learn(): Promise<void>
  /** Asks if nobody has; until the answer is there, it may be. */
  isOneServer(): boolean
}

/** Kysely gives every client back as healthy. After a client-side timeout it is not: its query still runs. */
function poolForKysely(connections: Connections, ask: Ask, shards: Shards) {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await connections.take()
      const watched = known.get(client) ?? watch(client, ask, shards)
      known.set(client, watched)
      return watched
    },
    // Kysely ends a pool only after having used it; close() always does.
    end: async () => undefined,
    options: {},
  }
}

function watch(client: pg.PoolClient, ask: Ask, shards: Shards): PostgresPoolClient {
  let broken = false
  const isGuarded = followPlanes()
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      if (shards.known && isGuarded(text)) await client.query(guardStatement)
      return await ask(client, text, values)
    } catch (error) {
      broken = isDatabaseAway(error)
      throw error
    }
  }
  return Object.assign(Object.create(client), { query, release: () => client.release(broken) })
}

const attempts = 3

async function transaction<T>(db: Db, shards: Shards, work: (trx: Db) => Promise<T>): Promise<T> {
  await shards.learn()
  for (let attempt = 1; ; attempt++) {
    try {
      return await committed(db, work)
    } catch (error) {
      if (attempt >= attempts || !canStartAgain(error)) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

function canStartAgain(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01' || isPlanLost(error)
}

/** Asked once, before the first transaction; asked again only if the answer did not come. */
function detectShards(connections: Connections): Shards {
  let answer: Promise<boolean> | undefined
  const ask: AskRows = async <Row extends object>(text: string, values?: unknown[]) =>
    (await onClient(connections, (client) => client.query<Row>(text, values))).rows
  let isLearned = false
  const shards: Shards = {
    known: false,
    async learn() {
      answer ??= isDistributed(ask)
      answer.catch(() => {
        answer = undefined
      })
      shards.known = await answer
      isLearned = true
    },
    isOneServer() {
      if (!isLearned && !answer) shards.learn().catch(() => undefined)
      return isLearned && !shards.known
    },
  }
  return shards
}
