import { connector } from '../../commerce/connector.ts'
import { auth } from './auth.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { settings, shopPattern, signedWith } from './settings.ts'
import { shipments } from './shipments.ts'

/** Squarespace: its Commerce APIs, products of version 2 and everything else of 1.0. */
export const squarespace = connector({
  type: 'squarespace',
  name: 'Squarespace',
  description: 'Orders, products, stock and parcels of a site on Squarespace.',
  logo,
  settings,
  shopPattern,
  shopExample: 'acme-goods.squarespace.com',
  auth,
  remote: {
    origin: () => 'https://api.squarespace.com',
    origins: { login: () => 'https://login.squarespace.com' },
    authenticate: (request, credentials) => ({
      ...request,
      headers: { ...request.headers, ...signedWith(credentials) },
    }),
    budgets,
    read: readAnswer,
  },
  orders,
  products: { ...products, prices },
  inventory,
  shipments,
  webhooks,
  proxy: {
    prefixes: [
      '/1.0/authorization/website',
      '/1.0/commerce/inventory',
      '/1.0/commerce/orders',
      '/1.0/commerce/store_pages',
      '/1.0/commerce/transactions',
      '/v2/commerce/products',
    ],
    resources: {
      website: '/1.0/authorization/website',
      orders: '/1.0/commerce/orders',
      products: '/v2/commerce/products',
      inventory: '/1.0/commerce/inventory',
    },
  },
})
