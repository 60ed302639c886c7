import { Type } from 'typebox'
import { type Job, job } from '../../runtime/jobs/job.ts'
import { runTrace, traced } from '../../runtime/telemetry/trace.ts'
import type { Context } from '../context.ts'
import type { Facts } from '../fact.ts'
import { inShare, usualRunSlots } from '../shop/shares/share.ts'
import { workRun } from './work-run.ts'

/**
 * Long work on an integration, a turn at a time; one run per integration. How often a run may fail is its own count
 * (`work-run.ts`), because it is only vain attempts that count: so the queue brings back what a dead worker left as often
 * as it takes, and soon.
 */
export const performRun: Job<Facts['run.queued'], Context> = job({
  name: 'perform-run',
  input: Type.Object({ integrationId: Type.Integer(), runId: Type.Integer() }),
  retry: { attempts: 1000, delaySeconds: 2, maxDelaySeconds: 15 },
  maxRunSeconds: 3600,
  slots: ({ runSlots = usualRunSlots }) => runSlots,
  oneAtATime: ({ integrationId }) => `integration:${integrationId}`,
  run: (context: Context, input, { signal }) =>
    inShare(context, performRun, input, () => takeTurn(context, input, signal)),
})

async function takeTurn(context: Context, input: Facts['run.queued'], signal: AbortSignal): Promise<void> {
  const { integrationId, runId } = input
  const turn = {
    trace: runTrace(integrationId, runId),
    name: 'run.turn',
    attributes: { integration_id: integrationId, run_id: runId },
  }
  const seconds = await traced(
    context.trace,
    () => [turn],
    () => workRun(context, input, signal),
  )
  if (seconds === null) return
  await context.transaction(async (trx) => {
    // A turn that is over lets the others go first; waiting holds no worker.
    if (seconds === 0) await context.record(trx, 'run.queued', input)
    else await context.enqueue(trx, performRun, input, { startAfterSeconds: seconds })
  })
}
