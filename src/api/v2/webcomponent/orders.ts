import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { findOrderOf, oneOrder, orderList } from '../includes/of-orders.ts'
import { shopOfAccount } from '../shop-data.ts'

const list = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: shopOfAccount,
  ...orderList,
})

const get = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: async (asked) => await findOrderOf(asked.context, await shopOfAccount(asked), asked.params.order),
  ...oneOrder,
})

export const webcomponentOrders = [list, get]
