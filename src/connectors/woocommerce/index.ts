import { connector } from '../../commerce/connector.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { auth, authenticate, readAnswer } from './auth.ts'
import { orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { customers } from './customers.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { orders, ordersPath } from './orders.ts'
import { products } from './products.ts'
import { refunds } from './refunds/create-refund.ts'
import { productsPath, root, route, settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { webhooks } from './webhooks.ts'

/** Shops that people run themselves on WordPress, through the platform's REST API of version 3. */
export const woocommerce = connector({
  type: 'woocommerce',
  name: 'WooCommerce',
  description: 'Shops on WordPress with WooCommerce. The merchant agrees on a page of the shop, or types keys in.',
  logo,
  settings,
  auth,
  remote: {
    origin: originOf,
    route,
    authenticate,
    read: readAnswer,
    // The platform itself has none; most shops share a small machine with others.
    budgets: { default: { capacity: 20, perSecond: 5 } },
  },
  orders: { ...orders, ...orderChanges },
  products: { ...products, prices },
  inventory,
  customers,
  shipments,
  refunds,
  webhooks,
  proxy: {
    prefixes: [root, '/wp-json/wc-shipment-tracking/v3'],
    resources: {
      orders: ordersPath,
      products: productsPath,
      customers: `${root}/customers`,
      coupons: `${root}/coupons`,
      categories: `${root}/products/categories`,
      taxes: `${root}/taxes`,
      shipping_methods: `${root}/shipping_methods`,
      payment_gateways: `${root}/payment_gateways`,
    },
  },
})
