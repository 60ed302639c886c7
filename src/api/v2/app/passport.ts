import { integrationsOfApp } from '../../../domain/integrations/integration-list-store.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { allIntegrations, findEver, passportByNumber, passportOfOrder } from '../includes/of-passports.ts'
import { namesIntegration, shopOfApp } from '../shop-data.ts'

const ofOrder = endpoint({
  group: groups.app,
  scope: 'app:integration-read',
  find: async (input) => await findEver(input.context, await shopOfApp(input), input.params.order),
  ...passportOfOrder,
})

const byNumber = endpoint({
  group: groups.app,
  scope: 'app:integration-read',
  find: async (input) =>
    namesIntegration(input.request.queryString)
      ? [await shopOfApp(input)]
      : await allIntegrations(input.context, integrationsOfApp(appTenant(input.caller))),
  ...passportByNumber,
})

export const appPassport = [ofOrder, byNumber]
