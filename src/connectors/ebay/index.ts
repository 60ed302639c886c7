import { connector } from '../../commerce/connector.ts'
import { fulfillment, inventoryApi, readAnswer } from './ask.ts'
import { auth, authenticate } from './auth.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { limits } from './limits.ts'
import { logo } from './logo.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { shipments } from './parcels/shipments.ts'
import { products } from './products.ts'
import { refunds } from './refunds/create-refund.ts'
import { hostOf, settings, shopOfPage, shopPattern } from './settings.ts'

/** eBay: Fulfillment and Inventory API; cancelling by the older Post-Order API, listings of the Seller Hub by the Trading API. */
export const ebay = connector({
  type: 'ebay',
  name: 'eBay',
  description: 'Orders, articles, stock and parcels of a seller on eBay.',
  logo,
  settings,
  shopPattern,
  shopExample: 'ada-antiques.ebay.com',
  shopOfPage,
  auth,
  remote: {
    origin: (facts) => `https://api.${hostOf(facts)}`,
    origins: {
      identity: (facts) => `https://apiz.${hostOf(facts)}`,
      production: () => 'https://api.ebay.com',
      sandbox: () => 'https://api.sandbox.ebay.com',
    },
    authenticate,
    // eBay counts the calls of an app in a day, for all its sellers: 100,000 for orders, two millions for stock.
    budgets: {
      default: { capacity: 200, perSecond: 1.15, scope: 'application', reads: { orders: 1 } },
      inventory: { capacity: 200, perSecond: 20, scope: 'application', reads: { catalogue: 2 } },
      // What every app has, 5,000 a day; those that eBay has looked at have far more.
      trading: { capacity: 100, perSecond: 0.057, scope: 'application' },
      // Of the Post-Order API, each kind of request has 5,000 a day.
      post_order: { capacity: 100, perSecond: 0.05, scope: 'application' },
      cancellations: { capacity: 1000, perSecond: 0.046, scope: 'application' },
    },
    limits,
    read: readAnswer,
  },
  orders,
  products: { ...products, prices },
  inventory,
  shipments,
  refunds,
  webhooks,
  proxy: {
    prefixes: [fulfillment, inventoryApi, '/sell/account/v1'],
    resources: {
      orders: `${fulfillment}/order`,
      items: `${inventoryApi}/inventory_item`,
      locations: `${inventoryApi}/location`,
    },
  },
})
