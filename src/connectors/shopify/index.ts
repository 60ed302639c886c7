import { connector } from '../../commerce/connector.ts'
import { apiPath } from './ask.ts'
import { auth, horizon } from './auth.ts'
import { cancelShipment, orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { customers } from './customers/read-customers.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { orders } from './orders.ts'
import { shipments } from './parcels/shipments.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { cancelLines, refunds } from './refunds/create-refund.ts'
import { settings, shopPattern } from './settings.ts'
import { webhooks } from './webhooks.ts'

/** Shopify, by its GraphQL Admin API of October 2026. */
export const shopify = connector({
  type: 'shopify',
  name: 'Shopify',
  description: 'Orders, products, stock and parcels of a shop on Shopify.',
  logo,
  settings,
  shopPattern,
  shopExample: 'acme.myshopify.com',
  shopOfPage({ host, pathname }) {
    const name = host === 'admin.shopify.com' ? /^\/store\/([\w-]+)/.exec(pathname)?.[1] : undefined
    return name === undefined ? null : `${name}.myshopify.com`
  },
  auth,
  remote: {
    origin: ({ shop }) => `https://${shop}`,
    // Where the results of bulk operations are laid down.
    downloads: ['storage.googleapis.com', '.storage.googleapis.com'],
    authenticate: (request, { access_token: token = '' }) => ({
      ...request,
      headers: { ...request.headers, 'x-shopify-access-token': token },
    }),
    budgets,
    read: readAnswer,
  },
  orders: { ...orders, cancelLines, horizon, ...orderChanges },
  products: { ...products, prices },
  inventory,
  customers,
  shipments: { ...shipments, cancel: cancelShipment },
  refunds,
  webhooks,
  proxy: {
    prefixes: [apiPath],
    resources: {
      shop: `${apiPath}/shop.json`,
      orders: `${apiPath}/orders.json`,
      products: `${apiPath}/products.json`,
      locations: `${apiPath}/locations.json`,
    },
  },
})
