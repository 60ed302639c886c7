import { connectorFor } from '../../commerce/connectors.ts'
import { say } from '../../commerce/words/say.ts'
import { afterCommit } from '../../runtime/db/commit/around-commit.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import type { Context } from '../context.ts'
import { publicType } from '../integrations/integration.ts'
import { compareSoon, readIntegration, setCompleteness, touchLastRun } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { completedWords, wordsOfEnd } from '../runs/run.ts'
import { emitRun } from '../runs/run-events.ts'
import { type Claim, endRun, type RunEnd } from '../runs/run-store.ts'
import { completenessOf, type Passes, syncResult } from './completeness.ts'
import { isReconciliation, type Plan } from './plan-run.ts'
import { noticeSilence } from './silence/notice-silence.ts'
import { addTo, emptyTally } from './sync.ts'
import { forgetSeen } from './vanished-store.ts'

type Ending = { plan: Plan; passes: Passes } | Exclude<RunEnd, { status: 'completed' }>

/** The run is over: result, log and what the integration shows, together. Nothing happens if somebody else has it. */
export async function endWork(context: Context, claim: Claim, ending: Ending): Promise<void> {
  const { integrationId } = claim
  await context.transaction(async (trx) => {
    const at = await databaseTime(trx)
    const integration = await readIntegration(trx, integrationId)
    const completeness =
      'plan' in ending && isReconciliation(ending.plan)
        ? completenessOf(ending.passes, { at, before: integration.completeness })
        : null
    const end = 'plan' in ending ? endOf(ending.passes, completeness) : ending
    const ended = await endRun(trx, claim, { ...end, idle: 'plan' in ending && isIdle(ending.passes) })
    if (!ended) return
    afterCommit(trx, () => {
      const seconds = (Date.parse(at) - Date.parse(ended.started_at ?? at)) / 1000
      const labels = { service: publicType(integration), action: ended.resource, outcome: end.status }
      context.metrics?.runSeconds.observe(labels, seconds)
    })
    if (completeness) await setCompleteness(trx, integrationId, completeness)
    else if (integration.completeness === null && end.status === 'completed') await compareSoon(trx, integrationId)
    await touchLastRun(trx, integrationId)
    if ('plan' in ending) {
      const topics = connectorFor(context.connectors, integration)?.webhooks?.topics
      await noticeSilence(trx, claim, { passes: ending.passes, tellsNew: topics?.['order.created'] !== undefined })
    }
    if (ended.quiet) return
    await appendLog(trx, integrationId, {
      level: end.status === 'failed' ? 'error' : 'info',
      event: `run.${end.status}`,
      ...wordsOfEnd(end, completedWords(ended.resource, 'plan' in ending ? sumOf(ending.passes) : {})),
      runId: claim.id,
      ...('result' in end && { context: end.result }),
    })
    await emitRun(trx, claim)
  })
  await forgetSeen(context.db, integrationId)
}

/** Whether there was nothing new in what was read. */
const isIdle = (passes: Passes): boolean =>
  passes.every(
    ([, { tally }]) =>
      tally.inserted + tally.updated + tally.deleted + tally.set_aside + tally.suspicious_deletes === 0,
  )

const sumOf = (passes: Passes) => ({ ...passes.reduce((sum, [, { tally }]) => addTo(sum, tally), emptyTally) })

/** Nobody may call it done when none of what was read could be stored. */
function endOf(passes: Passes, completeness: object | null): RunEnd {
  const result = resultOf(passes, completeness)
  const { read, set_aside: count } = sumOf(passes)
  if (count === 0 || count < read) return { status: 'completed', result }
  const error = say('none_readable', { count })
  return { status: 'failed', error, result }
}

function resultOf(passes: Passes, completeness: object | null): Readonly<Record<string, unknown>> {
  if (completeness) return { ...completeness }
  const [first] = passes
  return first ? syncResult(first[1]) : {}
}
