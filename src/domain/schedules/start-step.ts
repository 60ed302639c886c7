import { offers } from '../../commerce/action.ts'
import { connectorFor, type Described } from '../../commerce/connectors.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { checkAction, isLong } from '../actions/perform-action.ts'
import type { Context } from '../context.ts'
import { queueRun } from '../runs/queue-run.ts'
import type { Run } from '../runs/run.ts'
import { insertRun } from '../runs/run-store.ts'
import { turnsOfSteps } from '../runs/turn-store.ts'
import { performStep } from './perform-step.ts'
import { setFlow } from './step-store.ts'

/** Starts an action that nobody waits for, long or short: a run in the caller's transaction, with what will work on it. */
export async function startStep(
  context: Pick<Context, 'connectors' | 'record' | 'enqueue'>,
  trx: Db,
  integration: { id: number } & Described,
  step: { action: string; fields: Record<string, unknown>; scheduleId?: number; flowId?: number },
): Promise<Run> {
  const { action, fields, scheduleId = null, flowId } = step
  const connector = connectorFor(context.connectors, integration)
  if (!connector || !offers(connector, action)) throw invalidField('resource', 'The selected resource is invalid.')
  const { id: integrationId } = integration
  const wanted = { resource: action, input: checkAction(action, fields), scheduleId }
  const run = isLong(action)
    ? await queueRun(context, trx, integrationId, wanted)
    : await insertRun(trx, integrationId, wanted)
  const place = { integrationId, runId: run.id }
  if (!isLong(action))
    await context.enqueue(trx, performStep, place, { turn: { take: turnsOfSteps, of: integrationId } })
  if (flowId !== undefined) await setFlow(trx, place, flowId)
  return run
}
