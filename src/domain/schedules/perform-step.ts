import { Type } from 'typebox'
import { isActionName } from '../../commerce/action.ts'
import { Fault } from '../../lib/fault.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { type ActionOutcome, startAction } from '../integrations/run-action.ts'
import { appendLog } from '../logs/log-store.ts'
import { beginStep, endStep, type Step, type StepEnd } from './step-store.ts'

/** A short action that the clock or a flow has started: a run of its own, done at one go. */
export const performStep = job({
  name: 'perform-step',
  input: Type.Object({ integrationId: Type.Integer(), runId: Type.Integer() }),
  retry: { attempts: 5, delaySeconds: 2, longestDelaySeconds: 60 },
  oneAtATime: ({ integrationId }) => `integration:${integrationId}`,
  run: async (context: Context, place) => {
    const step = await context.transaction((trx) => beginStep(trx, place))
    if (!step) return
    const end = await perform(context, place.integrationId, step)
    await context.transaction(async (trx) => {
      if (!(await endStep(trx, place, end))) return
      await appendLog(trx, place.integrationId, {
        level: end.status === 'failed' ? 'error' : 'info',
        event: `run.${end.status}`,
        message: end.status === 'completed' ? 'Done.' : end.error,
        runId: place.runId,
      })
    })
  },
})

async function perform(
  context: Context,
  integrationId: number,
  { resource, input, begunBefore }: Step,
): Promise<StepEnd> {
  // A worker died in the middle. Asking twice does no harm; doing twice might.
  if (begunBefore && !isReading(resource)) {
    return { status: 'failed', error: 'It was interrupted, and is not repeated: the shop may have done it.' }
  }
  if (!isActionName(resource)) return { status: 'failed', error: 'The service cannot do this.' }
  try {
    const integration = await readIntegration(context.db, integrationId)
    if (!isRunning(integration)) return { status: 'cancelled', error: 'The integration is not active.' }
    const outcome = await startAction(context, integration, { name: resource, fields: fieldsOf(input) })
    return { status: 'completed', result: resultOf(outcome) }
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    if (error instanceof Fault) return { status: 'failed', error: error.message }
    context.log.error({ err: error, integration: integrationId }, 'a step failed')
    return { status: 'failed', error: 'Something went wrong on our side.' }
  }
}

const isReading = (resource: string): boolean => resource.startsWith('get_') || resource === 'test_connection'

const fieldsOf = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null ? { ...input } : {}

/** Of what was only read it says how much it was: nobody asked for it to be kept. */
function resultOf(outcome: ActionOutcome): Record<string, unknown> {
  if (outcome.kind === 'run') return { run_id: outcome.run.id }
  if (outcome.kind === 'one') return { result: outcome.result }
  return { count: outcome.items.length, set_aside: outcome.setAside.length, next_cursor: outcome.next }
}
