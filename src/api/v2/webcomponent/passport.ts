import { integrationsOfAccount } from '../../../domain/integrations/integration-list-store.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { allIntegrations, findEver, passportByNumber, passportOfOrder } from '../includes/of-passports.ts'
import { namesIntegration, shopOfAccount } from '../shop-data.ts'

const ofOrder = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: async (input) => await findEver(input.context, await shopOfAccount(input), input.params.order),
  ...passportOfOrder,
})

const byNumber = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: async (input) =>
    namesIntegration(input.request.queryString)
      ? [await shopOfAccount(input)]
      : await allIntegrations(input.context, integrationsOfAccount(input.caller)),
  ...passportByNumber,
})

export const webcomponentPassport = [ofOrder, byNumber]
