import { claimArrival } from '../../../domain/install/platform-side/claim-arrival.ts'
import { placeForApp } from '../../../domain/integrations/place-integration.ts'
import { maybe, object, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { integrationSchema, integrationView } from '../views/integration.ts'
import { accountReference } from './integrations.ts'

export const claimFields = {
  code: text({ max: 40, description: 'As the merchant was shown it after installing from the platform' }),
  name: maybe(text({ description: 'The address of the shop by default' })),
}

export const claimDescription =
  'For shops that were installed from the platform’s own pages. The code works once, for ten minutes, and only for the app whose registration the merchant has let in.'

const claim = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/arrivals/claim',
  scope: 'app:integration-create',
  extension: true,
  summary: 'Claim a shop that was installed from the platform',
  description: claimDescription,
  find: async ({ caller }) => appTenant(caller),
  body: object({ ...claimFields, ...accountReference }),
  example: { code: '7K2M-QX4T-90AB', remote_id: 'merchant-7' },
  returns: record(integrationSchema),
  async handle({ context, found, body }) {
    const { account_id, remote_id, ...input } = body
    const place = await placeForApp(context.db, found, { account_id, remote_id })
    return integrationView(context, await claimArrival(context, { ...place, app_id: found.appId }, input))
  },
})

export const appArrivals = [claim]
