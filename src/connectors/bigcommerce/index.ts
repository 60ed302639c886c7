import { connector } from '../../commerce/connector.ts'
import { cancelShipment, orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { customers } from './customers/read-customers.ts'
import { auth } from './install/auth.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { refunds } from './refunds/create-refund.ts'
import { hashOf, settings, shopPattern } from './settings.ts'
import { shipments } from './shipments.ts'
import { webhooks } from './webhooks.ts'

/** BigCommerce: orders and shipments of its API v2, everything else of v3. */
export const bigcommerce = connector({
  type: 'bigcommerce',
  name: 'BigCommerce',
  description: 'Orders, products, stock and parcels of a store on BigCommerce.',
  logo,
  settings,
  shopPattern,
  shopExample: 'store-abc123.mybigcommerce.com',
  auth,
  remote: {
    origin: (facts) => `https://api.bigcommerce.com/stores/${hashOf(facts)}`,
    origins: { login: () => 'https://login.bigcommerce.com' },
    authenticate: (request, { access_token: token }) => ({
      ...request,
      headers: { ...request.headers, 'x-auth-token': token },
    }),
    budgets,
    read: readAnswer,
  },
  orders: { ...orders, ...orderChanges },
  products: { ...products, prices },
  inventory,
  customers,
  shipments: { ...shipments, cancel: cancelShipment },
  refunds,
  webhooks,
  proxy: {
    prefixes: ['/v2/orders', '/v2/store', '/v3/catalog', '/v3/inventory', '/v3/orders', '/v3/customers'],
    resources: {
      store: '/v2/store',
      orders: '/v2/orders',
      products: '/v3/catalog/products',
      inventory: '/v3/inventory/items',
      locations: '/v3/inventory/locations',
    },
  },
})
