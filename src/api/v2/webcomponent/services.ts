import { appServiceList, findOffered, offeredScope } from '../../../domain/services/app-service-store.ts'
import type { AttachedService } from '../../../domain/services/service.ts'
import { notFound } from '../../../lib/fault.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { publicServiceSchema, publicServiceView } from '../views/service.ts'

const list = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/services',
  scope: 'webcomponent:integration-read',
  summary: 'List available services',
  query: listQuery({ filter: ['type', 'auth_type'], sort: ['id', 'name', 'type', 'created_at', 'updated_at'] }),
  returns: page(publicServiceSchema),
  handle: ({ context, caller, query }) =>
    listOf(context, appServiceList, offeredScope(caller), query, (service: AttachedService) =>
      publicServiceView(context, service),
    ),
})

const getByType = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/services-type/{serviceType}',
  scope: 'webcomponent:integration-read',
  summary: 'Get a service by type',
  async find({ context, caller, params }) {
    if (/^\d+$/.test(params.serviceType)) throw notFound()
    return await findOffered(context.db, caller, params.serviceType)
  },
  returns: record(publicServiceSchema),
  handle: async ({ context, found }) => publicServiceView(context, found),
})

export const webcomponentServices = [list, getByType]
