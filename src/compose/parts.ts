import type { Config } from '../config.ts'
import type { DemoShops } from '../demo/demo-shops.ts'
import type { Context, InThread } from '../domain/context.ts'
import type { RecorderOptions } from '../domain/requests/record-requests.ts'
import type { KeyRing } from '../lib/secret-box.ts'
import { type Database, type DatabaseOptions, defaultConnections, openDatabase } from '../runtime/db/connection.ts'
import { type Listener, openListener } from '../runtime/db/listener.ts'
import { listenForDestroyedKeys, type Vault } from '../runtime/db/vault/vault.ts'
import type { Queue } from '../runtime/jobs/queue.ts'
import type { Log } from '../runtime/log.ts'
import type { Figures, Metrics } from '../runtime/metrics.ts'

export type Patience = Pick<
  DatabaseOptions,
  'statementTimeoutMs' | 'lockTimeoutMs' | 'idleTransactionMs' | 'connectTimeoutMs'
>

/** Settings in: what a program is put together from. */
export interface ComposeOptions {
  config: Pick<Config, 'publicUrl' | 'tls' | 'trustProxy' | 'egressAllow' | 'rateLimits'> &
    Partial<
      Pick<
        Config,
        | 'webhookAllow'
        | 'quotas'
        | 'egressRoutes'
        | 'demo'
        | 'personalDataDays'
        | 'telemetry'
        | 'connectionsPerAddress'
        | 'metricsToken'
        | 'idempotencyMegabytes'
        | 'auditDays'
        | 'requestLogDays'
        | 'mail'
        | 'directUrl'
        | 'connections'
        | 'runSlots'
      >
    >
  databaseUrl: string
  /** Asked for the proof of a domain; the machine's own where it is missing. */
  nameServers?: readonly string[]
  /** How many calls of a second are kept in the request log, where that is not as many as usual. */
  requestRoom?: RecorderOptions['room']
  /** How long requests wait for the database, where that is not as long as usual. */
  patience?: Patience
  keys: KeyRing
  log: Log
  /** The shops of demos, where whoever wires wants a hand in them. */
  demoShops?: Pick<DemoShops, 'around'>
  /** Another thread, which reads shops for requests. */
  apart?: InThread & { figures(): Promise<Figures> }
  /** Whether it stands for the whole process, and says how that fares. */
  ofProcess?: boolean
  /** Answers requests. */
  serves: boolean
  /** Runs jobs. */
  works: boolean
}

/** What all of a program shares, and how it is closed: in reverse, since what was opened last depends on the first. */
export interface Parts {
  options: ComposeOptions
  context: Context
  database: Database
  opening: Opening & { vault: Vault }
  queue: Queue
  metrics: Metrics
  listeners: Listener[]
  /** By the name under which metrics show them. */
  pools: Map<string, Database>
  closing: (() => Promise<void> | void)[]
}

/** How every database of a program is opened. */
type Opening = Pick<DatabaseOptions, 'url' | 'log' | 'vault' | 'pooled' | 'max'> & Patience

export const maxOf = ({ config: { connections } }: ComposeOptions, pool: 'requests' | 'jobs') =>
  connections ? { max: connections[pool] } : {}

/** They are there before somebody needs them, and no caller holds more than a third. */
export function openRequestDatabase(options: ComposeOptions, opening: Opening): Database {
  const { max = defaultConnections } = maxOf(options, 'requests')
  const share = Math.max(2, Math.floor(max / 3))
  return openDatabase({ ...opening, max, ready: max, share, applicationName: 'entrepot-api' })
}

export const openWorkerDatabase = (opening: Opening) =>
  openDatabase({
    ...opening,
    applicationName: 'entrepot-worker',
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 10_000,
    yields: true,
  })

/** Past a pooler, where there is one. */
export const directUrlOf = ({ databaseUrl, config }: ComposeOptions): string => config.directUrl ?? databaseUrl

export function listen({ options, listeners, opening }: Parts, { query }: Database): Listener {
  const say = (channel: string, word: string) => query('select pg_notify($1, $2)', [channel, word])
  const listener = openListener({ url: directUrlOf(options), log: options.log, say })
  listeners.push(listener)
  listenForDestroyedKeys(opening.vault, listener)
  return listener
}
