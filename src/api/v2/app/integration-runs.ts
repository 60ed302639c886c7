import { runAction } from '../../../domain/actions/run-action.ts'
import { stopRun } from '../../../domain/runs/stop-run.ts'
import type { ClientCaller } from '../../../domain/tenant.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationOfAppInPath } from '../in-path.ts'
import { findRunOf, oneRun, runList } from '../includes/of-runs.ts'
import { actionAnswer, actionBody, viewOutcome, workKeyOf } from '../views/action.ts'
import { runSchema, runView } from '../views/run.ts'

const action = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations/{integrationId}/action',
  scope: 'app:integration-action',
  summary: 'Execute an action',
  description:
    'Short actions answer with their result, `sync_…` and `reconcile` with a run that continues in the background. What can be run is in the capabilities of the service.',
  status: 200,
  find: integrationOfAppInPath,
  ...actionBody,
  returns: actionAnswer,
  handle: async ({ context, found, body, caller, request }) =>
    viewOutcome(await runAction(context, found, body, workKeyOf(caller, request))),
})

const list = endpoint({ group: groups.app, scope: 'app:integration-read', find: integrationOfAppInPath, ...runList })

const findOwnRun = async (input: Finding<ClientCaller, 'integrationId' | 'run'>) =>
  await findRunOf(input.context, await integrationOfAppInPath(input), input.params.run)

const get = endpoint({ group: groups.app, scope: 'app:integration-read', find: findOwnRun, ...oneRun })

const cancel = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations/{integrationId}/runs/{run}/cancel',
  scope: 'app:integration-action',
  summary: 'Cancel a run',
  description: 'Records already stored are kept. A finished run cannot be cancelled.',
  extension: true,
  status: 200,
  find: findOwnRun,
  returns: record(runSchema),
  handle: async ({ context, found }) => runView(await stopRun(context, found)),
})

export const appIntegrationRuns = [action, list, get, cancel]
