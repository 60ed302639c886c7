import { say } from '../../commerce/words/say.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { isRunning } from '../integrations/integration.ts'
import { findIntegrationOfApp, lockIntegration } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { startStep } from '../schedules/start-step.ts'
import type { AppTenant } from '../tenant.ts'
import type { Flow } from './flow.ts'
import type { FlowRun } from './flow-run.ts'
import { insertFlowRun, isUnfinished, queueForEvent, showLatest } from './flow-run-store.ts'

/** Somebody wants it now, on one integration of the app. */
export const startFlow = (
  context: Pick<Context, 'transaction' | 'connectors' | 'record' | 'enqueue'>,
  tenant: AppTenant,
  { flow, integrationId }: { flow: Flow; integrationId: number },
): Promise<FlowRun> =>
  context.transaction(async (trx) => {
    const integration = await findIntegrationOfApp(trx, tenant, integrationId).catch(() => null)
    const fits = integration && (flow.service_id === null || flow.service_id === integration.service_id)
    if (!fits) throw invalidField('integration_id', 'The selected integration id is invalid.')
    if (!flow.active) throw invalidField('active', 'The flow must be active.')
    if (!isRunning(integration)) throw invalidField('status', say('must_be_active'))
    // Two who ask at the same time do not both find it idle.
    await lockIntegration(trx, integration.id)
    if (await isUnfinished(trx, flow.id, integration.id)) throw invalidField('flow', 'The flow is running already.')
    const [first] = flow.steps
    if (!first) throw invalidField('steps', 'The steps field is required.')
    const { action, parameters: fields = {} } = first
    const { id: runId } = await startStep(context, trx, integration, { action, fields, flowId: flow.id })
    const run = await insertFlowRun(trx, { flow, integrationId: integration.id, runId })
    await appendLog(trx, integration.id, {
      level: 'info',
      event: 'flow.started',
      words: logWords('flow.started', { flow: flow.name }),
      context: { flow_id: flow.id },
      runId,
    })
    await showLatest(trx, flow.id, 'running')
    return run
  })

/** The shop has reported an event: the flows that wait for it start, in the transaction that takes the message in. */
export const startFlowsFor = (_context: unknown, trx: Db, integrationId: number, event: string): Promise<void> =>
  queueForEvent(trx, integrationId, event)
