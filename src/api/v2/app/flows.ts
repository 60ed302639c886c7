import { findFlow, flowList, flowScope } from '../../../domain/flows/flow-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appTenant } from '../../tenants.ts'
import { flowSchema, flowView } from '../views/flow.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/flows',
  scope: 'app:flow-read',
  summary: 'List flows',
  description: "The app's own, and those that the catalogue brings for the services it offers.",
  find: async ({ caller }) => appTenant(caller),
  query: listQuery({
    filter: ['active', 'type', 'service_id'],
    sort: ['id', 'name', 'type', 'created_at', 'updated_at'],
  }),
  returns: page(flowSchema),
  handle: ({ context, found, query }) => listOf(context, flowList, flowScope(found), query, flowView),
})

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/flows/{flow}',
  scope: 'app:flow-read',
  summary: 'Get flow details',
  find: async ({ context, caller, params }) => await findFlow(context.db, appTenant(caller), recordId(params.flow)),
  returns: record(flowSchema),
  handle: async ({ found }) => flowView(found),
})

export const appFlows = [list, get]
