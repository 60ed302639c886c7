import { Type } from 'typebox'
import { isActionName } from '../../commerce/action.ts'
import { say } from '../../commerce/words/say.ts'
import { because, Fault } from '../../lib/fault.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import { type Job, job } from '../../runtime/jobs/job.ts'
import { type ActionOutcome, startAction } from '../actions/run-action.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { completedWords, wordsOfEnd } from '../runs/run.ts'
import { inShare } from '../shop/shares/share.ts'
import { beginStep, endStep, type Step, type StepEnd } from './step-store.ts'

const maxAttempts = 10

/**
 * A short action that the clock or a flow has started: a run of its own. A change whose end nobody saw, because the
 * worker died or the answer was lost, is looked for in the shop before it is sent again: it is the same change as long
 * as it is the same run.
 */
export const performStep: Job<Place, Context> = job({
  name: 'perform-step',
  input: Type.Object({ integrationId: Type.Integer(), runId: Type.Integer() }),
  // Long enough for what a dead worker held to be free again, and for the shop to have finished with it.
  retry: { attempts: maxAttempts, delaySeconds: 2, maxDelaySeconds: 60 },
  oneAtATime: ({ integrationId }) => `integration:${integrationId}`,
  run: (context: Context, place, { attempt }) =>
    inShare(context, performStep, place, () => takeStep(context, place, attempt)),
})

interface Place {
  integrationId: number
  runId: number
}

async function takeStep(context: Context, place: Place, attempt: number): Promise<void> {
  const step = await context.transaction((trx) => beginStep(trx, place))
  if (!step) return
  const end = await perform(context, place, { ...step, last: attempt >= maxAttempts })
  await context.transaction(async (trx) => {
    if (!(await endStep(trx, place, end))) return
    await appendLog(trx, place.integrationId, {
      level: end.status === 'failed' ? 'error' : 'info',
      event: `run.${end.status}`,
      ...wordsOfEnd(end, completedWords(step.resource)),
      runId: place.runId,
    })
  })
}

async function perform(
  context: Context,
  { integrationId, runId }: Place,
  { resource, input, last }: Step & { last: boolean },
): Promise<StepEnd> {
  if (!isActionName(resource)) return { status: 'failed', error: say('not_supported') }
  try {
    const integration = await readIntegration(context.db, integrationId)
    if (!isRunning(integration)) return { status: 'cancelled', error: say('not_active') }
    const wanted = { name: resource, fields: fieldsOf(input), workKey: `run ${runId}` }
    return { status: 'completed', ...resultOf(await startAction(context, integration, wanted)) }
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    if (!(error instanceof Fault)) {
      context.log.error({ err: error, integration: integrationId }, 'a step failed')
      return { status: 'failed', error: say('internal_error') }
    }
    // The shop is away, or it is not certain yet what it has done: nobody may call that a failure.
    if (error.kind === 'upstream_retryable' && !isReading(resource) && !last) throw error
    return { status: 'failed', error: because(error) }
  }
}

const isReading = (resource: string): boolean => resource.startsWith('get_') || resource === 'test_connection'

const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null ? { ...input } : {}

/** Of records it says how many or which: nobody asked for them, and for whoever is in them, to be kept. */
function resultOf(outcome: ActionOutcome): Pick<Extract<StepEnd, { status: 'completed' }>, 'result' | 'isPlain'> {
  if (outcome.kind === 'run') return { isPlain: true, result: { run_id: outcome.run.id } }
  if (outcome.kind === 'one') {
    const { result } = outcome
    const isRecord = typeof result === 'object' && result !== null && 'remote_id' in result
    return { isPlain: isRecord, result: { result: isRecord ? { remote_id: result.remote_id } : result } }
  }
  const counts = { count: outcome.items.length, set_aside: outcome.quarantined.length }
  return { isPlain: true, result: { ...counts, next_cursor: outcome.next } }
}
