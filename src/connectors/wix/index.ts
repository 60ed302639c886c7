import { connector } from '../../commerce/connector.ts'
import { inventory } from './catalog/inventory.ts'
import { products } from './catalog/products.ts'
import { prices } from './changes/set-prices.ts'
import { refunds } from './create-refund.ts'
import { auth } from './install/auth.ts'
import { logo } from './logo.ts'
import { orders } from './orders.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { settings, shopOfPage, shopPattern, siteIdOf } from './settings.ts'
import { shipments } from './shipments.ts'
import { webhooks } from './webhooks.ts'

/** Wix: orders of its eCommerce platform (v1), products and stock of Catalog V3, or of V1 where a site still has that. */
export const wix = connector({
  type: 'wix',
  name: 'Wix',
  description: 'Orders, products, stock and parcels of a store on Wix.',
  logo,
  settings,
  shopPattern,
  shopExample: '1a2b3c4d-5e6f-4a1b-8c2d-3e4f5a6b7c8d.wix.com',
  shopOfPage,
  auth,
  remote: {
    origin: () => 'https://www.wixapis.com',
    // Neither tokens nor keys have a word before them. A token is of one site; a key has to say which.
    authenticate: (request, { access_token: token, typed }, facts) => ({
      ...request,
      headers: { ...request.headers, authorization: token, ...(typed ? { 'wix-site-id': siteIdOf(facts) } : {}) },
    }),
    budgets,
    read: readAnswer,
  },
  orders,
  products: { ...products, prices },
  inventory,
  shipments,
  refunds,
  webhooks,
  proxy: {
    prefixes: [
      ...['/ecom/v1/orders', '/ecom/v1/fulfillments', '/ecom/v1/payments', '/site-properties/v4'],
      ...['/stores/v3', '/stores-reader/v1', '/stores-reader/v2', '/stores/v2/inventoryItems'],
    ],
    resources: { properties: '/site-properties/v4/properties', version: '/stores/v3/provision/version' },
  },
})
