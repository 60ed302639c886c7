import { arrivalFiles } from './api/arrival-page.ts'
import { asyncApiPage } from './api/asyncapi-page.ts'
import { auditRequests, notesOfAgents } from './api/audit-requests.ts'
import { cataloguePage } from './api/catalogue-page.ts'
import { collectionPages } from './api/collection-page.ts'
import { docsPages } from './api/docs-page.ts'
import { groups } from './api/groups.ts'
import { guidePages } from './api/guide-pages.ts'
import { endpoints } from './api/index.ts'
import { logRequests } from './api/log-requests.ts'
import { logoPage } from './api/logo-page.ts'
import { openApiPage } from './api/openapi-page.ts'
import { listedOrderView, listedRunView, shopNameView } from './api/v2/views/across/listed.ts'
import { webPages } from './api/web-pages.ts'
import type { Config } from './config.ts'
import { connectors } from './connectors/index.ts'
import { createDemoShops, type DemoShops } from './demo/demo-shops.ts'
import { unsealedSince } from './domain/audit/audit-store.ts'
import { openTrail } from './domain/audit/trail.ts'
import type { Context } from './domain/context.ts'
import { syncCatalogueFlows } from './domain/flows/sync-catalogue-flows.ts'
import { startInboundLoop } from './domain/inbound/inbound-loop.ts'
import { createLiveHub } from './domain/live/live-hub.ts'
import { createIdentifier, type Identifier } from './domain/oauth/callers/identify-caller.ts'
import { createLastUse } from './domain/oauth/sessions/last-use.ts'
import { defaultQuotas, type Quotas } from './domain/quota-store.ts'
import { startHeart } from './domain/reads/notice-downtime.ts'
import { openRequestLog } from './domain/requests/open-request-log.ts'
import type { RecorderOptions } from './domain/requests/record-requests.ts'
import { syncCatalogue } from './domain/services/sync-catalogue.ts'
import { createTraffic } from './domain/shop/shares/traffic.ts'
import { createTransport } from './domain/shop/transport.ts'
import { startStockLoop } from './domain/stock/stock-loop.ts'
import type { Caller } from './domain/tenant.ts'
import { createV1Usage } from './domain/v1-usage/create-v1-usage.ts'
import { startSender } from './domain/webhooks/sender/start-sender.ts'
import { showBacklogs, showDeafness, showPools, showQuotas, showTraffic } from './gauges.ts'
import { jobs, recorder, recurring } from './jobs.ts'
import { mayReach } from './lib/addresses/public-address.ts'
import type { KeyRing } from './lib/secret-box.ts'
import { withFirstCommit } from './runtime/db/commit/with-first-commit.ts'
import {
  type Database,
  type DatabaseOptions,
  isDatabaseAway,
  isDatabaseBusy,
  openDatabase,
} from './runtime/db/connection.ts'
import { idempotencyKeys } from './runtime/db/idempotency-keys.ts'
import { type Listener, openListener } from './runtime/db/listener.ts'
import { joinPeers } from './runtime/db/peers.ts'
import { rateWindows } from './runtime/db/rate-windows.ts'
import { createVault, listenForDestroyedKeys, type Vault } from './runtime/db/vault/vault.ts'
import { createEgress } from './runtime/egress/egress.ts'
import { createTxtReader } from './runtime/egress/resolve-name.ts'
import { createIdempotency } from './runtime/http/idempotency.ts'
import { createInside } from './runtime/http/inside/ask-inside.ts'
import { createRateLimiter } from './runtime/http/limits/rate-limit.ts'
import { createRefusals } from './runtime/http/limits/refusals.ts'
import { loadScalar } from './runtime/http/openapi/scalar.ts'
import { createProbeListener } from './runtime/http/probe-listener.ts'
import { type ProbeOptions, probes } from './runtime/http/probes.ts'
import { createServer, type HttpServer } from './runtime/http/server.ts'
import { openQueue, type Queue } from './runtime/jobs/queue.ts'
import { startWorker } from './runtime/jobs/worker.ts'
import type { Log } from './runtime/log.ts'
import { createMailer } from './runtime/mail/mailer.ts'
import { createMetrics, type Metrics } from './runtime/metrics.ts'
import { createOpenId } from './runtime/openid/open-id.ts'

/** The only place that wires: settings in, a running program out. */
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
  keys: KeyRing
  log: Log
  /** The shops of demos, where whoever wires wants a hand in them. */
  demoShops?: DemoShops
  /** Answers requests. */
  serves: boolean
  /** Runs jobs. */
  works: boolean
}

export interface Program {
  context: Context
  http: HttpServer | null
  /** Opens the listener of the probes, where there is to be one; says its port. */
  listenForProbes(where: Config['probes']): Promise<number | null>
  /** From now on `/ready` says no, so that a load balancer sends nothing new. Resolves when it does so. */
  drain(): Promise<void>
  /** Running requests and jobs finish, connections close. */
  close(): Promise<void>
}

/** How every database of a program is opened. */
type Opening = Pick<DatabaseOptions, 'url' | 'log' | 'vault' | 'pooled' | 'max'>

const maxOf = ({ config: { connections } }: ComposeOptions, pool: 'requests' | 'jobs') =>
  connections ? { max: connections[pool] } : {}

const openWorkerDatabase = (opening: Opening) =>
  openDatabase({ ...opening, applicationName: 'entrepot-worker', statementTimeoutMs: 60_000, connectTimeoutMs: 10_000 })

/** Past a pooler, where there is one. */
const directUrlOf = ({ databaseUrl, config }: ComposeOptions): string => config.directUrl ?? databaseUrl

function listen({ options, listeners, opening }: Parts, { query }: Database): Listener {
  const say = (channel: string, word: string) => query('select pg_notify($1, $2)', [channel, word])
  const listener = openListener({ url: directUrlOf(options), log: options.log, say })
  listeners.push(listener)
  listenForDestroyedKeys(opening.vault, listener)
  return listener
}

/** Where no collector is named, nothing of it is even loaded. */
async function telemetryOf({ config, log }: ComposeOptions, metrics: Metrics) {
  if (!config.telemetry) return null
  const { connectTelemetry } = await import('./runtime/telemetry/connect-telemetry.ts')
  return connectTelemetry(config.telemetry, { log, metrics })
}

function countedQuotas(limits: Quotas['limits'], metrics: Metrics): Quotas {
  const refused = metrics.quotaRefusals
  return { limits, onRefused: (quota) => refused.inc({ quota }) }
}

/** What all of a program shares, and how it is closed: in reverse, since what was opened last depends on the first. */
interface Parts {
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

export async function compose(options: ComposeOptions): Promise<Program> {
  const { log } = options
  const metrics = createMetrics()
  const vault = createVault({ keys: options.keys, log })
  const opening = { url: options.databaseUrl, log, vault, pooled: Boolean(options.config.directUrl) }
  const database = options.serves
    ? openDatabase({ ...opening, ...maxOf(options, 'requests'), applicationName: 'entrepot-api' })
    : openWorkerDatabase({ ...opening, ...maxOf(options, 'jobs') })
  let identifier: Identifier | null = null
  const queue = await openQueue({ url: directUrlOf(options), log, jobs, works: options.works })
  const demoShops = options.demoShops ?? (options.config.demo ? createDemoShops() : null)
  const way = createEgress({
    allow: options.config.egressAllow,
    routes: options.config.egressRoutes ?? new Map(),
    log,
  })
  const egress = demoShops?.around(way) ?? way
  // Webhooks and alerts of apps have a way out of their own: what shops may be reached is not said of them.
  const wayOfHooks = createEgress({ allow: options.config.webhookAllow ?? [], log })
  const hooks = demoShops?.around(wayOfHooks) ?? wayOfHooks
  const traffic = createTraffic()
  showTraffic(metrics, traffic)
  const telemetry = await telemetryOf(options, metrics)
  const mail = options.config.mail ? createMailer(options.config.mail) : null
  const stopping = new AbortController()
  const context: Context = {
    stopping: stopping.signal,
    db: database.db,
    reader: database.reader,
    transaction: database.transaction,
    enqueue: queue.enqueue,
    record: recorder(queue.enqueue),
    keys: options.keys,
    connectors,
    transport: createTransport(egress, Date.now, traffic),
    webhookAllow: options.config.webhookAllow ?? [],
    callOut: (request) => hooks.fetch(request),
    ...(options.config.quotas && { quotas: countedQuotas(options.config.quotas, metrics) }),
    ...(options.config.runSlots && { runSlots: options.config.runSlots }),
    ...(options.config.egressRoutes && { egressRoutes: options.config.egressRoutes }),
    ...(options.config.personalDataDays && { personalDataDays: options.config.personalDataDays }),
    ...(options.config.auditDays && { auditDays: options.config.auditDays }),
    ...(options.config.requestLogDays !== undefined && { requestLogDays: options.config.requestLogDays }),
    ...(mail && { mail }),
    openId: createOpenId({ egress, mayReach: (url) => mayReach(url, options.config.egressAllow) }),
    readTxt: createTxtReader({ servers: options.nameServers }),
    identify: (token) => identifier?.identify(token) ?? null,
    log,
    metrics,
    publicUrl: options.config.publicUrl,
    ...(telemetry && { trace: telemetry.trace }),
  }
  await syncCatalogue(context)
  await syncCatalogueFlows(context)
  const closing: Parts['closing'] = [
    () => telemetry?.close(),
    () => egress.close(),
    () => hooks.close(),
    () => mail?.close(),
    () => database.close(),
    () => queue.close(),
  ]
  const listeners: Listener[] = []
  const pools = new Map([[options.serves ? 'requests' : 'jobs', database]])
  const parts: Parts = { options, context, database, opening, queue, metrics, listeners, pools, closing }
  showPools(metrics, pools)
  showDeafness(metrics, listeners)
  let draining = false
  const isReady = async () =>
    !draining &&
    !listeners.some(({ deaf }) => deaf) &&
    (await database.query<{ transaction_read_only: string }>('show transaction_read_only').then(
      ([answer]) => answer?.transaction_read_only === 'off',
      () => false,
    ))
  const probing = { isReady, metrics, metricsToken: options.config.metricsToken ?? null }

  if (options.works) await work(parts)
  let http: HttpServer | null = null
  if (options.serves) {
    const listener = listen(parts, database)
    closing.push(() => listener.close())
    identifier = createIdentifier({ db: database.db, listener, publicUrl: context.publicUrl })
    http = await serve(parts, { listener, identify: identifier.identify, probing })
  }

  return {
    context,
    http,
    async listenForProbes(where) {
      if (!where) return null
      const own = createProbeListener(probes({ ...probing, isOpen: true }))
      closing.unshift(() => own.close())
      return await own.listen(where.host, where.port)
    },
    async drain() {
      draining = true
      stopping.abort()
      await http?.leave()
    },
    async close() {
      draining = true
      stopping.abort()
      for (const step of closing.reverse()) {
        try {
          await step()
        } catch (error) {
          log.warn({ err: error }, 'closing failed')
        }
      }
    },
  }
}

const onDatabase = (context: Context, { db, reader, transaction }: Database): Context => ({
  ...context,
  ...{ db, reader, transaction },
})

async function work(parts: Parts): Promise<void> {
  const { options, context, database, opening, queue, metrics, pools, closing } = parts
  const { log } = options
  // Jobs have a pool of their own: they may take longer, and must not take a request's connection.
  const jobDatabase = options.serves ? openWorkerDatabase({ ...opening, ...maxOf(options, 'jobs') }) : database
  const worker = await startWorker({
    ...{ queue, jobs, recurring, log, metrics },
    context: onDatabase(context, jobDatabase),
  })
  const listener = listen(parts, jobDatabase)
  // A few connections of their own: syncs that keep all others busy hold up neither inbound deliveries nor webhooks.
  const inboundDatabase = openDatabase({ ...opening, applicationName: 'entrepot-inbound', max: 4 })
  const inbound = startInboundLoop({ context: onDatabase(context, inboundDatabase), listener, metrics })
  const stockDatabase = openDatabase({ ...opening, applicationName: 'entrepot-stock', max: 3 })
  const stock = startStockLoop({ context: onDatabase(context, stockDatabase), listener })
  const senderDatabase = openDatabase({ ...opening, applicationName: 'entrepot-sender', max: 3 })
  const sender = startSender({
    context: onDatabase(context, senderDatabase),
    send: context.callOut,
    listener,
    metrics,
  })
  pools
    .set('jobs', jobDatabase)
    .set('messages', inboundDatabase)
    .set('stock', stockDatabase)
    .set('webhooks', senderDatabase)
  showBacklogs(metrics, { ...jobDatabase, queue })
  if (jobDatabase !== database) closing.push(() => jobDatabase.close())
  closing.push(
    () => senderDatabase.close(),
    () => inboundDatabase.close(),
    () => stockDatabase.close(),
    () => worker.stop({ timeoutMs: 20_000 }),
    () => inbound.stop(),
    () => stock.stop(),
    () => sender.stop({ timeoutMs: 5_000 }),
    () => listener.close(),
  )
  await listener.begun
}

const answerBytes = ({ idempotencyMegabytes = 256 }: ComposeOptions['config']) => idempotencyMegabytes * 1024 * 1024

interface Serving {
  listener: Listener
  identify: Identifier['identify']
  probing: Omit<ProbeOptions, 'isOpen'>
}

async function serve(
  { options, context, database, metrics, closing }: Parts,
  { listener, identify, probing }: Serving,
): Promise<HttpServer> {
  const { log, config } = options
  const limiter = createRateLimiter(rateWindows(database.reader))
  const peers = joinPeers({ listener, log, onCompany: limiter.share, onAlone: limiter.stopSharing })
  await Promise.all([listener.begun, peers.joined])
  const v1Usage = createV1Usage({ db: database.db, log })
  const lastUse = createLastUse({ db: database.db, log })
  const requestLog = config.requestLogDays
    ? openRequestLog({ db: database.db, log, metrics, room: options.requestRoom })
    : null
  const trail = await openTrail(context)
  const inside = createInside<Caller>()
  const live = createLiveHub({
    context,
    listener,
    views: { run: listedRunView, order: listedOrderView, shop: shopNameView },
  })
  metrics.gauge('entrepot_live_streams', 'People who watch what is happening, by this process', () => live.followers)
  context.live = live
  context.inside = { ask: inside.ask, note: notesOfAgents(trail, context.db) }
  const keys = idempotencyKeys(database.reader, options.keys)
  const server = createServer({
    endpoints,
    onCall: ({ group, method, path }, { clientId, kind, tokenId = 0 }, from) => {
      if (kind === 'user' || tokenId < 0) lastUse.note(tokenId, from)
      if (group.prefix === groups.v1.prefix) v1Usage.record(clientId, method, group.prefix + path)
    },
    context,
    guard: {
      identify: (token) => inside.callerOf(token) ?? identify(token),
      limiter,
      limits: config.rateLimits,
      failedTokens: createRefusals(config.rateLimits.failed),
    },
    requestIdOf: inside.requestIdOf,
    publicUrl: context.publicUrl,
    tls: config.tls,
    trustProxy: config.trustProxy,
    ...(config.connectionsPerAddress && { connections: { perAddress: config.connectionsPerAddress } }),
    log,
    metrics,
    contextWith: (steps, say) => ({
      ...context,
      transaction: withFirstCommit(context.transaction, steps),
      ...(say && { say }),
    }),
    auditing: auditRequests(trail, context),
    ...(requestLog && { onAnswer: logRequests(requestLog) }),
    idempotency: createIdempotency({ keys, log, maxBytes: answerBytes(config) }),
    isUnavailable: (error) => isDatabaseAway(error) || isDatabaseBusy(error),
    pages: [
      ...probes({ ...probing, isOpen: false }),
      logoPage(context),
      openApiPage(endpoints),
      asyncApiPage(),
      ...collectionPages(endpoints, context.publicUrl),
      ...docsPages(loadScalar),
      ...guidePages(),
      ...webPages(),
      ...arrivalFiles,
      cataloguePage(context),
    ],
  })
  inside.serveBy(server)
  metrics.gauge('entrepot_idempotency_bytes', 'What kept answers take in the database', () => keys.size())
  metrics.gauge(
    'entrepot_audit_unsealed_seconds',
    'How long the oldest entry of the audit trail has waited for its block',
    async () => (await unsealedSince(database.db)).seconds,
  )
  const limits = { ...(config.quotas ?? defaultQuotas), answer_bytes: answerBytes(config) }
  showQuotas(metrics, context.db, limits)
  closing.push(
    async () => {
      await peers.close()
      limiter.close()
    },
    () => v1Usage.close(),
    () => lastUse.close(),
    () => requestLog?.close(),
    () => server.close(),
  )
  await server.ready()
  return {
    ...server,
    async listen(host, port) {
      const bound = await server.listen(host, port)
      // It says that messages of shops can be taken, which is so from here on and not before.
      const heart = await startHeart(context)
      closing.push(() => heart.stop())
      return bound
    },
  }
}
