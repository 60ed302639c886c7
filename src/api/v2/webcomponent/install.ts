import { Type } from 'typebox'
import { authorizeIntegration } from '../../../domain/install/authorize-integration.ts'
import { completeInstall } from '../../../domain/install/complete-install.ts'
import { installableForApp, installIntegration } from '../../../domain/install/install-integration.ts'
import { placeForAccount } from '../../../domain/integrations/place-integration.ts'
import { uninstallIntegration } from '../../../domain/integrations/uninstall-integration.ts'
import { freeObject, maybe, object } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { installDescription, installFields } from '../app/install.ts'
import { integrationOfAccountInPath } from '../in-path.ts'
import {
  integrationSchema,
  integrationView,
  startedInstallationSchema,
  startedInstallationView,
  uninstalledIntegrationSchema,
  uninstalledIntegrationView,
} from '../views/integration.ts'

const start = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/service/{resource}/install',
  scope: 'webcomponent:integration-create',
  summary: 'Install an integration',
  description: installDescription,
  find: ({ context, caller, params }) => installableForApp(context.db, caller, params.resource),
  body: object(installFields),
  example: { name: 'My shop', shop: 'acme.example', credentials: { api_key: 'key' } },
  returns: record(startedInstallationSchema),
  handle: async ({ context, caller, found, body }) =>
    startedInstallationView(
      context,
      await installIntegration(context, placeForAccount(caller), { service: found, input: body }),
    ),
})

const complete = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/install',
  scope: 'webcomponent:integration-install',
  summary: 'Complete installation',
  description: 'With the keys of the shop, or with the query that the platform has sent the browser back with.',
  status: 200,
  find: integrationOfAccountInPath,
  body: object({
    credentials: installFields.credentials,
    query: maybe(freeObject('`code`, `state` and whatever else the platform sent')),
  }),
  example: { credentials: { api_key: 'key' } },
  returns: record(integrationSchema),
  handle: async ({ context, found, body }) => integrationView(context, await completeInstall(context, found, body)),
})

const uninstall = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/uninstall',
  scope: 'webcomponent:integration-install',
  right: 'delete-integration',
  summary: 'Uninstall',
  description:
    'The credentials are destroyed. The record stays, and can be installed again. `remains` says what is left in the shop.',
  status: 200,
  find: integrationOfAccountInPath,
  returns: record(uninstalledIntegrationSchema),
  handle: async ({ context, found }) =>
    uninstalledIntegrationView(context, await uninstallIntegration(context, found.id)),
})

const authorize = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/integrations/{integrationId}/authorization',
  scope: 'webcomponent:integration-install',
  extension: true,
  summary: 'Connect a shop again',
  description: 'Where the merchant authorizes the app again; 422 for a service whose keys are typed in.',
  status: 200,
  find: integrationOfAccountInPath,
  body: object({ return_url: installFields.return_url }),
  example: {},
  returns: record(Type.Object({ authorization_url: Type.String() })),
  handle: async ({ context, found, body }) => {
    const input = { shop: null, scopes: null, returnUrl: body.return_url ?? null }
    return { authorization_url: await authorizeIntegration(context, found, input) }
  },
})

export const webcomponentInstall = [start, complete, uninstall, authorize]
