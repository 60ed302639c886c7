import { createHash, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { CompiledQuery, sql } from 'kysely'
import type { ClientBase } from 'pg'
import { type Db as BossDb, PgBoss } from 'pg-boss'
import { connectTo } from '../db/address/connect-to.ts'
import { beforeCommit, type Ending } from '../db/commit/around-commit.ts'
import { notifyTogether } from '../db/commit/notify-together.ts'
import type { Db } from '../db/connection.ts'
import { sessionSettings } from '../db/connection.ts'
import { type SilenceWatch, watchForSilence } from '../db/silence.ts'
import type { Log } from '../log.ts'
import { type Due, expectDue } from './due.ts'
import type { Enqueue, EnqueueOptions, Job } from './job.ts'
import { plannedClient } from './planned-client.ts'
import { quietly } from './queue-errors.ts'

/** The jobs that wait in PostgreSQL. pg-boss does the work; nothing outside this folder knows of it. */
export interface Queue {
  enqueue: Enqueue
  /** Puts the dead letters of a job back into its queue, and returns how many there were. */
  revive(job: Job): Promise<number>
  /** What each job has waiting and given up; those without either are left out. */
  backlog(): Promise<JobBacklog[]>
  /** The names of the jobs of which one could start now. */
  startable(): Promise<string[]>
  boss: PgBoss
  due: Due
  close(): Promise<void>
}

export interface JobBacklog {
  name: string
  /** Could start now. */
  waiting: number
  oldestSeconds: number
  dead: number
}

export interface QueueOptions {
  url: string
  jobs: readonly Job[]
  log: Log
  /** In a process that works jobs (the standard): it is notified of new ones, brings back those of dead workers, and prunes. */
  works?: boolean
}

const hour = 3600
const day = 24 * hour

const schema = 'pgboss'
const statementMs = 60_000
/** Of a process that works jobs. */
export const queueConnections = 5

/** A worker says that it lives every 3 s; after 10 s of silence its jobs go to another one. */
export const heartbeat = { heartbeatSeconds: 10, heartbeatRefreshSeconds: 3 }

export async function openQueue({ url, jobs, log, works = true }: QueueOptions): Promise<Queue> {
  const silence = watchForSilence({ url, limitMs: statementMs + 1000 })
  const boss = new PgBoss({
    ...connectTo(url),
    schema,
    application_name: 'entrepot jobs',
    max: works ? queueConnections : 2,
    // Nobody waits for an answer of a worker: a database that is slow to let it in is no reason to give up.
    connectionTimeoutMillis: works ? 10_000 : 2000,
    options: sessionSettings({
      statement_timeout: statementMs,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 30_000,
    }),
    useListenNotify: works,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 300,
    ...poolSettings(silence),
  })
  boss.on('error', quietly(log))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `queue: ${message}`))
  await boss.start()
  await countNothing(boss)
  await declare(boss, jobs)
  const inTurn = sendInTurn(boss)
  const due = expectDue()
  return {
    boss,
    due,
    async enqueue(trx, job, input, options = {}) {
      await send({ boss, inTurn }, trx, job, input, options)
      if (options.startAfterSeconds) due.expect(job.name, options.startAfterSeconds)
      else wakeWorkers(trx, job.name)
    },
    revive: (job) => boss.redrive(deadLetters(job)),
    backlog: () => readBacklog(boss),
    startable: () => readStartable(boss, jobs),
    async close() {
      due.close()
      await boss.stop({ graceful: false })
      silence.close()
    },
  }
}

/** pg-boss hands its settings to the pool as they are, though its types do not name these. */
const poolSettings = (silence: SilenceWatch) => ({
  Client: plannedClient(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 5000,
  // Shown every new connection before it is used.
  verify(client: ClientBase, done: (error?: Error) => void) {
    silence.add(client)
    done()
  },
})

/**
 * pg-boss counts its jobs every now and then, and with the counts it notes which keys are busy. For a minute, whoever has
 * read that note passes over jobs of these keys, long after they are free: a sync would rest every other minute. Nobody here
 * reads the counts, so the time before which none may be taken never comes. What dead workers left is brought back all the same.
 */
async function countNothing(boss: PgBoss): Promise<void> {
  const db = boss.getDb()
  await db.executeSql(`update pgboss.version set monitor_backoff_on = 'infinity'
    where monitor_backoff_on is distinct from 'infinity'`)
  await db.executeSql('update pgboss.queue set singletons_active = null where singletons_active is not null')
}

async function readBacklog(boss: PgBoss): Promise<JobBacklog[]> {
  const { rows } = await boss.getDb().executeSql(`
    select regexp_replace(name, '-dead$', '') as name,
      count(*) filter (where name not like '%-dead')::int as waiting,
      coalesce(max(extract(epoch from now() - start_after)) filter (where name not like '%-dead'), 0)::float8 as "oldestSeconds",
      count(*) filter (where name like '%-dead')::int as dead
    from pgboss.job where state < 'active' and not blocked and start_after <= now()
    group by 1 order by 1`)
  return rows
}

/** One question for all of them, and a look into the index for each, however many wait. */
async function readStartable(boss: PgBoss, jobs: readonly Job[]): Promise<string[]> {
  const { rows } = await boss.getDb().executeSql(
    `select q.name from unnest($1::text[]) as q (name), lateral (
       select from pgboss.job
       where name = q.name and state < 'active' and not blocked and start_after <= now() limit 1) as first`,
    [jobs.map(({ name }) => name)],
  )
  return rows.map(({ name }: { name: string }) => name)
}

const deadLetters = ({ name }: Job): string => `${name}-dead`

/** Asks once what is there, and makes or changes what is not as it should be: after the first start of a version, nothing. */
async function declare(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const job of jobs) {
    const dead = deadLetters(job)
    if (!known.has(dead)) await boss.createQueue(dead, { retentionSeconds: 30 * day })
    const options = optionsOf(job)
    const found = known.get(job.name)
    // `singleton` lets one job of a key run at a time, `short` lets one of a key wait. A queue keeps the policy it has.
    if (!found) await boss.createQueue(job.name, { ...options, policy: job.oneAtATime ? 'singleton' : 'short' })
    else if (!isDeepStrictEqual({ ...found, ...options }, found)) await boss.updateQueue(job.name, options)
  }
}

const optionsOf = (job: Job) => ({
  deadLetter: deadLetters(job),
  retryLimit: job.retry.attempts - 1,
  retryDelay: job.retry.delaySeconds,
  retryBackoff: true,
  retryDelayMax: job.retry.maxDelaySeconds,
  expireInSeconds: job.maxRunSeconds,
  heartbeatSeconds: heartbeat.heartbeatSeconds,
  deleteAfterSeconds: hour,
  // By itself pg-boss would notify in the transaction that sends, and all of those would queue at their commit.
  notify: false,
})

/** On which workers of pg-boss wait for the names of queues, as it derives that from its schema. */
const wakeChannel = `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`

/** Those who work look around every few seconds as well. */
const wakeWorkers = (trx: Db, name: string): void => notifyTogether(trx, wakeChannel, [name])

async function send<Input>(
  { boss, inTurn }: { boss: PgBoss; inTurn: Ending<Waiting> },
  trx: Db,
  job: Job<Input>,
  input: Input,
  options: EnqueueOptions,
): Promise<void> {
  const { key, startAfterSeconds, turn } = options
  const data = key === undefined ? { input } : { input, key }
  const startAfter = startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }
  if (job.oneAtATime) {
    const singletonKey = job.oneAtATime(input)
    await beforeCommit(trx, inTurn, { name: job.name, data, singletonKey, startAfter, ...(turn && { turn }) })
  } else {
    await boss.send(job.name, data, { db: inTransaction(trx), ...startAfter, singletonKey: key ?? randomUUID() })
  }
}

/** A job of which one of its key runs at a time, before it has its turn. */
interface Waiting {
  name: string
  data: { input: unknown; key?: string }
  singletonKey: string
  startAfter: { startAfter?: number }
  turn?: NonNullable<EnqueueOptions['turn']>
}

/** All that a transaction enqueues, in the order of the queues, so that no two transactions wait crosswise. */
const sendInTurn =
  (boss: PgBoss): Ending<Waiting> =>
  async (trx, items) => {
    const db = inTransaction(trx)
    const queues = Map.groupBy(items, ({ name }) => name)
    for (const name of [...queues.keys()].sort()) {
      const wanted = await withoutRepeats(boss, db, queues.get(name) ?? [])
      if (wanted.length === 0) continue
      const turns = await turnsFor(trx, wanted, await readTurns(trx, { name }))
      const jobs = wanted.map(({ data, singletonKey, startAfter }, at) => ({
        data,
        ...startAfter,
        // Not -0, which is no number to the database.
        priority: 0 - (turns[at] ?? 0),
        singletonKey,
        // The group keeps a waiting job of a busy key from standing in the way of the others.
        group: { id: singletonKey },
      }))
      await boss.insert(name, jobs, { db })
    }
  }

/** Without those that wait already, or of which the transaction itself has another one. */
async function withoutRepeats(boss: PgBoss, db: BossDb, items: readonly Waiting[]): Promise<Waiting[]> {
  const seen = new Set<string>()
  const wanted: Waiting[] = []
  for (const item of items) {
    const { name, data, singletonKey } = item
    if (data.key !== undefined) {
      const place = JSON.stringify([singletonKey, data.key])
      if (seen.has(place)) continue
      seen.add(place)
      const waiting = await boss.findJobs(name, { db, key: singletonKey, data: { key: data.key }, queued: true })
      if (waiting.length > 0) continue
    }
    wanted.push(item)
  }
  return wanted
}

async function turnsFor(trx: Db, items: readonly Waiting[], { waiting, active }: Turns): Promise<number[]> {
  const reached = waiting === null ? null : Math.max(waiting, active ?? 0)
  const turns = items.map(() => reached ?? active ?? 0)
  for (const take of new Set(items.map(({ turn }) => turn?.take))) {
    if (!take) continue
    const places = items.flatMap(({ turn }, at) => (turn?.take === take ? [{ at, of: turn.of }] : []))
    const taken = await take(
      trx,
      places.map(({ of }) => of),
      reached,
    )
    for (const [nth, { at }] of places.entries()) turns[at] = taken[nth] ?? 0
  }
  return turns
}

interface Turns {
  waiting: number | null
  active: number | null
}

/**
 * The smallest turn that waits, and the largest that is being worked on; the smallest has the highest priority. Asked in
 * the words of pg-boss's own indexes, so that it costs the same however many wait.
 */
async function readTurns(trx: Db, { name }: { name: string }): Promise<Turns> {
  const { rows } = await sql<Turns>`
    select
      (select -priority from pgboss.job
        where name = ${name} and state < 'active' and not blocked and start_after <= now()
        order by priority desc, created_on limit 1) as waiting,
      (select -min(priority) from pgboss.job
        where name = ${name} and state = 'active' and group_id is not null) as active`.execute(trx)
  return rows[0] ?? { waiting: null, active: null }
}

const inTransaction = (trx: Db): BossDb => ({
  async executeSql(text, values = []) {
    const { rows } = await trx.executeQuery(CompiledQuery.raw(text, values))
    return { rows: [...rows] }
  },
})
