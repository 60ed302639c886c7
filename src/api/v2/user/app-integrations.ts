import { claimIntegration } from '../../../domain/integrations/claim-integration.ts'
import { integrationsOfApp } from '../../../domain/integrations/integration-list-store.ts'
import { findIntegrationBelow, readIntegration } from '../../../domain/integrations/integration-store.ts'
import { rotateGatewayKey } from '../../../domain/integrations/rotate-gateway-key.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { forbidden } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import { object } from '../../../lib/validation/fields.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { accountReference, claimProof, integrationListQuery } from '../app/integrations.ts'
import { appInPath } from '../in-path.ts'
import { integrationPage, integrationWithIncludesSchema, oneIntegration } from '../includes/of-integrations.ts'
import { gatewayKeySchema, integrationSchema, integrationView } from '../views/integration.ts'

const find = async (input: Finding<UserCaller, 'appId' | 'integrationId'>) => {
  const app = await appInPath(input)
  return await findIntegrationBelow(input.context.db, { appId: app.id }, recordId(input.params.integrationId))
}

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/integrations',
  right: 'read-integration',
  summary: 'List app integrations',
  find: appInPath,
  query: integrationListQuery,
  returns: page(integrationWithIncludesSchema),
  handle: ({ context, found, query }) => integrationPage(context, integrationsOfApp({ appId: found.id }), query),
})

const get = endpoint({
  group: groups.user,
  path: '/apps/{appId}/integrations/{integrationId}',
  right: 'read-integration',
  find,
  ...oneIntegration,
})

const claim = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/integrations/{integrationId}/claim',
  right: 'update-integration',
  summary: 'Claim an integration',
  description:
    'Takes an integration that belongs to no app into this one. It needs its `integrationKey` and a `code` of its owner.',
  status: 200,
  async find(input: Finding<UserCaller, 'appId' | 'integrationId'>) {
    const app = await appInPath(input)
    const integration = await readIntegration(input.context.db, recordId(input.params.integrationId))
    if (integration.app_id !== null && integration.app_id !== app.id) throw forbidden()
    return { app, integration }
  },
  body: object({ ...claimProof, ...accountReference }),
  example: { integrationKey: '4f0b8a52-2d5e-4f4e-9f0e-0a1b2c3d4e5f', code: '7K2M-QX4T-90AB' },
  returns: record(integrationSchema),
  handle: async ({ context, found, body }) =>
    integrationView(
      context,
      await claimIntegration(context, { appId: found.app.id }, { id: found.integration.id, ...body }),
    ),
})

const gatewayKey = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/integrations/{integrationId}/gateway-key',
  right: 'manage-access',
  summary: 'Make a new gateway key',
  description: 'It is shown only in this answer. The previous key stays valid for 24 hours.',
  extension: true,
  find,
  returns: record(gatewayKeySchema),
  handle: async ({ context, caller, found }) => ({
    integration_id: found.id,
    gateway_key: await rotateGatewayKey(context, caller, found.id),
  }),
})

export const userAppIntegrations = [list, get, claim, gatewayKey]
