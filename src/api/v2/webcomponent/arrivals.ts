import { claimArrival } from '../../../domain/install/platform-side/claim-arrival.ts'
import { placeForAccount } from '../../../domain/integrations/place-integration.ts'
import { object } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { claimDescription, claimFields } from '../app/arrivals.ts'
import { integrationSchema, integrationView } from '../views/integration.ts'

const claim = endpoint({
  group: groups.webcomponent,
  method: 'POST',
  path: '/arrivals/claim',
  scope: 'webcomponent:integration-create',
  extension: true,
  summary: 'Claim a shop that was installed from the platform',
  description: claimDescription,
  body: object(claimFields),
  example: { code: '7K2M-QX4T-90AB' },
  returns: record(integrationSchema),
  handle: async ({ context, caller, body }) =>
    integrationView(context, await claimArrival(context, { ...placeForAccount(caller), app_id: caller.appId }, body)),
})

export const webcomponentArrivals = [claim]
