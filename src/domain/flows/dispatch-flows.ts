import { Type } from 'typebox'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { readClock } from '../schedules/schedule-store.ts'
import { advanceFlows } from './advance-flows.ts'
import { nextFlowRun } from './flow.ts'
import { claimDueFlows, hasFlows, keepAppointment, queueEverywhere, showLatest } from './flow-run-store.ts'

const atOnce = 10

/** Queues the flows that are due, and takes those under way a step further. */
export const dispatchFlows = job({
  name: 'dispatch-flows',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 120,
  hasWork: ({ db }: Context) => hasFlows(db),
  run: async (context: Context, _input, { signal }) => {
    while (!signal.aborted && (await dispatchDueFlows(context)) === atOnce);
    await advanceFlows(context, signal)
  },
})

/** As with schedules: claim, what it starts and the next appointment in one transaction, missed ones come to one. */
export async function dispatchDueFlows(context: Pick<Context, 'db' | 'transaction' | 'log'>): Promise<number> {
  const { due, skipped } = await context.transaction(claimAndQueue)
  // Each by itself, once all is queued: where a shop's log is away, no other shop has to wait for it.
  for (const { flowId, integrationId } of skipped) {
    await appendLog(context.db, integrationId, {
      level: 'warning',
      event: 'flow.skipped',
      words: logWords('skipped'),
      context: { flow_id: flowId },
    }).catch((error: unknown) => context.log.warn({ err: error, integration: integrationId }, 'a log is away'))
  }
  return due
}

async function claimAndQueue(trx: Db) {
  const due = await claimDueFlows(trx, atOnce)
  const now = await readClock(trx)
  const skipped: { flowId: number; integrationId: number }[] = []
  for (const flow of due) {
    for (const integrationId of await queueEverywhere(trx, flow.id)) skipped.push({ flowId: flow.id, integrationId })
    await keepAppointment(trx, flow.id, nextFlowRun(flow, now))
    await showLatest(trx, flow.id, 'running')
  }
  return { due: due.length, skipped }
}
