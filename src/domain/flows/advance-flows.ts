import { say } from '../../commerce/words/say.ts'
import { because, Fault } from '../../lib/fault.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { onEachNode } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { startStep } from '../schedules/start-step.ts'
import { type RunEnded, runEnds, runsUnderWay } from '../schedules/step-store.ts'
import { allOrEach } from './all-or-each.ts'
import { brokenAt, type FlowRunEnd } from './flow-run.ts'
import {
  claimOpen,
  clock,
  endFlowRun,
  enterStep,
  type FlowRunPlace,
  type OpenFlowRun,
  openFlowRuns,
  putBehind,
  showLatest,
} from './flow-run-store.ts'

type Needs = Pick<Context, 'db' | 'transaction' | 'connectors' | 'record' | 'enqueue' | 'log'>

const atOnce = 50
const lookAtOnce = 1000

/**
 * Looks at every flow under way once, and writes only where something follows from it. Polled, not notified, so that no end of a run can get lost; any number of
 * workers may look at the same time.
 */
export async function advanceFlows(context: Needs, signal: AbortSignal = new AbortController().signal): Promise<void> {
  const before = await clock(context.db)
  await onEachNode(context, async (node) => {
    let after: FlowRunPlace | undefined
    do {
      const looked = await openFlowRuns(context.db, { before, after, limit: lookAtOnce, node })
      const ids = await thatCanGoOn(context.db, looked)
      for (let from = 0; from < ids.length && !signal.aborted; from += atOnce) {
        await allOrEach(ids.slice(from, from + atOnce), {
          work: (some) => context.transaction((trx) => advanceBatch(context, trx, { before, ids: some })),
          async putOff(id, error) {
            context.log.warn({ err: error, flow_run: id }, 'a flow could not go on, and has its turn after all others')
            await putBehind(context.db, id)
          },
        })
      }
      after = looked.length < lookAtOnce ? undefined : looked.at(-1)
    } while (after && !signal.aborted)
  })
}

/** Whose step is over, or who may begin. */
async function thatCanGoOn(db: Db, looked: readonly FlowRunPlace[]): Promise<number[]> {
  const underWay = await runsUnderWay(db, looked.flatMap(placeOf))
  return looked.filter(({ waits, run_id: runId }) => !waits && !underWay.has(runId ?? 0)).map(({ id }) => id)
}

const placeOf = ({ integration_id: integrationId, run_id: runId }: Pick<FlowRunPlace, 'integration_id' | 'run_id'>) =>
  runId === null ? [] : [{ integrationId, runId }]

async function advanceBatch(context: Needs, trx: Db, whose: { before: string; ids: readonly number[] }): Promise<void> {
  const open = await claimOpen(trx, whose)
  const ends = await runEnds(trx, open.flatMap(placeOf))
  const statuses = new Map<number, string>()
  for (const flowRun of open) {
    const run = flowRun.run_id === null ? undefined : ends.get(flowRun.run_id)
    const status = await advance(context, trx, flowRun, run)
    if (status) statuses.set(flowRun.flow_id, status)
  }
  // In order, so that two who show the same flows never wait crosswise.
  for (const [flowId, status] of [...statuses].sort(([a], [b]) => a - b)) await showLatest(trx, flowId, status)
}

/** How it stands now, if that has changed. */
async function advance(
  context: Needs,
  trx: Db,
  flowRun: OpenFlowRun,
  run: RunEnded | undefined,
): Promise<string | null> {
  if (flowRun.waits) return null
  const underWay = run?.status === 'queued' || run?.status === 'running'
  if (underWay) return null
  if (!isRunning(flowRun.integration)) {
    return await end(trx, flowRun, 'cancelled', logWords('flow.cancelled', { reason: say('not_active') }))
  }
  if (flowRun.status === 'queued') return await enter(context, trx, flowRun, 0)
  if (run?.status !== 'completed') {
    const why = run ? whyOf(run) : null
    if (run?.status !== 'failed' || why === null) return await end(trx, flowRun, 'failed', brokenAt(flowRun, why))
    // Of a run that has failed they are the words of a shop.
    return await end(trx, flowRun, 'failed', brokenAt(flowRun, null), brokenAt(flowRun, why))
  }
  const next = flowRun.step + 1
  if (next >= flowRun.steps.length) return await end(trx, flowRun, 'completed', logWords('flow.completed'))
  return await enter(context, trx, flowRun, next)
}

async function enter(context: Needs, trx: Db, flowRun: OpenFlowRun, step: number): Promise<string> {
  const { action = '', parameters: fields = {} } = flowRun.steps[step] ?? {}
  try {
    const run = await startStep(context, trx, flowRun.integration, { action, fields, flowId: flowRun.flow_id })
    await enterStep(trx, flowRun.id, { step, runId: run.id })
    return 'running'
  } catch (error) {
    // Refused before anything was written: the service cannot do it, or not with these parameters.
    if (!(error instanceof Fault)) throw error
    return await end(trx, flowRun, 'failed', brokenAt({ ...flowRun, step }, because(error)))
  }
}

const whyOf = ({ error, reason }: RunEnded): string | Wording | null =>
  error === null || reason === null ? error : { ...reason, text: error }

/** `said`: why its run has failed, in the words of the shop. */
async function end(
  trx: Db,
  flowRun: OpenFlowRun,
  status: FlowRunEnd['status'],
  words: Wording,
  said: Wording | null = null,
): Promise<string> {
  await endFlowRun(trx, flowRun.id, status === 'completed' ? { status } : { status, error: words.text })
  await appendLog(trx, flowRun.integration_id, {
    level: status === 'failed' ? 'error' : 'info',
    event: `flow.${status}`,
    words,
    ...(said !== null && { said: { words: said } }),
    context: { flow_id: flowRun.flow_id, flow_run_id: flowRun.id },
    runId: flowRun.run_id,
  })
  return status
}
