import { claimIntegration } from '../../../domain/integrations/claim-integration.ts'
import { createIntegration } from '../../../domain/integrations/create-integration.ts'
import { integrationsOfApp } from '../../../domain/integrations/integration-list-store.ts'
import {
  findIntegrationByKey,
  findIntegrationOfApp,
  readIntegration,
} from '../../../domain/integrations/integration-store.ts'
import { moveIntegration } from '../../../domain/integrations/move-integration.ts'
import { placeForApp } from '../../../domain/integrations/place-integration.ts'
import { mutable } from '../../../domain/integrations/update-integration.ts'
import type { ClientCaller } from '../../../domain/tenant.ts'
import { forbidden } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import {
  flag,
  freeObject,
  id,
  maybe,
  nameText,
  object,
  optional,
  requiredWithout,
  text,
} from '../../../lib/validation/fields.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { integrationOfAppInPath } from '../in-path.ts'
import {
  changedIntegration,
  deletedIntegration,
  enteredMessages,
  integrationIncludes,
  integrationPage,
  integrationWithIncludesSchema,
  oneIntegration,
} from '../includes/of-integrations.ts'
import {
  createdIntegrationSchema,
  createdIntegrationView,
  integrationSchema,
  integrationView,
} from '../views/integration.ts'

export const integrationListQuery = listQuery({
  filter: ['status', 'service_id', 'account_id', 'type', 'shop', 'active', 'q'],
  sort: ['id', 'name', 'status', 'created_at', 'updated_at'],
  include: integrationIncludes,
})

export const accountReference = {
  account_id: maybe(id('The account it is for')),
  remote_id: maybe(text({ description: 'The account it is for, by the app’s own name' })),
}

export const shopField = text({
  max: 2000,
  description:
    'The address of the shop, as it is copied from a browser; its host name is kept, and `settings.base_url` if it says more',
  examples: ['acme.example'],
})

export const integrationBody = object({
  name: nameText(),
  shop: shopField,
  type: requiredWithout('service_id', text({ max: 64, description: 'Type of the service' })),
  service_id: requiredWithout('type', id()),
  description: maybe(text({ max: 5000 })),
  settings: optional(freeObject('What the service asks for, and what the app keeps there')),
  active: optional(flag()),
  ...accountReference,
})

const findMutable = async (input: Finding<ClientCaller, 'integrationId'>) =>
  mutable(await integrationOfAppInPath(input))

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/integrations',
  scope: 'app:integration-read',
  summary: 'List integrations',
  find: async ({ caller }) => appTenant(caller),
  query: integrationListQuery,
  returns: page(integrationWithIncludesSchema),
  handle: ({ context, found, query }) => integrationPage(context, integrationsOfApp(found), query),
})

const get = endpoint({
  group: groups.app,
  path: '/integrations/{integration}',
  scope: 'app:integration-read',
  find: async ({ context, caller, params }) =>
    await findIntegrationOfApp(context.db, appTenant(caller), recordId(params.integration)),
  ...oneIntegration,
})

const create = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations',
  scope: 'app:integration-create',
  summary: 'Create an integration',
  description: 'A record that waits for its installation. The gateway key is shown only in this answer.',
  find: async ({ caller }) => appTenant(caller),
  body: integrationBody,
  example: { name: 'Acme', shop: 'acme.example', type: 'sandbox', remote_id: 'merchant-7' },
  returns: record(createdIntegrationSchema),
  async handle({ context, found, body }) {
    const { account_id, remote_id, ...input } = body
    const place = await placeForApp(context.db, found, { account_id, remote_id })
    return createdIntegrationView(context, await createIntegration(context, place, { input, user: null }))
  },
})

const messageAddress = endpoint({
  group: groups.app,
  scope: 'app:integration-update',
  find: findMutable,
  example: { renew: false },
  ...enteredMessages,
})

const update = endpoint({
  group: groups.app,
  path: '/integrations/{integrationId}',
  scope: 'app:integration-update',
  find: findMutable,
  example: { name: 'Acme (main shop)' },
  ...changedIntegration,
})

const remove = endpoint({
  group: groups.app,
  path: '/integrations/{integrationId}',
  scope: 'app:integration-delete',
  find: findMutable,
  ...deletedIntegration,
})

const setStatus = endpoint({
  group: groups.app,
  method: 'PATCH',
  path: '/integrations/{integrationKey}/status',
  scope: 'app:integration-update',
  summary: 'Update integration status',
  description: 'By the `integrationKey` or the id.',
  find: async ({ context, caller, params }) =>
    await findIntegrationByKey(context.db, appTenant(caller), params.integrationKey),
  body: object({ status: text({ examples: ['INACTIVE'] }) }),
  example: { status: 'INACTIVE' },
  returns: record(integrationSchema),
  handle: async ({ context, found, body }) =>
    integrationView(context, await moveIntegration(context, { id: found.id, status: body.status })),
})

/** What an integration that belongs to no app is claimed with. */
export const claimProof = {
  integrationKey: maybe(text({ format: 'uuid' })),
  code: maybe(text({ max: 40, description: 'As its owner made it; works once, for ten minutes' })),
}

const claim = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations/{integrationId}/claim',
  scope: 'app:integration-claim',
  summary: 'Claim an integration',
  description:
    'Gives an integration without an account to one of the app’s accounts. One that belongs to no app needs its `integrationKey` and a `code` of its owner.',
  status: 200,
  async find({ context, caller, params }) {
    const tenant = appTenant(caller)
    const integration = await readIntegration(context.db, recordId(params.integrationId))
    if (integration.app_id !== null && integration.app_id !== tenant.appId) throw forbidden()
    return { tenant, integration }
  },
  body: object({
    remote_id: requiredWithout('account_id', text()),
    account_id: requiredWithout('remote_id', id()),
    ...claimProof,
  }),
  example: { remote_id: 'merchant-7' },
  returns: record(integrationSchema),
  handle: async ({ context, found, body }) =>
    integrationView(context, await claimIntegration(context, found.tenant, { id: found.integration.id, ...body })),
})

export const appIntegrations = [list, get, create, update, messageAddress, remove, setStatus, claim]
