import { runAction } from '../../../domain/actions/run-action.ts'
import { actionOfEvent, runEvent } from '../../../domain/actions/run-event.ts'
import { integrationsOfAccount } from '../../../domain/integrations/integration-list-store.ts'
import { mutable, setIntegrationLogo } from '../../../domain/integrations/update-integration.ts'
import { storeLogo } from '../../../domain/logos/store-logo.ts'
import { listLogs } from '../../../domain/logs/log-store.ts'
import type { AccountCaller } from '../../../domain/tenant.ts'
import { freeObject, maybe, object, text } from '../../../lib/validation/fields.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationListQuery } from '../app/integrations.ts'
import { integrationOfAccountInPath } from '../in-path.ts'
import {
  changedIntegration,
  enteredMessages,
  integrationPage,
  integrationWithIncludesSchema,
  oneIntegration,
} from '../includes/of-integrations.ts'
import { actionAnswer, actionBody, natureOf, viewOutcome, workKeyOf } from '../views/action.ts'
import { logSchema, logView } from '../views/log.ts'
import { logoSchema, logoUpload, logoView } from '../views/logo.ts'

const findMutable = async (input: Finding<AccountCaller, 'integrationId'>) =>
  mutable(await integrationOfAccountInPath(input))

const list = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/integrations',
  scope: 'webcomponent:integration-read',
  summary: "List the account's integrations",
  query: integrationListQuery,
  returns: page(integrationWithIncludesSchema),
  handle: ({ context, caller, query }) => integrationPage(context, integrationsOfAccount(caller), query),
})

const get = endpoint({
  group: groups.webcomponent,
  path: '/integrations/{integrationId}',
  scope: 'webcomponent:integration-read',
  find: integrationOfAccountInPath,
  ...oneIntegration,
})

const messageAddress = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-update',
  find: findMutable,
  example: { renew: false },
  ...enteredMessages,
})

const update = endpoint({
  group: groups.webcomponent,
  path: '/integrations/{integrationId}',
  scope: 'webcomponent:integration-update',
  find: findMutable,
  example: { name: 'My shop' },
  ...changedIntegration,
})

const event = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/event',
  scope: 'webcomponent:integration-event',
  summary: 'Run an event',
  description: 'Each event stands for one action; `payload` holds the fields of that action.',
  status: 200,
  find: integrationOfAccountInPath,
  body: object({ event: text({ examples: ['orders.sync'] }), payload: maybe(freeObject()) }),
  example: { event: 'orders.sync', payload: {} },
  returns: actionAnswer,
  ...natureOf((body) => (typeof body['event'] === 'string' ? actionOfEvent(body['event']) : undefined)),
  handle: async ({ context, found, body, caller, request }) => {
    const { event, payload } = body
    const workKey = workKeyOf(caller, request)
    return viewOutcome(await runEvent(context, found, { event, payload: payload ?? {}, workKey }))
  },
})

const actions = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/actions',
  scope: 'webcomponent:integration-event',
  summary: 'Execute an action',
  description: 'Short actions answer with their result, `sync_…` with a run that continues in the background.',
  status: 200,
  find: integrationOfAccountInPath,
  ...actionBody,
  returns: actionAnswer,
  handle: async ({ context, found, body, caller, request }) =>
    viewOutcome(await runAction(context, found, body, workKeyOf(caller, request))),
})

const logo = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/logo',
  scope: 'webcomponent:integration-read',
  summary: 'Upload logo',
  ...logoUpload,
  find: findMutable,
  returns: record(logoSchema),
  handle: async ({ context, found, request }) =>
    logoView(context, await storeLogo(context, request.upload, setIntegrationLogo(found.id))),
})

const logs = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/integrations/{integrationId}/logs',
  scope: 'webcomponent:integration-read',
  summary: 'Get integration logs',
  description:
    'Newest first. `q` finds entries by a part of our own words, not of what a shop has said (that is sealed), `since` and `until` by their time.',
  find: integrationOfAccountInPath,
  query: listQuery({ filter: ['level', 'event', 'run_id', 'q', 'since', 'until'], sort: ['id', 'created_at'] }),
  returns: page(logSchema),
  handle: async ({ context, found, query }) => {
    const { rows, total } = await listLogs(context.reader, found.id, query)
    return { rows: rows.map(logView), total }
  },
})

export const webcomponentIntegrations = [list, get, update, messageAddress, event, actions, logo, logs]
