import { typedKeys } from '../../commerce/connector/auth.ts'
import { connector } from '../../commerce/connector.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { say } from '../../commerce/words/say.ts'
import { readAnswer } from './ask.ts'
import { authenticate, checkAccess, logIn, openVendure } from './auth.ts'
import { cancelShipment, orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { cancelLines, refunds } from './create-refund.ts'
import { customers } from './customers.ts'
import { exportProduct } from './export-product.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { cancelOrder, getOrder, indexOrders, listOrders } from './orders.ts'
import { products } from './products.ts'
import { missingRights } from './rights.ts'
import { credentials, settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { statusesOf } from './statuses.ts'
import { toOrder } from './translate-order.ts'

/** A self-hosted server with a GraphQL API. It sends no webhooks, so it is polled. */
export const vendure = connector({
  type: 'vendure',
  name: 'Vendure',
  description: 'Shops on a Vendure server, by its Admin API.',
  logo,
  settings,
  auth: typedKeys({
    remains: say('remains_vendure'),
    credentials,
    open: openVendure,
    checkAccess,
    checkRights: missingRights,
    refreshes: (_, { api_key: key }) => key === undefined,
    refresh: logIn,
  }),
  remote: {
    origin: originOf,
    authenticate,
    // The server has no limits of its own: these keep it fast for those who buy.
    budgets: { default: { capacity: 20, perSecond: 10 } },
    read: readAnswer,
  },
  orders: {
    list: listOrders,
    get: getOrder,
    translate: toOrder,
    statuses: async (shop) => shopStatuses(Object.fromEntries(statusesOf(shop))),
    index: indexOrders,
    cancel: { repeatable: true, send: cancelOrder },
    cancelLines,
    ...orderChanges,
  },
  // It takes pictures as files, not by address.
  products: { ...products, export: { repeatable: true, send: exportProduct }, takes: ['variants'], prices },
  customers,
  inventory,
  shipments: { ...shipments, cancel: cancelShipment },
  refunds,
  proxy: { prefixes: ['/admin-api'], resources: {} },
})
