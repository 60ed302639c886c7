import { pruneInstalls } from './domain/integrations/prune-installs.ts'
import { runActionJob } from './domain/integrations/run-action-job.ts'
import { keepLogMonths } from './domain/logs/keep-log-months.ts'
import { pruneTokens } from './domain/oauth/prune-tokens.ts'
import { every } from './runtime/jobs/job.ts'

/** The whole asynchronous behaviour on one page: every job, and what starts it. */
export const jobs = [pruneTokens, runActionJob, pruneInstalls, keepLogMonths]

/** Started by the clock. */
export const recurring = [
  every('17 * * * *', pruneTokens, {}),
  every('37 * * * *', pruneInstalls, {}),
  every('23 3 * * *', keepLogMonths, {}),
]
