import type { Context } from './domain/context.ts'
import type { Facts } from './domain/fact.ts'
import { pruneInstalls } from './domain/integrations/prune-installs.ts'
import { keepLogMonths } from './domain/logs/keep-log-months.ts'
import { pruneTokens } from './domain/oauth/prune-tokens.ts'
import { performRun } from './domain/sync/perform-run.ts'
import { queueComparisons } from './domain/sync/queue-comparisons.ts'
import { startFirstSync } from './domain/sync/start-first-sync.ts'
import { type Enqueue, every, type Job } from './runtime/jobs/job.ts'

/** The whole asynchronous behaviour on one page: every job, and what starts it. */
export const jobs = [performRun, startFirstSync, queueComparisons, pruneTokens, pruneInstalls, keepLogMonths]

/** Started by the clock. */
export const recurring = [
  every('10 minutes', queueComparisons, {}),
  every('17 * * * *', pruneTokens, {}),
  every('37 * * * *', pruneInstalls, {}),
  every('23 3 * * *', keepLogMonths, {}),
]

/** Started by what has happened. */
const reactions: { readonly [Name in keyof Facts]: readonly Job<Facts[Name], Context>[] } = {
  'integration.installed': [startFirstSync],
  'run.queued': [performRun],
}

export const recorder =
  (enqueue: Enqueue): Context['record'] =>
  async (trx, fact, about) => {
    for (const reaction of reactions[fact]) await enqueue(trx, reaction, about)
  }
