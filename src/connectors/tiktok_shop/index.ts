import { connector } from '../../commerce/connector.ts'
import { auth, authenticate } from './auth.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { settings, shopPattern } from './settings.ts'
import { shipments } from './shipments.ts'

/** TikTok Shop: its Open API, by the versions of 202309 and 202502. */
export const tiktokShop = connector({
  type: 'tiktok_shop',
  name: 'TikTok Shop',
  description: 'Orders, products, stock and parcels of a shop on TikTok.',
  logo,
  settings,
  shopPattern,
  shopExample: 'gblcabcd12',
  auth,
  remote: {
    origin: () => 'https://open-api.tiktokglobalshop.com',
    origins: { tokens: () => 'https://auth.tiktok-shops.com' },
    authenticate,
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
      '/order',
      '/product',
      '/fulfillment',
      '/logistics',
      '/return_refund',
      '/seller',
      '/finance',
      '/promotion',
    ],
    resources: { warehouses: '/logistics/202309/warehouses', shops: '/authorization/202309/shops' },
  },
})
