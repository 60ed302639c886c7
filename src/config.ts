import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultQuotas, type Quota } from './domain/quota-store.ts'
import { defaultRequestDays } from './domain/requests/api-request.ts'
import { isHostEntry } from './lib/addresses/public-address.ts'
import type { KeyRing, MasterKey } from './lib/secret-box.ts'
import { parseDatabaseAddress } from './runtime/db/address/database-address.ts'
import { type EgressRoutes, readEgressRoute } from './runtime/egress/egress-routes.ts'
import type { MailSettings } from './runtime/mail/mailer.ts'

/** The environment, read once and turned into something typed. A wrong value stops the start with one clear sentence. */
export interface Config {
  host: string
  port: number
  /** Where the outside world reaches us; links in answers are built from it, never from the Host header. */
  publicUrl: string
  role: Role
  processes: number
  dataDir: string
  /** null: run the PostgreSQL that comes with us, in the data folder. */
  databaseUrl: string | null
  /** The same database past a pooler, for what needs a connection of its own; null: there is no pooler in between. */
  directUrl: string | null
  /** Connections at most: for requests, and for jobs. */
  connections: { requests: number; jobs: number }
  /** Runs of integrations at the same time in one worker. */
  runSlots: number
  /** Set by a first process for those it starts: the address of the database that it has brought up. */
  handedDatabaseUrl: string | null
  /** null: made on first use and kept in the data folder (embedded database only). */
  masterKeys: KeyRing | null
  tls: { cert: Buffer; key: Buffer } | null
  trustProxy: readonly string[]
  /** Connections of one address at once; trusted proxies are not counted. */
  connectionsPerAddress: number
  /** Where probes and metrics answer besides; null: nowhere else. In a worker they have the port that it serves nothing else on. */
  probes: { host: string; port: number } | null
  /** Opens /metrics for those who are not on this machine. */
  metricsToken: string | null
  egressAllow: readonly string[]
  /** The same for webhooks of apps: who may name shops need not be who may have us post to this network. */
  webhookAllow: readonly string[]
  /** Hosts of platforms that are imitated on this machine; empty outside development. */
  egressRoutes: EgressRoutes
  /** Whether shops of a demo are imitated inside the program: in development, and where the database is our own. */
  demo: boolean
  /** For how many days after an order has left it may say who bought it, by type of service; 0 is for ever. */
  personalDataDays: ReadonlyMap<string, number>
  /**
   * Requests a minute, by kind of caller; `token` is the token endpoint, by address; `failed` are tokens that nobody
   * knows, `refused` messages of shops that are none, `page` pages and their files, all by address and process.
   */
  rateLimits: {
    user: number
    client: number
    account: number
    token: number
    failed: number
    refused: number
    page: number
  }
  /** Megabytes of answers that are kept for the idempotency keys of one caller. */
  idempotencyMegabytes: number
  /** How many of something a tenant may have. */
  quotas: Readonly<Record<Quota, number>>
  /** For how many days the audit trail is kept. */
  auditDays: number
  /** For how many days calls of the API are kept in the request log; 0: there is none. */
  requestLogDays: number
  /** Through which server mail goes out; null: nowhere, and links are handed over by people. */
  mail: MailSettings | null
  /** An OpenTelemetry collector; null: no traces are exported. */
  telemetry: { endpoint: string; headers: Readonly<Record<string, string>>; serviceName: string } | null
  logLevel: LogLevel
}

const roles = ['all', 'api', 'worker'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type Role = (typeof roles)[number]
export type LogLevel = (typeof logLevels)[number]

/** The name under which a first process hands the database's address to those it starts. */
export const handedDatabaseUrl = 'ENTREPOT_HANDED_DATABASE_URL'

/** Whether a failing command shows where it failed, and not only what. */
export const wantsStacks = (env: Environment = process.env) => ['debug', 'trace'].includes(env['LOG_LEVEL'] ?? '')

/** Whether somebody stands between a terminal and us who hands signals on: npm, or our launcher. */
export const isSignalledTwice = (env: Environment = process.env) =>
  env['npm_lifecycle_event'] !== undefined || env['ENTREPOT_LAUNCHED'] !== undefined

/** What the command line goes by that speaks to an instance: where it is, who asks, and where that is remembered. */
export function readCommandLine(env: Environment = process.env) {
  const home = env['XDG_CONFIG_HOME'] || (process.platform === 'win32' ? env['APPDATA'] : undefined)
  return {
    url: env['ENTREPOT_URL'] || null,
    token: env['ENTREPOT_TOKEN'] || null,
    app: env['ENTREPOT_APP'] || null,
    profile: env['ENTREPOT_PROFILE'] || null,
    folder: join(home || join(homedir(), '.config'), 'entrepot'),
  }
}

/** A setting that cannot be used. Shown to the person at the terminal as it is, without a stack. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(given: Environment = process.env): Config {
  const env = withSecretFiles(given)
  const host = env['HOST'] || '127.0.0.1'
  const port = integer(env, 'PORT', 3000, 0, 65535)
  const tls = readTls(env)
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL')
  const directUrl = readDatabaseUrl(env, 'DATABASE_DIRECT_URL')
  if (directUrl && !databaseUrl)
    throw new ConfigError('DATABASE_DIRECT_URL goes with DATABASE_URL, the address of the pooler.')
  const masterKeys = readMasterKeys(env)
  if (databaseUrl && !masterKeys) {
    throw new ConfigError(
      'ENTREPOT_MASTER_KEYS is required with DATABASE_URL: an id and 32 random bytes in base64, as "k1:…". Make one with: openssl rand -base64 32',
    )
  }
  return {
    host,
    port,
    publicUrl: readPublicUrl(env, `${tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`),
    role: oneOf(env, 'ENTREPOT_ROLE', roles, 'all'),
    processes: integer(env, 'ENTREPOT_PROCESSES', 1, 1, Math.max(64, availableParallelism())),
    dataDir: resolve(env['ENTREPOT_DATA_DIR'] || '.data'),
    databaseUrl,
    directUrl,
    connections: {
      requests: integer(env, 'DATABASE_CONNECTIONS', 10, 2, 1000),
      jobs: integer(env, 'WORKER_DATABASE_CONNECTIONS', 10, 2, 1000),
    },
    runSlots: integer(env, 'WORKER_RUNS', 12, 1, 1000),
    handedDatabaseUrl: env[handedDatabaseUrl] || null,
    masterKeys,
    tls,
    trustProxy: readProxies(env),
    connectionsPerAddress: integer(env, 'CONNECTIONS_PER_ADDRESS', 200, 1, 1_000_000_000),
    probes: readProbes(env, { host, port }),
    metricsToken: env['METRICS_TOKEN'] || null,
    egressAllow: readHosts(env, 'EGRESS_ALLOW'),
    webhookAllow: readHosts(env, 'WEBHOOK_ALLOW'),
    egressRoutes: readEgressRoutes(env),
    demo: env['NODE_ENV'] === 'development' || (databaseUrl === null && env['NODE_ENV'] !== 'production'),
    personalDataDays: readPersonalDataDays(env),
    rateLimits: {
      user: integer(env, 'RATE_LIMIT_USER', 60, 1, 1_000_000_000),
      client: integer(env, 'RATE_LIMIT_CLIENT', 100, 1, 1_000_000_000),
      account: integer(env, 'RATE_LIMIT_ACCOUNT', 120, 1, 1_000_000_000),
      token: integer(env, 'RATE_LIMIT_TOKEN', 60, 1, 1_000_000_000),
      failed: integer(env, 'RATE_LIMIT_FAILED', 300, 1, 1_000_000_000),
      refused: integer(env, 'RATE_LIMIT_REFUSED', 600, 1, 1_000_000_000),
      page: integer(env, 'RATE_LIMIT_PAGE', 1200, 1, 1_000_000_000),
    },
    idempotencyMegabytes: integer(env, 'IDEMPOTENCY_MEGABYTES', 256, 1, 1_000_000),
    quotas: readQuotas(env),
    auditDays: integer(env, 'AUDIT_DAYS', 400, 1, 36_500),
    requestLogDays: integer(env, 'REQUEST_LOG_DAYS', defaultRequestDays, 0, 30),
    mail: readMail(env),
    telemetry: readTelemetry(env),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
  }
}

function readProbes(env: Environment, { host, port }: { host: string; port: number }): Config['probes'] {
  const own = env['PROBE_HOST'] || host
  if (env['PROBE_PORT']) return { host: own, port: integer(env, 'PROBE_PORT', 0, 0, 65535) }
  return env['ENTREPOT_ROLE'] === 'worker' ? { host: own, port } : null
}

const secrets = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'ENTREPOT_MASTER_KEYS', 'METRICS_TOKEN', 'SMTP_URL'] as const

/** What is secret may also be in a file that NAME_FILE names, as systemd and orchestrators hand it over. */
function withSecretFiles(env: Environment): Environment {
  const read = secrets.flatMap((name) => {
    const path = env[`${name}_FILE`]
    if (!path) return []
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE exclude each other.`)
    return [[name, readSettingFile(`${name}_FILE`, path).toString().trim()] as const]
  })
  return { ...env, ...Object.fromEntries(read) }
}

function readSettingFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  }
  return value
}

function oneOf<const T extends readonly string[]>(
  env: Environment,
  name: string,
  allowed: T,
  fallback: T[number],
): T[number] {
  const text = env[name]
  if (!text) return fallback
  if (!allowed.includes(text)) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}".`)
  return text
}

function list(env: Environment, name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Addresses, or ranges of them; Fastify also has names for the usual ones. */
const isProxyEntry = (entry: string): boolean => {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  if (version === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(entry)
  return rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
}

function readProxies(env: Environment): string[] {
  const entries = list(env, 'TRUST_PROXY')
  const odd = entries.find((entry) => !isProxyEntry(entry))
  if (odd === undefined) return entries
  throw new ConfigError(
    `TRUST_PROXY must be a comma-separated list of IP addresses or ranges, such as "10.0.0.0/8, ::1"; "${odd}" is none.`,
  )
}

/** An entry that means nothing would be one that somebody believes to work. */
function readHosts(env: Environment, name: string): string[] {
  const entries = list(env, name)
  const odd = entries.find((entry) => !isHostEntry(entry))
  if (odd === undefined) return entries
  throw new ConfigError(
    `${name} must be a comma-separated list of hosts or host:port without scheme or path, such as "127.0.0.1:4010, [::1]:8080, shop.test"; "${odd}" is none.`,
  )
}

/** Whoever can lead a platform's calls elsewhere reads its keys: nothing for a machine that serves anybody. */
function readEgressRoutes(env: Environment): EgressRoutes {
  const entries = list(env, 'EGRESS_ROUTE')
  if (entries.length > 0 && env['NODE_ENV'] !== 'development') {
    throw new ConfigError('EGRESS_ROUTE is for development only: set NODE_ENV=development, or leave it out.')
  }
  return new Map(
    entries.map((entry) => {
      const route = readEgressRoute(entry)
      if (route) return route
      throw new ConfigError(
        `EGRESS_ROUTE must be a comma-separated list of host=origin with origins on this machine, such as "api.ebay.com=http://127.0.0.1:4001"; "${entry}" is none.`,
      )
    }),
  )
}

function readPersonalDataDays(env: Environment): Map<string, number> {
  return new Map(
    list(env, 'PERSONAL_DATA_DAYS').map((entry) => {
      const [, type = '', days = ''] = /^([a-z0-9][a-z0-9_-]*)=(\d{1,5})$/.exec(entry) ?? []
      if (days !== '') return [type, Number(days)]
      throw new ConfigError(
        `PERSONAL_DATA_DAYS must be a comma-separated list of type=days, such as "amazon=20, shopify=365"; "${entry}" is none.`,
      )
    }),
  )
}

const readQuotas = (env: Environment): Config['quotas'] => ({
  apps: integer(env, 'QUOTA_APPS', defaultQuotas.apps, 0, 1_000_000_000),
  clients: integer(env, 'QUOTA_CLIENTS', defaultQuotas.clients, 0, 1_000_000_000),
  accounts: integer(env, 'QUOTA_ACCOUNTS', defaultQuotas.accounts, 0, 1_000_000_000),
  integrations: integer(env, 'QUOTA_INTEGRATIONS', defaultQuotas.integrations, 0, 1_000_000_000),
  schedules: integer(env, 'QUOTA_SCHEDULES', defaultQuotas.schedules, 0, 1_000_000_000),
  flows: integer(env, 'QUOTA_FLOWS', defaultQuotas.flows, 0, 1_000_000_000),
  webhooks: integer(env, 'QUOTA_WEBHOOKS', defaultQuotas.webhooks, 0, 1_000_000_000),
  channels: integer(env, 'QUOTA_CHANNELS', defaultQuotas.channels, 0, 1_000_000_000),
  views: integer(env, 'QUOTA_VIEWS', defaultQuotas.views, 0, 1_000_000_000),
})

function readMail(env: Environment): Config['mail'] {
  const { SMTP_URL: url, MAIL_FROM: from } = env
  if (!url) return null
  // Without the value: there may be a password in it.
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || new URL(url).hostname === '') {
    throw new ConfigError(
      'SMTP_URL must look like smtps://user:password@mail.example.com:465 or smtp://mail.example.com:587.',
    )
  }
  if (!from || !/^(?:[^<>@\r\n]+<[^<>@\s]+@[\w.-]+>|[^<>@\s]+@[\w.-]+)$/.test(from)) {
    throw new ConfigError('MAIL_FROM is required with SMTP_URL: an address such as "Entrepot <entrepot@example.com>".')
  }
  return { url, from }
}

function readDatabaseUrl(env: Environment, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!parseDatabaseAddress(text)) {
    // Without the value: there is a password in it.
    throw new ConfigError(
      `${name} must look like postgres://user:password@host:5432/name; several servers as host-a:5432,host-b:5432, with target_session_attrs any, read-write or primary.`,
    )
  }
  return text
}

function readPublicUrl(env: Environment, fallback: string): string {
  const text = env['PUBLIC_URL'] || fallback
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigError(`PUBLIC_URL must be an http or https address, not "${text}".`)
  }
  return text.replace(/\/+$/, '')
}

/** The names and forms that OpenTelemetry has settled on. */
function readTelemetry(env: Environment): Config['telemetry'] {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (!endpoint) return null
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address, not "${endpoint}".`)
  }
  const headers = list(env, 'OTEL_EXPORTER_OTLP_HEADERS').map((entry): [string, string] => {
    const [, name, value] = /^([\w-]+)=([\x20-\x7e]*)$/.exec(entry) ?? []
    // Without the value: it is usually a key.
    if (!name) throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value.')
    try {
      return [name.toLowerCase(), decodeURIComponent(value ?? '')]
    } catch {
      throw new ConfigError(`OTEL_EXPORTER_OTLP_HEADERS: the value of ${name} is not percent-encoded as it should be.`)
    }
  })
  return { endpoint, headers: Object.fromEntries(headers), serviceName: env['OTEL_SERVICE_NAME'] || 'entrepot' }
}

function readTls(env: Environment): Config['tls'] {
  const { TLS_CERT: cert, TLS_KEY: key } = env
  if (!cert && !key) return null
  if (!cert || !key)
    throw new ConfigError('TLS_CERT and TLS_KEY go together: give the paths of both files, or neither.')
  return { cert: readSettingFile('TLS_CERT', cert), key: readSettingFile('TLS_KEY', key) }
}

function readMasterKeys(env: Environment): KeyRing | null {
  const entries = list(env, 'ENTREPOT_MASTER_KEYS')
  return entries.length === 0 ? null : parseMasterKeys(entries)
}

/** "id:base64" entries, newest first. */
export function parseMasterKeys(entries: readonly string[]): KeyRing {
  const keys = entries.map((entry): MasterKey => {
    const colon = entry.indexOf(':')
    const id = entry.slice(0, Math.max(colon, 0))
    const key = Buffer.from(entry.slice(colon + 1), 'base64')
    if (!/^[A-Za-z0-9._-]{1,32}$/.test(id) || key.length !== 32) {
      throw new ConfigError(
        'ENTREPOT_MASTER_KEYS must be a comma-separated list of id:key, each key 32 bytes in base64.',
      )
    }
    return { id, key }
  })
  const [first, ...rest] = keys
  if (!first) throw new ConfigError('ENTREPOT_MASTER_KEYS is empty.')
  if (new Set(keys.map((key) => key.id)).size !== keys.length) {
    throw new ConfigError('ENTREPOT_MASTER_KEYS names the same id twice.')
  }
  return [first, ...rest]
}
