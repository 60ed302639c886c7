import { monitorEventLoopDelay } from 'node:perf_hooks'
import { countIntegrations, readBacklogs } from './domain/backlogs/backlog-store.ts'
import { readSamples } from './domain/quotas/quota-sample-store.ts'
import { countUnsealed } from './domain/sealing/sealable-store.ts'
import type { Traffic } from './domain/shop/shares/traffic.ts'
import type { Database, Db } from './runtime/db/connection.ts'
import type { Listener } from './runtime/db/listener.ts'
import { settledUntil } from './runtime/db/lists/changes.ts'
import type { Queue } from './runtime/jobs/queue.ts'
import type { Metrics } from './runtime/metrics.ts'
import { remembered } from './runtime/remembered.ts'

/** What /metrics shows that has to be asked for when somebody reads it. docs/guides/monitoring.md says what each means. */

export function showTraffic({ gauge }: Metrics, { figures }: Traffic): void {
  gauge('entrepot_shop_requests', 'Requests to shops under way', () => figures().requests)
  gauge('entrepot_shop_requests_waiting', 'Requests that wait for others of their tenant', () => figures().waiting)
  gauge('entrepot_shop_requests_refused', 'Requests put off because too many of their tenant were under way', () => {
    return figures().refused
  })
  gauge('entrepot_shop_large_answers', 'Pieces of work with a large answer in memory', () => figures().large)
  gauge('entrepot_shop_large_answers_waiting', 'Large answers that are not read yet', () => figures().waitingLarge)
}

/** Of the thread that it is called in; since somebody last read it. */
export function showLag({ gauge }: Metrics): void {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  gauge('entrepot_worker_thread_lag_seconds', 'How late the worker’s thread was at its turns, 99th percentile', () => {
    const seconds = delays.percentile(99) / 1e9
    delays.reset()
    return seconds
  })
}

/** Without a label of tenants: whoever has most shows how near anybody is. */
export function showQuotas({ gauges }: Metrics, db: Db, limits: Readonly<Record<string, number>>): void {
  const sampled = (name: 'most' | 'total') => async () =>
    (await readSamples(db)).map((sample) => ({ labels: { quota: sample.quota }, value: sample[name] }))
  gauges('entrepot_quota_used', 'What whoever has most of it has', ['quota'], sampled('most'))
  gauges('entrepot_quota_total', 'What all have together', ['quota'], sampled('total'))
  gauges('entrepot_quota_limit', 'What anybody may have', ['quota'], async () =>
    Object.entries(limits).map(([quota, value]) => ({ labels: { quota }, value })),
  )
}

export function showPools({ gauges }: Metrics, pools: ReadonlyMap<string, Database>): void {
  const each = (read: (database: Database) => number) => async () =>
    [...pools].map(([pool, database]) => ({ labels: { pool }, value: read(database) }))
  gauges(
    'entrepot_database_connections',
    'Open connections, by pool',
    ['pool'],
    each(({ pool }) => pool.totalCount),
  )
  gauges(
    'entrepot_database_connections_max',
    'Connections that a pool may open',
    ['pool'],
    each(({ pool }) => pool.options.max),
  )
  gauges(
    'entrepot_database_waiting',
    'Work that waits for a connection, by pool',
    ['pool'],
    each(({ pool }) => pool.waitingCount),
  )
}

export function showDeafness({ gauge }: Metrics, listeners: readonly Listener[]): void {
  const isDeaf = () => (listeners.some(({ deaf }) => deaf) ? 1 : 0)
  const help = 'Whether notifications of the database do not arrive (1) or do (0)'
  gauge('entrepot_listener_deaf', help, isDeaf, { aggregator: 'max' })
}

/** The same in every worker, since they are of the database: alerts take the largest. */
export function showBacklogs(
  { gauge, gauges }: Metrics,
  { db, reader, queue }: Pick<Database, 'db' | 'reader'> & { queue: Queue },
): void {
  const jobs = remembered(seconds.jobs, () => queue.backlog())
  const ofJobs = (read: (job: Awaited<ReturnType<Queue['backlog']>>[number]) => number) => async () =>
    (await jobs()).map((job) => ({ labels: { name: job.name }, value: read(job) }))
  gauges(
    'entrepot_jobs_waiting',
    'Jobs that could start, by name',
    ['name'],
    ofJobs(({ waiting }) => waiting),
  )
  gauges(
    'entrepot_jobs_oldest_seconds',
    'For how long the oldest of them could have started',
    ['name'],
    ofJobs(({ oldestSeconds }) => oldestSeconds),
  )
  gauges(
    'entrepot_jobs_dead',
    'Jobs that were given up, by name',
    ['name'],
    ofJobs(({ dead }) => dead),
  )
  const backlogs = remembered(seconds.backlogs, () => readBacklogs(db))
  gauge('entrepot_schedule_lag_seconds', 'For how long the schedule that is due longest has waited', async () => {
    return (await backlogs()).scheduleLag
  })
  gauge('entrepot_comparisons_overdue', 'Copies that were last compared with their shop too long ago', async () => {
    return (await backlogs()).comparisons
  })
  gauge('entrepot_recoveries_overdue', 'Shops that refused us and should have been asked again by now', async () => {
    return (await backlogs()).recoveries
  })
  gauge('entrepot_webhook_checks_overdue', 'Shops whose webhooks should have been looked at by now', async () => {
    return (await backlogs()).webhookChecks
  })
  const unsealed = remembered(seconds.unsealed, () => countUnsealed(db))
  gauges(
    'entrepot_unsealed_rows',
    'Rows with customer data that an earlier version left in the clear',
    ['table'],
    async () => (await unsealed()).map(({ table, rows }) => ({ labels: { table }, value: rows })),
  )
  gauge(
    'entrepot_retention_overdue',
    'Integrations that may hold what their app does not keep any longer',
    async () => {
      return (await backlogs()).retention
    },
  )
  const integrations = remembered(seconds.integrations, () => countIntegrations(db))
  gauges('entrepot_integrations', 'Integrations, by service and status', ['service', 'status'], async () =>
    (await integrations()).map(({ service, status, n }) => ({ labels: { service, status }, value: n })),
  )
  gauge('entrepot_feed_lag_seconds', 'How far behind now the change feeds end, for the sake of open transactions', () =>
    settledUntil(reader).then((at) => Math.max(0, (Date.now() - Date.parse(at)) / 1000)),
  )
}

/** For how long an answer is good enough: whoever scrapes often does not make the database count all the time. */
const seconds = { jobs: 5, backlogs: 15, integrations: 60, unsealed: 60 }
