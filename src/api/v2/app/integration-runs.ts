import { findIntegrationOfApp } from '../../../domain/integrations/integration-store.ts'
import { runAction } from '../../../domain/integrations/run-action.ts'
import { findRun, runList, runScope } from '../../../domain/integrations/run-store.ts'
import { stopRun } from '../../../domain/integrations/stop-run.ts'
import type { ClientCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appTenant } from '../../tenants.ts'
import { actionAnswer, actionBody, pieceOf, viewOutcome } from '../views/action.ts'
import { runSchema, runView } from '../views/run.ts'

const find = ({ context, caller, params }: Finding<ClientCaller, 'integrationId'>) =>
  findIntegrationOfApp(context.db, appTenant(caller), recordId(params.integrationId))

const action = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations/{integrationId}/action',
  scope: 'app:integration-action',
  summary: 'Execute an action',
  description:
    'Short actions answer with their result, `sync_…` and `reconcile` with a run that goes on by itself. What can be run is in the capabilities of the service.',
  status: 200,
  find,
  ...actionBody,
  returns: actionAnswer,
  handle: async ({ context, found, body, caller, request }) =>
    viewOutcome(await runAction(context, found, body, pieceOf(caller, request))),
})

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/integrations/{integrationId}/runs',
  scope: 'app:integration-read',
  summary: 'List runs',
  description: 'Newest first.',
  extension: true,
  find,
  query: listQuery({ filter: ['status', 'resource'], sort: ['id', 'created_at'] }),
  returns: page(runSchema),
  handle: ({ context, found, query }) => listOf(context, runList, runScope(found.id), query, runView),
})

async function findOwnRun(input: Finding<ClientCaller, 'integrationId' | 'run'>) {
  const integration = await find(input)
  return await findRun(input.context.db, integration.id, recordId(input.params.run))
}

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/integrations/{integrationId}/runs/{run}',
  scope: 'app:integration-read',
  summary: 'Get a run',
  extension: true,
  find: findOwnRun,
  returns: record(runSchema),
  handle: async ({ found }) => runView(found),
})

const cancel = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations/{integrationId}/runs/{run}/cancel',
  scope: 'app:integration-action',
  summary: 'Cancel a run',
  description: 'What it has stored stays. A run that is over cannot be cancelled.',
  extension: true,
  status: 200,
  find: findOwnRun,
  returns: record(runSchema),
  handle: async ({ context, found }) => runView(await stopRun(context, found)),
})

export const appIntegrationRuns = [action, list, get, cancel]
