import { pageOrChanges, record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import {
  findOrderOf,
  orderListQuery,
  orderPage,
  orderQuery,
  orderWithIncludesSchema,
  viewOrder,
} from '../includes/of-orders.ts'
import { shopOfApp } from '../shop-data.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/orders',
  scope: 'app:integration-read',
  summary: 'List orders',
  description:
    'Of one integration. `updated_since` answers with what has changed since instead, and never leaves one out.',
  extension: true,
  find: shopOfApp,
  query: orderListQuery,
  returns: pageOrChanges(orderWithIncludesSchema),
  handle: ({ context, found, query }) => orderPage(context, found.id, query),
})

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/orders/{order}',
  scope: 'app:integration-read',
  summary: 'Get an order',
  extension: true,
  find: async (asked) => await findOrderOf(asked.context, (await shopOfApp(asked)).id, asked.params.order),
  query: orderQuery,
  returns: record(orderWithIncludesSchema),
  handle: ({ context, found, query }) => viewOrder(context, found, query.include),
})

export const appOrders = [list, get]
