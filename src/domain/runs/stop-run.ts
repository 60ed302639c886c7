import { say } from '../../commerce/words/say.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import type { Run } from './run.ts'
import { cancelRun } from './run-store.ts'

/** Whoever works on it stops before it stores anything more; what has been stored stays. Twice is no harm. */
export async function stopRun(context: Pick<Context, 'transaction'>, run: Run): Promise<Run> {
  if (run.status === 'cancelled') return run
  return await context.transaction(async (trx) => {
    const cancelled = await cancelRun(trx, run.integration_id, run.id)
    if (!cancelled) throw invalidField('status', say('run_over'))
    await appendLog(trx, run.integration_id, {
      level: 'info',
      event: 'run.cancelled',
      words: logWords('run.cancelled'),
      runId: run.id,
    })
    return cancelled
  })
}
