import { typedKeys } from '../../commerce/connector/auth.ts'
import { connector } from '../../commerce/connector.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { say } from '../../commerce/words/say.ts'
import { authenticate, checkAccess, checkRights, openMedusa } from './auth.ts'
import { orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { refunds } from './create-refund.ts'
import { customers } from './customers.ts'
import { exportProduct } from './export-product.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { cancelOrder, getOrder, indexOrders, listOrders } from './orders.ts'
import { getProduct, listProducts } from './products.ts'
import { credentials, settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { statuses } from './statuses.ts'
import { toOrder } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

/** A server of one's own. It sends no messages, so it is asked. */
export const medusa = connector({
  type: 'medusa',
  name: 'Medusa',
  description: 'Shops on a Medusa 2 server, by its Admin API.',
  logo,
  settings,
  auth: typedKeys({
    credentials,
    open: openMedusa,
    checkAccess,
    checkRights,
    remains: say('remains_medusa'),
  }),
  remote: {
    origin: originOf,
    authenticate,
    // The server has no limits of its own: these keep it fast for those who buy.
    budgets: { default: { capacity: 20, perSecond: 10 } },
  },
  orders: {
    list: listOrders,
    get: getOrder,
    translate: toOrder,
    statuses: async () => shopStatuses(statuses),
    index: indexOrders,
    returns: true,
    cancel: { repeatable: true, send: cancelOrder },
    ...orderChanges,
  },
  products: {
    list: listProducts,
    get: getProduct,
    translate: toProduct,
    export: { repeatable: true, send: exportProduct },
    takes: ['images', 'variants'],
    prices,
  },
  customers,
  inventory,
  shipments,
  refunds,
  proxy: {
    prefixes: [
      '/admin/orders',
      '/admin/products',
      '/admin/product-variants',
      '/admin/inventory-items',
      '/admin/stock-locations',
      '/admin/stores',
      '/admin/customers',
      '/admin/payments',
    ],
    resources: {
      ...{ orders: '/admin/orders', products: '/admin/products', inventory: '/admin/inventory-items' },
      ...{ locations: '/admin/stock-locations', stores: '/admin/stores', customers: '/admin/customers' },
    },
  },
})
