import { connector } from '../../commerce/connector.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { auth, authenticate } from './auth.ts'
import { orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { refunds } from './create-refund.ts'
import { customers } from './customers.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { readAnswer } from './read-answer.ts'
import { settings } from './settings.ts'
import { shipments } from './shipments.ts'

/** Magento Open Source and Adobe Commerce, through their REST API. They send no messages, so they are asked. */
export const magento = connector({
  type: 'magento',
  name: 'Magento and Adobe Commerce',
  description:
    'Shops on Magento Open Source or Adobe Commerce, with the keys of an integration or of Adobe’s Cloud Service.',
  logo,
  settings,
  auth,
  remote: {
    origin: originOf,
    origins: { ims: () => 'https://ims-na1.adobelogin.com' },
    authenticate,
    // The platform itself has none; a page of orders costs it a second.
    budgets: { default: { capacity: 20, perSecond: 5 } },
    read: readAnswer,
  },
  orders: { ...orders, ...orderChanges },
  products: { ...products, prices },
  inventory,
  customers,
  shipments,
  refunds,
  proxy: {
    prefixes: ['/rest/all/V1', '/rest/default/V1', '/rest/V1', '/V1'],
    resources: {
      orders: '/rest/all/V1/orders',
      invoices: '/rest/all/V1/invoices',
      shipments: '/rest/all/V1/shipments',
      creditmemos: '/rest/all/V1/creditmemos',
      products: '/rest/all/V1/products',
      categories: '/rest/all/V1/categories',
      customers: '/rest/all/V1/customers/search',
      sources: '/rest/all/V1/inventory/sources',
      stores: '/rest/all/V1/store/storeViews',
    },
  },
})
