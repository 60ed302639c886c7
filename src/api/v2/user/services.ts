import { definitionJsonSchema } from '../../../commerce/definition/definition-json-schema.ts'
import { draftFromOpenApi } from '../../../commerce/definition/from-openapi.ts'
import { compareForUser } from '../../../domain/descriptions/compare-for-user.ts'
import { tryDescription } from '../../../domain/descriptions/try-description.ts'
import { partNames } from '../../../domain/descriptions/try-step.ts'
import { reaches } from '../../../domain/tenant.ts'
import { forbidden } from '../../../lib/fault.ts'
import { choice, flag, freeObject, id, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { differencesSchema, differencesView } from '../views/descriptions/differences.ts'
import { draftSchema, schemaOfDefinitions, trialSchema, trialView } from '../views/descriptions/trial.ts'

const trial = endpoint({
  group: groups.user,
  method: 'POST',
  status: 200,
  path: '/services/try',
  extension: true,
  permission: 'create-integration',
  unauditedBecause: 'nothing is kept or changed, and the record is shown to whoever typed the keys of its shop',
  summary: 'Try the description of a service',
  description:
    'Goes through a draft against a shop: shows a record beside what we make of it, names mistakes at their place, and reports. ' +
    'Nothing is stored and nothing is changed in the shop: what would be sent is only shown.',
  body: object({
    definition: freeObject('The draft. It may be incomplete: what can be fetched is shown.'),
    shop: maybe(text({ description: 'The name of the shop, as for an installation.' })),
    settings: optional(freeObject('Such as `base_url`.')),
    credentials: maybe(freeObject('As the form of the service asks for them. Used for this request alone.')),
    record: maybe(freeObject('A record of the shop: read as the draft says, without asking anybody.')),
    part: optional(choice(partNames, 'Which part to look at; all that are there by default.')),
    whole: optional(flag('Also goes through all pages, changes, single records and what would be sent.')),
  }),
  example: {
    definition: { origin: { from: 'fixed', address: 'https://erp.example' }, auth: { kind: 'none' } },
    record: { id: 1 },
    part: 'orders',
  },
  returns: record(trialSchema),
  async handle({ context, caller, body }) {
    // A service is the company's; a role for single apps is not enough.
    if (!reaches(caller, null)) throw forbidden()
    const holder = caller.companyId === null ? `user ${caller.userId}` : `company ${caller.companyId}`
    return trialView(await tryDescription(context, { holder, trial: body }))
  },
})

const schema = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/services/definition-schema',
  extension: true,
  permission: 'read-integration',
  summary: 'Get the JSON Schema of descriptions',
  description: 'For editors that complete and check while somebody types.',
  returns: record(schemaOfDefinitions),
  handle: async () => ({ schema: definitionJsonSchema() }),
})

const fromOpenApi = endpoint({
  group: groups.user,
  method: 'POST',
  status: 200,
  path: '/services/draft',
  extension: true,
  permission: 'create-integration',
  unauditedBecause: 'it only reads the document that was sent',
  summary: 'Begin a description from an OpenAPI document',
  description:
    'Looks for lists that look like orders, products and stock. Nothing is stored; what is missing is found out by a trial.',
  body: object({ document: freeObject('An OpenAPI 3 document, as JSON.') }),
  example: { document: { openapi: '3.0.0', paths: { '/orders': { get: {} } } } },
  returns: record(draftSchema),
  handle: async ({ body }) => draftFromOpenApi(body.document),
})

const compare = endpoint({
  group: groups.user,
  method: 'POST',
  status: 200,
  path: '/services/compare',
  extension: true,
  permission: 'read-order',
  unauditedBecause: 'it only counts, and shows nothing about people',
  summary: 'Compare what a changed description makes of stored orders',
  description:
    'Reads the records of the shop that are stored here once more, by the changed description beside the present one; without a ' +
    'description, by the connector as it is now beside what an earlier version has stored. The newest 10,000 orders at most. ' +
    'No shop is asked, unless `live` says so, and nothing is stored.',
  body: object({
    integration_id: id(),
    definition: maybe(freeObject('The changed description, for integrations of a service of your own.')),
    live: optional(
      flag(
        'Also asks the shop for its first page of orders: by both descriptions, for those who may change the service; without a description ' +
          'as the connector does now, beside what is stored of those that have not changed since, for those who may change the integration.',
      ),
    ),
  }),
  example: { integration_id: 1 },
  returns: record(differencesSchema),
  handle: async ({ context, caller, body }) => differencesView(await compareForUser(context, caller, body)),
})

export const userServices = [trial, schema, fromOpenApi, compare]
