import type { AccountCaller } from '../../../domain/tenant.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { changesOfOrders } from '../includes/of-order-changes.ts'
import { findOrderOf, oneOrder, orderCancel, orderList, orderRefund } from '../includes/of-orders.ts'
import { type Asking, shopOfAccount } from '../shop-data.ts'

const list = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: shopOfAccount,
  ...orderList,
})

const findOwn = async (asked: Asking<AccountCaller> & Finding<AccountCaller, 'order'>) =>
  await findOrderOf(asked.context, await shopOfAccount(asked), asked.params.order)

const get = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: findOwn,
  ...oneOrder,
})

const refund = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-event',
  find: findOwn,
  ...orderRefund,
})

const cancel = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-event',
  find: findOwn,
  ...orderCancel,
})

const others = changesOfOrders.map((change) =>
  endpoint({ group: groups.webcomponent, scope: 'webcomponent:integration-event', find: findOwn, ...change }),
)

export const webcomponentOrders = [list, get, refund, cancel, ...others]
