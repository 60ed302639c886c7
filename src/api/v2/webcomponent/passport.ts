import { integrationsOfAccount } from '../../../domain/integrations/integration-store.ts'
import { findOrderEver } from '../../../domain/orders/order-record-store.ts'
import { readPassport } from '../../../domain/passport/read-passport.ts'
import { recordId } from '../../../lib/record-id.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import {
  allIntegrations,
  byNumberAnswer,
  byNumberDescription,
  byNumberQuery,
  passportByNumber,
} from '../includes/passport-by-number.ts'
import { namesIntegration, ofOneIntegration, shopOfAccount } from '../shop-data.ts'
import { passportDescription, passportSchema, passportView } from '../views/passport.ts'

const ofOrder = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/orders/{order}/passport',
  scope: 'webcomponent:integration-read',
  summary: 'Get the passport of an order',
  description: passportDescription,
  extension: true,
  find: async (input) =>
    await findOrderEver(input.context.db, (await shopOfAccount(input)).id, recordId(input.params.order)),
  query: listQuery({ required: ofOneIntegration, sort: [] }),
  returns: record(passportSchema),
  handle: async ({ context, found }) => passportView(await readPassport(context.db, found)),
})

const byNumber = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/passport',
  scope: 'webcomponent:integration-read',
  summary: 'Find the passport of an order by its number',
  description: byNumberDescription,
  extension: true,
  status: 200,
  find: async (input) =>
    namesIntegration(input.request.queryString)
      ? [await shopOfAccount(input)]
      : await allIntegrations(input.context, integrationsOfAccount(input.caller)),
  query: byNumberQuery,
  returns: byNumberAnswer,
  handle: ({ context, found, query }) => passportByNumber(context, found, query.number),
})

export const webcomponentPassport = [ofOrder, byNumber]
