import type { ClientCaller } from '../../../domain/tenant.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { changesOfOrders } from '../includes/of-order-changes.ts'
import {
  findOrderOf,
  oneOrder,
  orderAcknowledge,
  orderCancel,
  orderFetch,
  orderList,
  orderRefund,
} from '../includes/of-orders.ts'
import { type Asking, shopOfApp } from '../shop-data.ts'

const list = endpoint({ group: groups.app, scope: 'app:integration-read', find: shopOfApp, ...orderList })

const findOwn = async (asked: Asking<ClientCaller> & Finding<ClientCaller, 'order'>) =>
  await findOrderOf(asked.context, await shopOfApp(asked), asked.params.order)

const get = endpoint({
  group: groups.app,
  scope: 'app:integration-read',
  find: findOwn,
  ...oneOrder,
})

const refund = endpoint({ group: groups.app, scope: 'app:integration-action', find: findOwn, ...orderRefund })

const cancel = endpoint({ group: groups.app, scope: 'app:integration-action', find: findOwn, ...orderCancel })

const fetched = endpoint({ group: groups.app, scope: 'app:integration-action', find: findOwn, ...orderFetch })

const acknowledge = endpoint({ group: groups.app, scope: 'app:integration-action', find: findOwn, ...orderAcknowledge })

const others = changesOfOrders.map((change) =>
  endpoint({ group: groups.app, scope: 'app:integration-action', find: findOwn, ...change }),
)

export const appOrders = [list, get, refund, cancel, fetched, acknowledge, ...others]
