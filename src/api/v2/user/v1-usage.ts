import { type Static, Type } from 'typebox'
import type { V1Usage } from '../../../domain/v1-usage/v1-usage.ts'
import { v1UsageList, v1UsageScope } from '../../../domain/v1-usage/v1-usage-store.ts'
import { page } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { timestamp } from '../views/record.ts'

const usageSchema = Type.Object({
  client_id: Type.Integer(),
  client_name: Type.String(),
  method: Type.String(),
  route: Type.String({ examples: ['/api/1.0/orders/{order}'] }),
  calls: Type.Integer(),
  first_called_at: timestamp,
  last_called_at: timestamp,
})

const usageView = (usage: V1Usage): Static<typeof usageSchema> => ({
  client_id: usage.client_id,
  client_name: usage.client_name,
  method: usage.method,
  route: usage.route,
  calls: usage.calls,
  first_called_at: usage.first_called_at,
  last_called_at: usage.last_called_at,
})

const listUsage = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/v1-usage',
  right: 'read-usage',
  extension: true,
  summary: 'List what still calls version 1.0',
  description: 'By client and route, some seconds late. Users see their own clients and those of their company.',
  query: listQuery({ filter: ['client_id'], sort: ['client_id', 'route', 'calls', 'last_called_at'] }),
  returns: page(usageSchema),
  handle: ({ context, caller, query }) => listOf(context, v1UsageList, v1UsageScope(caller), query, usageView),
})

export const userV1Usage = [listUsage]
