import type { Context } from '../../domain/context.ts'
import { storeLogo } from '../../domain/logos/store-logo.ts'
import { createService } from '../../domain/services/create-service.ts'
import { authTypes, type Service, typePattern } from '../../domain/services/service.ts'
import {
  findMutableService,
  findService,
  serviceList,
  serviceScope,
  servicesWithLogo,
} from '../../domain/services/service-store.ts'
import { setServiceLogo } from '../../domain/services/set-service-logo.ts'
import { deleteService, updateService } from '../../domain/services/update-service.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import {
  choice,
  flag,
  freeObject,
  maybe,
  nameText,
  object,
  optional,
  partial,
  text,
} from '../../lib/validation/fields.ts'
import { listOf as listAnswer, nothing, page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { listOf } from '../list.ts'
import { logoSchema, logoUpload, logoView } from '../v2/views/logo.ts'
import { serviceLogoSchema, serviceLogoView, serviceSchema, serviceView } from './views/service.ts'

const changeable = {
  name: nameText(),
  description: maybe(text({ max: 5000 })),
  auth_type: optional(choice(authTypes, 'How its integrations are authenticated; api_key by default')),
  active: optional(flag()),
  settings: optional(freeObject('Not secret.')),
  definition: maybe(
    freeObject('How to call its shops: origin, authentication, paths and field mappings. See the guide on connectors.'),
  ),
}
const body = object({
  type: text({ max: 64, pattern: typePattern, description: 'Unique; cannot be changed' }),
  ...changeable,
})

const client = maybe(
  freeObject('What the platform gave us at registration there, for services with OAuth. Kept sealed, never shown.'),
)

type FindingService = Finding<UserCaller, 'service'>
const find = ({ context, caller, params }: FindingService) => findService(context.db, caller, params.service)
const findMutable = ({ context, caller, params }: FindingService) =>
  findMutableService(context.db, caller, params.service)

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/services',
  permission: 'read-integration',
  summary: 'List services',
  description: 'The built-in services and those added by the caller’s company.',
  query: listQuery({ filter: ['active', 'type'], sort: ['id', 'name', 'type', 'created_at', 'updated_at'] }),
  returns: page(serviceSchema),
  handle: ({ context, caller, query }) =>
    listOf(context, serviceList, serviceScope(caller), query, (service: Service) => serviceView(context, service)),
})

const drawnLogos = ({ connectors }: Context) =>
  [...connectors].flatMap(([type, { logo: drawn }]) => (drawn === undefined ? [] : [type]))

const logos = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/services/logos',
  permission: 'read-integration',
  summary: 'List all service logos',
  returns: listAnswer(serviceLogoSchema),
  handle: async ({ context, caller }) =>
    (await servicesWithLogo(context.db, caller, drawnLogos(context))).map((service) =>
      serviceLogoView(context, service),
    ),
})

const get = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/services/{service}',
  permission: 'read-integration',
  summary: 'Get a service',
  description: '`{service}` is the id or the type of the service.',
  find,
  returns: record(serviceSchema),
  handle: async ({ context, found }) => serviceView(context, found),
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/services',
  permission: 'create-integration',
  summary: 'Create a service',
  description: "A service of the caller's own, shown to the caller's company only.",
  body,
  example: { type: 'acme-shops', name: 'Acme Shops', auth_type: 'api_key' },
  returns: record(serviceSchema),
  async handle({ context, caller, body }) {
    const input = { ...body, auth_type: body.auth_type ?? 'api_key' }
    return serviceView(context, await createService(context, caller, input))
  },
})

const update = endpoint({
  group: groups.v1,
  method: 'PUT',
  path: '/services/{service}',
  permission: 'update-service',
  summary: 'Update a service',
  find: findMutable,
  body: partial(object({ ...changeable, client })),
  example: { description: 'Shops of the Acme family' },
  returns: record(serviceSchema),
  handle: async ({ context, caller, found, body }) =>
    serviceView(context, await updateService(context, caller, { id: found.id, changes: body })),
})

const remove = endpoint({
  group: groups.v1,
  method: 'DELETE',
  path: '/services/{service}',
  permission: 'delete-service',
  summary: 'Delete a service',
  description: 'Apps no longer offer it; integrations that exist stay.',
  find: findMutable,
  returns: nothing,
  handle: ({ context, caller, found }) => deleteService(context, caller, found.id),
})

const logo = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/services/{service}/logo',
  permission: 'create-integration',
  summary: 'Upload a service logo',
  ...logoUpload,
  find: findMutable,
  returns: record(logoSchema),
  handle: async ({ context, caller, found, request }) =>
    logoView(context, await storeLogo(context, request.upload, setServiceLogo(caller, found.id))),
})

export const v1Services = [list, logos, get, create, update, remove, logo]
