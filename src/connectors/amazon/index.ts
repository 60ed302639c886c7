import { connector } from '../../commerce/connector.ts'
import { auth } from './auth.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { originOf, settings, shopOfPage, shopPattern } from './settings.ts'
import { shipments } from './shipments.ts'

/** Amazon: its Selling Partner API. It reports changes to queues inside its own cloud alone; without one it is asked. */
export const amazon = connector({
  type: 'amazon',
  name: 'Amazon',
  description: 'Orders, listings, stock and parcels of a seller on Amazon.',
  logo,
  settings,
  shopPattern,
  shopExample: 'A1B2C3D4E5F6G7, the merchant token',
  shopOfPage,
  auth,
  remote: {
    origin: originOf,
    origins: { login: () => 'https://api.amazon.com' },
    // Reports, and what feeds are made of.
    downloads: ['.amazonaws.com'],
    authenticate: (request, { access_token: token }) => ({
      ...request,
      headers: { ...request.headers, ...(token === undefined ? {} : { 'x-amz-access-token': token }) },
    }),
    budgets,
    read: readAnswer,
  },
  orders,
  products: { ...products, prices },
  inventory,
  shipments,
  webhooks,
  // A search of orders in three minutes is what the limit allows, and nothing else pays from it.
  readEveryMinutes: 3,
  proxy: {
    prefixes: [
      '/orders/2026-01-01',
      '/orders/v0',
      '/listings/2021-08-01',
      '/catalog/2022-04-01',
      '/fba/inventory/v1',
      '/sellers/v1',
      '/definitions/2020-09-01',
    ],
    resources: { marketplaces: '/sellers/v1/marketplaceParticipations', account: '/sellers/v1/account' },
  },
})
