import { installableForApp, installIntegration } from '../../../domain/install/install-integration.ts'
import { placeForApp } from '../../../domain/integrations/place-integration.ts'
import { freeObject, maybe, nameText, object, optional, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { startedInstallationSchema, startedInstallationView } from '../views/integration.ts'
import { accountReference, shopField } from './integrations.ts'

export const installFields = {
  name: nameText(),
  shop: shopField,
  description: maybe(text({ max: 5000 })),
  settings: optional(freeObject('See the `settings_schema` of the service')),
  credentials: maybe(freeObject('See the `credentials_schema` of the service; checked against the shop')),
  return_url: maybe(text({ max: 2000, format: 'url', description: 'One of the app’s `return_urls`' })),
}

export const installDescription =
  '`{resource}` is the type of the service. With credentials that the shop accepts, the integration is ACTIVE at once; otherwise it is PENDING, with an `authorization_url` where there is one.'

const install = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/{resource}/install',
  scope: 'app:integration-create',
  summary: 'Install an integration for a service',
  description: installDescription,
  async find({ context, caller, params }) {
    const tenant = appTenant(caller)
    return { tenant, service: await installableForApp(context.db, tenant, params.resource) }
  },
  body: object({ ...installFields, ...accountReference }),
  example: { name: 'Acme', shop: 'acme.example', remote_id: 'merchant-7', credentials: { api_key: 'key' } },
  returns: record(startedInstallationSchema),
  async handle({ context, found, body }) {
    const { account_id, remote_id, ...input } = body
    const place = await placeForApp(context.db, found.tenant, { account_id, remote_id })
    const started = await installIntegration(context, place, { service: found.service, input })
    return startedInstallationView(context, started)
  },
})

export const appInstall = [install]
