import { completeInstall } from '../../domain/install/complete-install.ts'
import { installableForApp, installableForUser, installIntegration } from '../../domain/install/install-integration.ts'
import { chosenService, createIntegration } from '../../domain/integrations/create-integration.ts'
import { integrationsOfUser } from '../../domain/integrations/integration-list-store.ts'
import { findIntegrationOfUser } from '../../domain/integrations/integration-store.ts'
import { placeForUser } from '../../domain/integrations/place-integration.ts'
import { mutable, updateIntegration } from '../../domain/integrations/update-integration.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { recordId } from '../../lib/record-id.ts'
import { freeObject, id, maybe, object } from '../../lib/validation/fields.ts'
import { page, record } from '../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { installFields } from '../v2/app/install.ts'
import { accountReference, integrationBody, integrationListQuery } from '../v2/app/integrations.ts'
import {
  changedIntegration,
  deletedIntegration,
  integrationPage,
  integrationWithIncludesSchema,
  oneIntegration,
} from '../v2/includes/of-integrations.ts'
import { integrationView } from '../v2/views/integration.ts'
import {
  createdIntegrationSchema,
  createdIntegrationView,
  startedInstallationSchema,
  startedInstallationView,
} from './views/integration.ts'

type FindingIntegration = Finding<UserCaller, 'integration'>
const find = ({ context, caller, params }: FindingIntegration) =>
  findIntegrationOfUser(context.db, caller, recordId(params.integration))
const findMutable = async (input: FindingIntegration) => mutable(await find(input))

const ownKeys = { credentials: maybe(freeObject('Keys that the merchant has typed; they are tried at the shop first')) }
const ownApp = { app_id: maybe(id('The app it belongs to; without one it can be claimed later')) }

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/integrations',
  permission: 'read-integration',
  summary: 'List integrations',
  description: 'Those of the apps that the user reaches, and those the user made that belong to no app yet.',
  query: integrationListQuery,
  returns: page(integrationWithIncludesSchema),
  handle: ({ context, caller, query }) => integrationPage(context, integrationsOfUser(caller), query),
})

const get = endpoint({
  group: groups.v1,
  path: '/integrations/{integration}',
  permission: 'read-integration',
  find,
  ...oneIntegration,
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/integrations',
  permission: 'create-integration',
  summary: 'Create an integration',
  description: 'A record that waits for its installation. The gateway key is shown only in this answer.',
  body: object({ ...integrationBody.properties, ...ownApp, ...ownKeys }),
  example: { name: 'Acme', shop: 'acme.example', type: 'sandbox' },
  returns: record(createdIntegrationSchema),
  async handle({ context, caller, body }) {
    const { app_id, account_id, remote_id, credentials, ...input } = body
    const place = await placeForUser(context.db, caller, { app_id, account_id, remote_id })
    if (credentials == null) {
      return createdIntegrationView(context, await createIntegration(context, place, { input, user: caller }))
    }
    const service = await chosenService(context.db, place, caller, input)
    const installed = await installIntegration(context, place, { service, input: { ...input, credentials } })
    return createdIntegrationView(context, installed)
  },
})

const update = endpoint({
  group: groups.v1,
  path: '/integrations/{integration}',
  permission: 'update-integration',
  find: findMutable,
  example: { name: 'Acme (main shop)' },
  ...changedIntegration,
  description: 'Credentials are tried at the shop, and then replace those that there were.',
  body: object({ ...changedIntegration.body.properties, ...ownKeys }),
  async handle({ context, found, body }) {
    const { credentials, ...changes } = body
    // The shop first: what it does not take changes nothing.
    if (credentials != null) await completeInstall(context, found, { credentials })
    return integrationView(context, await updateIntegration(context, found, changes))
  },
})

const remove = endpoint({
  group: groups.v1,
  path: '/integrations/{integration}',
  permission: 'delete-integration',
  find: findMutable,
  ...deletedIntegration,
})

const install = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/{resource}/install',
  permission: 'read-integration',
  summary: 'Install an integration',
  description: '`{resource}` is the type of the service. An app that is named must offer it.',
  find: ({ context, caller, params }) => installableForUser(context.db, caller, params.resource),
  body: object({ ...installFields, ...accountReference, ...ownApp }),
  example: { name: 'Acme', shop: 'acme.example', credentials: { api_key: 'key' } },
  returns: record(startedInstallationSchema),
  async handle({ context, caller, params, found, body }) {
    const { app_id, account_id, remote_id, ...input } = body
    const place = await placeForUser(context.db, caller, { app_id, account_id, remote_id })
    if (place.app_id !== null) await installableForApp(context.db, { appId: place.app_id }, params.resource)
    return startedInstallationView(context, await installIntegration(context, place, { service: found, input }))
  },
})

export const v1Integrations = [list, get, create, update, remove, install]
