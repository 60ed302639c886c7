import { randomUUID } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import type { ClientBase } from 'pg'
import { type Db as BossDb, PgBoss } from 'pg-boss'
import { connectTo } from '../db/address/connect-to.ts'
import type { Db } from '../db/connection.ts'
import { sessionSettings } from '../db/connection.ts'
import { type SilenceWatch, watchForSilence } from '../db/silence.ts'
import type { Log } from '../log.ts'
import type { Enqueue, Job } from './job.ts'
import { quietly } from './queue-errors.ts'

/** The jobs that wait in PostgreSQL. pg-boss does the work; nothing outside this folder knows of it. */
export interface Queue {
  enqueue: Enqueue
  /** Puts the dead letters of a job back into its queue, and returns how many there were. */
  revive(job: Job): Promise<number>
  boss: PgBoss
  close(): Promise<void>
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

const statementMs = 60_000

/** A worker says that it lives every 3 s; after 10 s of silence its jobs go to another one. */
export const heartbeat = { heartbeatSeconds: 10, heartbeatRefreshSeconds: 3 }

export async function openQueue({ url, jobs, log, works = true }: QueueOptions): Promise<Queue> {
  const silence = watchForSilence({ url, limitMs: statementMs + 1000 })
  const boss = new PgBoss({
    ...connectTo(url),
    schema: 'pgboss',
    application_name: 'entrepot jobs',
    max: works ? 5 : 2,
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
  for (const job of jobs) await declare(boss, job)
  return {
    boss,
    enqueue: (trx, job, input, options = {}) => send(boss, trx, job, input, options),
    revive: (job) => boss.redrive(deadLetters(job)),
    async close() {
      await boss.stop({ graceful: false })
      silence.close()
    },
  }
}

/** pg-boss hands its settings to the pool as they are, though its types do not name these. */
const poolSettings = (silence: SilenceWatch) => ({
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

const deadLetters = ({ name }: Job): string => `${name}-dead`

async function declare(boss: PgBoss, job: Job): Promise<void> {
  await boss.createQueue(deadLetters(job), { retentionSeconds: 30 * day })
  const options = {
    deadLetter: deadLetters(job),
    retryLimit: job.retry.attempts - 1,
    retryDelay: job.retry.delaySeconds,
    retryBackoff: true,
    retryDelayMax: job.retry.maxDelaySeconds,
    expireInSeconds: job.maxRunSeconds,
    heartbeatSeconds: heartbeat.heartbeatSeconds,
    deleteAfterSeconds: hour,
    notify: true,
  }
  // `singleton` lets one job of a key run at a time, `short` lets one of a key wait. A queue keeps the policy it has.
  await boss.createQueue(job.name, { ...options, policy: job.oneAtATime ? 'singleton' : 'short' })
  await boss.updateQueue(job.name, options)
}

async function send<Input>(
  boss: PgBoss,
  trx: Db,
  job: Job<Input>,
  input: Input,
  { key, startAfterSeconds, turn }: NonNullable<Parameters<Enqueue>[3]>,
): Promise<void> {
  const db = inTransaction(trx)
  const data = key === undefined ? { input } : { input, key }
  const startAfter = startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }
  if (!job.oneAtATime) {
    await boss.send(job.name, data, { db, ...startAfter, singletonKey: key ?? randomUUID() })
    return
  }
  const singletonKey = job.oneAtATime(input)
  if (key !== undefined) {
    const waiting = await boss.findJobs(job.name, { db, key: singletonKey, data: { key }, queued: true })
    if (waiting.length > 0) return
  }
  const { waiting, active } = await readTurns(trx, job)
  const reached = waiting === null ? null : Math.max(waiting, active ?? 0)
  const own = turn ? await turn(reached) : (reached ?? active ?? 0)
  // Not -0, which is no number to the database.
  const priority = own === 0 ? 0 : -own
  // The group keeps a waiting job of a busy key from standing in the way of the others.
  await boss.send(job.name, data, { db, ...startAfter, priority, singletonKey, group: { id: singletonKey } })
}

/**
 * The smallest turn that waits, and the largest that is being worked on; the smallest has the highest priority. Asked in
 * the words of pg-boss's own indexes, so that it costs the same however many wait.
 */
async function readTurns(
  trx: Db,
  { name }: { name: string },
): Promise<{ waiting: number | null; active: number | null }> {
  const { rows } = await sql<{ waiting: number | null; active: number | null }>`
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
