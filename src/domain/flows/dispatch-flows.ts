import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { readClock } from '../schedules/schedule-store.ts'
import { advanceFlows } from './advance-flows.ts'
import { nextFlowRun } from './flow.ts'
import { claimDueFlows, keepAppointment, queueEverywhere, showLatest } from './flow-run-store.ts'

const atOnce = 10

/** Queues the flows that are due, and takes those under way a step further. */
export const dispatchFlows = job({
  name: 'dispatch-flows',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 120,
  run: async (context: Context, _input, { signal }) => {
    while (!signal.aborted && (await dispatchDueFlows(context)) === atOnce);
    await advanceFlows(context, signal)
  },
})

/** As with schedules: claim, what it starts and the next appointment in one transaction, missed ones come to one. */
export const dispatchDueFlows = (context: Pick<Context, 'transaction'>): Promise<number> =>
  context.transaction(async (trx) => {
    const due = await claimDueFlows(trx, atOnce)
    const now = await readClock(trx)
    for (const flow of due) {
      const busy = await queueEverywhere(trx, flow.id)
      for (const integrationId of busy) {
        await appendLog(trx, integrationId, {
          level: 'warning',
          event: 'flow.skipped',
          message: 'Skipped: the previous run is still in progress.',
          context: { flow_id: flow.id },
        })
      }
      await keepAppointment(trx, flow.id, nextFlowRun(flow, now))
      await showLatest(trx, flow.id, 'running')
    }
    return due.length
  })
