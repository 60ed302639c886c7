import { connector } from '../../commerce/connector.ts'
import { auth, signedWith } from './auth.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { settings, shopOfPage, shopPattern } from './settings.ts'
import { shipments } from './shipments.ts'
import { webhooks } from './webhooks.ts'

/** Etsy: its Open API v3. */
export const etsy = connector({
  type: 'etsy',
  name: 'Etsy',
  description: 'Orders, listings, stock and parcels of a shop on Etsy.',
  logo,
  settings,
  shopPattern,
  shopExample: 'acme.etsy.com',
  shopOfPage,
  auth,
  remote: {
    origin: () => 'https://openapi.etsy.com',
    origins: { tokens: () => 'https://api.etsy.com' },
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
      '/v3/application/shops',
      '/v3/application/listings',
      '/v3/application/users',
      '/v3/application/shipping-carriers',
      '/v3/application/seller-taxonomy',
    ],
    resources: { me: '/v3/application/users/me', carriers: '/v3/application/shipping-carriers' },
  },
})
