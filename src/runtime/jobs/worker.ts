import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as ClaimedJob, JobResult } from 'pg-boss'
import { Fault, type FaultKind } from '../../lib/fault.ts'
import { asPiece } from '../../lib/turns/piece-of-work.ts'
import { describeError, type Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Job, Recurring } from './job.ts'
import { heartbeat, type Queue } from './queue.ts'
import { quietly } from './queue-errors.ts'
import { startRecurring } from './recurring.ts'

export interface Worker {
  /** Takes no more jobs, lets the running ones finish, and gives back what is not done in time. */
  stop(options: { timeoutMs: number }): Promise<void>
}

export interface WorkerOptions<Context> {
  queue: Queue
  jobs: readonly Job<never, Context>[]
  recurring?: readonly Recurring<Context>[]
  context: Context
  log: Log
  metrics?: Pick<Metrics, 'jobs'>
  /** Runs of one kind of job at the same time, in this process. */
  concurrency?: number
}

const pollSeconds = 2
/** Of each slot by itself: what nobody announces is found by the question for all of them, long before. */
const restingPollSeconds = 300

export async function startWorker<Context>(options: WorkerOptions<Context>): Promise<Worker> {
  const { queue, jobs, recurring = [], context, log, metrics, concurrency = 4 } = options
  const running = new Map<string, { name: string; claimed: ClaimedJob; stop: AbortController }>()

  async function perform(job: Job<never, Context>, claimed: ClaimedJob): Promise<JobResult> {
    const { id, retryCount } = claimed
    const stop = new AbortController()
    const about = { job: job.name, id, attempt: retryCount + 1 }
    running.set(id, { name: job.name, claimed, stop })
    try {
      const { input }: { input?: unknown } = claimed.data
      const signal = AbortSignal.any([claimed.signal, stop.signal])
      await asPiece(() => job.perform(context, input, { attempt: about.attempt, signal }))
      metrics?.jobs.inc({ name: job.name, outcome: 'completed' })
      return { id, status: 'completed' }
    } catch (error) {
      const status = isPermanent(error) ? 'deadletter' : 'failed'
      metrics?.jobs.inc({ name: job.name, outcome: status })
      log.warn({ ...about, status, err: error }, 'a job failed')
      return { id, status, output: describeError(error) }
    } finally {
      running.delete(id)
    }
  }

  const looks = new Map<string, () => void>()
  // What the clock starts runs once at a time under each key, and every slot asks for work of its own.
  const keysByClock = new Map<string, Set<string>>()
  for (const { job, key } of recurring) {
    keysByClock.set(job.name, (keysByClock.get(job.name) ?? new Set()).add(key))
  }
  for (const job of jobs) {
    const slots = job.slots?.(context) ?? (keysByClock.get(job.name)?.size || concurrency)
    looks.set(job.name, await workJob(queue, { job, concurrency: slots, perform: (claimed) => perform(job, claimed) }))
  }
  const looking = lookOften(queue, looks, log)
  const clock = await startRecurring({ queue, recurring, context, log, wake: (name) => looks.get(name)?.() })

  return {
    async stop({ timeoutMs }) {
      clock.stop()
      clearInterval(looking)
      const finished = Promise.all(jobs.map(({ name }) => queue.boss.offWork(name, { wait: true })))
      await Promise.race([finished, sleep(timeoutMs, undefined, { ref: false })])
      for (const { name, claimed, stop } of running.values()) {
        // First given back, then aborted: what it does after that no longer counts.
        await queue.boss.fail(name, claimed, { message: 'The worker stopped.' }).catch(() => undefined)
        stop.abort(new Error('The worker stops.'))
      }
    },
  }
}

/** Another try may help if the other side or the database was away, or if it was a bug that will be fixed. */
const retried: ReadonlySet<FaultKind> = new Set(['upstream_retryable', 'unavailable'])
const isPermanent = (error: unknown): boolean => error instanceof Fault && !retried.has(error.kind)

/**
 * Each slot runs one job at a time. pg-boss would let a slot rest after each job, so a slot that got one wakes the next
 * and looks again itself. What it returns lets one slot look: any that is free, so that a shop that lets one wait keeps
 * nobody else waiting.
 */
async function workJob<Context>(
  { boss, due }: Queue,
  { job, concurrency, perform }: WorkJobOptions<Context>,
): Promise<() => void> {
  const slots: string[] = []
  const busy = new Set<number>()
  const wake = (slot: number) => {
    const id = slots[slot % concurrency]
    if (id !== undefined) boss.notifyWorker(id)
  }
  for (let slot = 0; slot < concurrency; slot++) {
    const options = {
      batchSize: 1,
      perJobResults: true,
      pollingIntervalSeconds: restingPollSeconds,
      heartbeatRefreshSeconds: heartbeat.heartbeatRefreshSeconds,
      ...(job.oneAtATime ? { groupConcurrency: 1 } : {}),
    } as const
    slots[slot] = await boss.work<object>(job.name, options, async (claimed) => {
      busy.add(slot)
      wake(slot + 1)
      try {
        return await Promise.all(claimed.map(perform))
      } finally {
        busy.delete(slot)
        wake(slot)
      }
    })
  }
  const look = () => {
    const free = slots.findIndex((_, slot) => !busy.has(slot))
    if (free >= 0) wake(free)
  }
  due.on(job.name, look)
  return look
}

/** For jobs that come due without a notification: asked of all of them together, so that at rest this is all that is asked. */
function lookOften(queue: Queue, looks: ReadonlyMap<string, () => void>, log: Log): NodeJS.Timeout {
  const report = quietly(log)
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      for (const name of await queue.startable()) looks.get(name)?.()
    } catch (error) {
      report(error)
    } finally {
      isAsking = false
    }
  }
  return setInterval(ask, pollSeconds * 1000).unref()
}

interface WorkJobOptions<Context> {
  job: Job<never, Context>
  concurrency: number
  perform: (claimed: ClaimedJob) => Promise<JobResult>
}
