import {
  type ComposeOptions,
  directUrlOf,
  listen,
  maxOf,
  openRequestDatabase,
  openWorkerDatabase,
  type Parts,
} from './compose/parts.ts'
import type { Config } from './config.ts'
import { connectors } from './connectors/index.ts'
import { createDemoShops } from './demo/demo-shops.ts'
import type { Context } from './domain/context.ts'
import { syncCatalogueFlows } from './domain/flows/sync-catalogue-flows.ts'
import { createIdentifier, type Identifier } from './domain/oauth/callers/identify-caller.ts'
import type { Quotas } from './domain/quota-store.ts'
import { syncCatalogue } from './domain/services/sync-catalogue.ts'
import { createTraffic } from './domain/shop/shares/traffic.ts'
import { createTransport } from './domain/shop/transport.ts'
import { showDeafness, showPools, showTraffic } from './gauges.ts'
import { jobs, recorder } from './jobs.ts'
import { mayReach } from './lib/addresses/public-address.ts'
import type { Listener } from './runtime/db/listener.ts'
import { createVault } from './runtime/db/vault/vault.ts'
import { createEgress } from './runtime/egress/egress.ts'
import { createTxtReader } from './runtime/egress/resolve-name.ts'
import { createProbeListener } from './runtime/http/probes/probe-listener.ts'
import { probes } from './runtime/http/probes/probes.ts'
import type { HttpServer } from './runtime/http/server.ts'
import { openQueue } from './runtime/jobs/queue.ts'
import { createCollector } from './runtime/memory.ts'
import { createMetrics, type Metrics } from './runtime/metrics.ts'
import { createOpenId } from './runtime/openid/open-id.ts'

export interface Program {
  context: Context
  metrics: Metrics
  http: HttpServer | null
  /** Opens the listener of the probes, where there is to be one; says its port. */
  listenForProbes(where: Config['probes']): Promise<number | null>
  /** From now on `/ready` says no, so that a load balancer sends nothing new. Resolves when it does so. */
  drain(): Promise<void>
  /** Running requests and jobs finish, connections close. */
  close(): Promise<void>
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

/** The only place that wires: settings in, a running program out. */
export async function compose(options: ComposeOptions): Promise<Program> {
  const { log } = options
  // Of the two a process or thread often does one, and then loads nothing of the other.
  const works = options.works ? await import('./compose/work.ts') : null
  const serves = options.serves ? await import('./compose/serve.ts') : null
  const metrics = createMetrics({ ofProcess: options.ofProcess ?? true })
  const vault = createVault({ keys: options.keys, log })
  const pooled = Boolean(options.config.directUrl)
  const opening = { url: options.databaseUrl, log, vault, pooled, ...options.patience }
  const database = options.serves
    ? openRequestDatabase(options, opening)
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
  if (options.apart) metrics.include(options.apart.figures)
  const telemetry = await telemetryOf(options, metrics)
  const { mail: mailing } = options.config
  const mail = mailing ? (await import('./runtime/mail/mailer.ts')).createMailer(mailing) : null
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
    // Whoever answers requests does not stop for it.
    transport: createTransport(egress, Date.now, traffic, options.serves ? undefined : createCollector()),
    webhookAllow: options.config.webhookAllow ?? [],
    callOut: (request) => hooks.fetch(request),
    ...(options.config.quotas && { quotas: countedQuotas(options.config.quotas, metrics) }),
    ...(options.config.runSlots && { runSlots: options.config.runSlots }),
    ...(options.config.egressRoutes && { egressRoutes: options.config.egressRoutes }),
    ...(options.config.personalDataDays && { personalDataDays: options.config.personalDataDays }),
    ...(options.config.auditDays && { auditDays: options.config.auditDays }),
    ...(options.config.requestLogDays !== undefined && { requestLogDays: options.config.requestLogDays }),
    ...(mail && { mail }),
    ...(options.apart && { inThread: options.apart }),
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

  await works?.work(parts)
  let http: HttpServer | null = null
  if (serves) {
    const listener = listen(parts, database)
    closing.push(() => listener.close())
    identifier = createIdentifier({ db: database.db, listener, publicUrl: context.publicUrl })
    http = await serves.serve(parts, { listener, identify: identifier.identify, probing })
  }

  return {
    context,
    metrics,
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
