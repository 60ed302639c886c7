import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { findOrderOf, oneOrder, orderList } from '../includes/of-orders.ts'
import { shopOfApp } from '../shop-data.ts'

const list = endpoint({ group: groups.app, scope: 'app:integration-read', find: shopOfApp, ...orderList })

const get = endpoint({
  group: groups.app,
  scope: 'app:integration-read',
  find: async (asked) => await findOrderOf(asked.context, await shopOfApp(asked), asked.params.order),
  ...oneOrder,
})

export const appOrders = [list, get]
