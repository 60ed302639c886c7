import { Type } from 'typebox'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { readClock } from '../schedules/schedule-store.ts'
import { advanceFlows } from './advance-flows.ts'
import { allOrEach } from './all-or-each.ts'
import { nextFlowRun } from './flow.ts'
import {
  claimDueFlows,
  dueFlows,
  hasFlows,
  keepAppointment,
  putOffFlow,
  queueEverywhere,
  showLatest,
} from './flow-run-store.ts'

type Needs = Pick<Context, 'db' | 'transaction' | 'log'>

const atOnce = 10
const putOffSeconds = 60

/** Queues the flows that are due, and takes those under way a step further: beside each other, however many there are of either. */
export const dispatchFlows = job({
  name: 'dispatch-flows',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 120,
  hasWork: ({ db }: Context) => hasFlows(db),
  run: async (context: Context, _input, { signal }) => {
    const ends = await Promise.allSettled([dispatchAllDue(context, signal), advanceFlows(context, signal)])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  },
})

async function dispatchAllDue(context: Needs, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await dispatchDueFlows(context)) === atOnce);
}

/** As with schedules: claim, what it starts and the next appointment in one transaction, missed ones come to one. */
export async function dispatchDueFlows(context: Needs): Promise<number> {
  const ids = await dueFlows(context.db, atOnce)
  let due = 0
  await allOrEach(ids, {
    async work(some) {
      due += await dispatchSome(context, some)
    },
    async putOff(id, error) {
      due++
      context.log.warn({ err: error, flow: id }, 'a flow could not be started, and is put off')
      await putOffFlow(context.db, id, putOffSeconds)
    },
  })
  return due
}

async function dispatchSome(context: Needs, ids: readonly number[]): Promise<number> {
  const { due, skipped } = await context.transaction((trx) => claimAndQueue(trx, ids))
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

async function claimAndQueue(trx: Db, ids: readonly number[]) {
  const due = await claimDueFlows(trx, ids)
  const now = await readClock(trx)
  const skipped: { flowId: number; integrationId: number }[] = []
  for (const flow of due) {
    for (const integrationId of await queueEverywhere(trx, flow.id)) skipped.push({ flowId: flow.id, integrationId })
    await keepAppointment(trx, flow.id, nextFlowRun(flow, now))
    await showLatest(trx, flow.id, 'running')
  }
  return { due: due.length, skipped }
}
