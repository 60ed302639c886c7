import { findRun, runList, runScope } from '../../../domain/integrations/run-store.ts'
import type { AccountCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { runSchema, runView } from '../views/run.ts'
import { findOwn } from './integrations.ts'

const list = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/integrations/{integrationId}/runs',
  scope: 'webcomponent:integration-read',
  summary: 'List runs',
  description: 'Newest first.',
  extension: true,
  find: findOwn,
  query: listQuery({ filter: ['status', 'resource'], sort: ['id', 'created_at'] }),
  returns: page(runSchema),
  handle: ({ context, found, query }) => listOf(context, runList, runScope(found.id), query, runView),
})

const get = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/integrations/{integrationId}/runs/{run}',
  scope: 'webcomponent:integration-read',
  summary: 'Get a run',
  extension: true,
  async find(input: Finding<AccountCaller, 'integrationId' | 'run'>) {
    const integration = await findOwn(input)
    return await findRun(input.context.db, integration.id, recordId(input.params.run))
  },
  returns: record(runSchema),
  handle: async ({ found }) => runView(found),
})

export const webcomponentRuns = [list, get]
