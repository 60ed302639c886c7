import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { malformed } from '../../lib/fault.ts'
import type { Db } from '../db/connection.ts'

/**
 * Work that is done later by a worker, and again if it failed. A job is a plain value:
 *
 *     export const syncOrders = job({
 *       name: 'sync-orders',
 *       input: Type.Object({ integrationId: Type.Integer() }),
 *       oneAtATime: ({ integrationId }) => `integration:${integrationId}`,
 *       run: async (context: Context, { integrationId }, { signal }) => { … },
 *     })
 *
 * A worker may die after the work is done and before it could say so: a job may run more than once, and must bear that.
 * What it throws decides what follows. A `Fault` of the kind `upstream_retryable` or `unavailable` and every unknown
 * error: it is tried again later. Any other `Fault`: trying again would not help, it goes to the dead letters.
 */
export interface Job<Input = never, Context = never> {
  name: string
  retry: Retry
  /** Longer than any run may take; after that the run counts as failed. */
  maxRunSeconds: number
  /** Runs at the same time in one process; what the worker gives every job where nothing is said. */
  slots: ((context: Context) => number) | undefined
  oneAtATime: ((input: Input) => string) | undefined
  hasWork: ((context: Context) => Promise<boolean>) | undefined
  run(context: Context, input: Input, running: Running): Promise<void>
  /** Checks what the queue holds, since an older version may have written it, and runs. */
  perform(context: Context, data: unknown, running: Running): Promise<void>
}

export interface Retry {
  /** Runs at most, the first one included. Counted when a run starts, so that one which kills its worker counts too. */
  attempts: number
  /** Before the second run; about doubled before each further one. */
  delaySeconds: number
  maxDelaySeconds: number
}

export interface Running {
  /** Aborted when the worker stops or has lost the job: end soon, somebody else will take over. */
  signal: AbortSignal
  /** 1 in the first run. */
  attempt: number
}

export interface JobDefinition<Schema extends TSchema, Context> {
  /** Lower-case letters, digits and hyphens. It names the queue, so it stays the same for ever. */
  name: string
  input: Schema
  retry?: Partial<Retry>
  maxRunSeconds?: number
  slots?: (context: Context) => number
  /** Jobs with the same key run one after the other, over all workers. */
  oneAtATime?: (input: Static<Schema>) => string
  /** Asked before the clock starts it every few seconds: at rest that is one question, in the place of a job that finds nothing. */
  hasWork?: (context: Context) => Promise<boolean>
  run(context: Context, input: Static<Schema>, running: Running): Promise<void>
}

const standardRetry: Retry = { attempts: 5, delaySeconds: 5, maxDelaySeconds: 3600 }

export function job<Schema extends TSchema, Context>(
  definition: JobDefinition<Schema, Context>,
): Job<Static<Schema>, Context> {
  const { name, input, retry, maxRunSeconds = 900, slots, oneAtATime, hasWork, run } = definition
  return {
    name,
    retry: { ...standardRetry, ...retry },
    maxRunSeconds,
    slots,
    oneAtATime,
    hasWork,
    run,
    async perform(context, data, running) {
      if (!Value.Check(input, data)) throw malformed(`The queue holds a ${name} that this version does not understand.`)
      await run(context, data, running)
    },
  }
}

/** Puts a job into the queue in the caller's transaction: it runs if, and only if, that transaction commits. */
export type Enqueue = <Input>(trx: Db, job: Job<Input>, input: Input, options?: EnqueueOptions) => Promise<void>

export interface EnqueueOptions {
  startAfterSeconds?: number
  /** While a job with this key waits, another one with the same key is not added. */
  key?: string
  /**
   * Of the jobs with `oneAtATime` that could start, the one with the smallest turn does: later ones for those who ask for
   * much keep the way free for the others. Without it the job has its turn now.
   */
  turn?: { take: TakeTurns; of: number }
}

/**
 * Says which turns jobs have, in their order. Given are whose they are, and the turn that the queue has reached (null while
 * nothing waits). Asked once for all that a transaction enqueues, at its end: whoever counts turns locks the count.
 */
export type TakeTurns = (trx: Db, of: readonly number[], reached: number | null) => Promise<readonly number[]>

/** A job that the clock starts. */
export interface Recurring<Context = never> {
  /** Seconds from one start to the next, or a cron expression. */
  interval: number | string
  job: Job<never, Context>
  input: object
  /** What it may not run beside, as `oneAtATime` of the job says. */
  key: string
}

/** `every('5 seconds', dispatchDue)`, `every('1 hour', …)`, or a cron expression (UTC, to the minute). */
export function every<Context>(interval: string, recurring: Job<Record<never, never>, Context>): Recurring<Context>
export function every<Input extends object, Context>(
  interval: string,
  recurring: Job<Input, Context>,
  input: Input,
): Recurring<Context>
export function every(interval: string, recurring: Job<object>, input: object = {}): Recurring {
  const key = recurring.oneAtATime?.(input) ?? recurring.name
  return { interval: inSeconds(interval) ?? interval, job: recurring, input, key }
}

const units: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 }

function inSeconds(interval: string): number | undefined {
  const [, count, unit] = /^([1-9]\d*) (second|minute|hour|day)s?$/.exec(interval) ?? []
  return count && unit ? Number(count) * (units[unit] ?? 1) : undefined
}
