import { connector } from '../../commerce/connector.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { auth, authenticate, readAnswer } from './auth.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { settings } from './settings.ts'
import { shipments } from './shipments.ts'

/** PrestaShop 1.7, 8 and 9, through its webservice. It sends no messages, so it is asked. */
export const prestashop = connector({
  type: 'prestashop',
  name: 'PrestaShop',
  description: 'Shops on PrestaShop 1.7, 8 or 9, with a key of their webservice.',
  logo,
  settings,
  auth,
  remote: {
    origin: originOf,
    authenticate,
    read: readAnswer,
    // The platform itself has none; a page of orders takes nine questions.
    budgets: { default: { capacity: 30, perSecond: 6 } },
  },
  orders,
  products,
  inventory,
  shipments,
  proxy: {
    prefixes: ['/api'],
    resources: {
      orders: '/api/orders',
      order_states: '/api/order_states',
      products: '/api/products',
      combinations: '/api/combinations',
      stock: '/api/stock_availables',
      categories: '/api/categories',
      customers: '/api/customers',
      carriers: '/api/carriers',
    },
  },
})
