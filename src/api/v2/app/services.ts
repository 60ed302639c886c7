import { appServiceList, findOffered, offeredScope } from '../../../domain/services/app-service-store.ts'
import type { AttachedService } from '../../../domain/services/service.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appTenant } from '../../tenants.ts'
import { attachedServiceSchema, attachedServiceView } from '../views/service.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/services',
  scope: 'app:service-attach',
  summary: 'List available services',
  description: 'Those that the app offers.',
  find: async ({ caller }) => appTenant(caller),
  query: listQuery({ filter: ['type', 'auth_type'], sort: ['id', 'name', 'type', 'created_at', 'updated_at'] }),
  returns: page(attachedServiceSchema),
  handle: ({ context, found, query }) =>
    listOf(context, appServiceList, offeredScope(found), query, (service: AttachedService) =>
      attachedServiceView(context, service),
    ),
})

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/services/{service}',
  scope: 'app:service-attach',
  summary: 'Get service details',
  description: '`{service}` is the id or the type of the service.',
  find: async ({ context, caller, params }) => await findOffered(context.db, appTenant(caller), params.service),
  returns: record(attachedServiceSchema),
  handle: async ({ context, found }) => attachedServiceView(context, found),
})

export const appServices = [list, get]
