import { bodyOf } from '../../../commerce/reading.ts'
import type { Dialect } from '../dialect.ts'
import { findShipped, orders, ship } from './orders.ts'
import { inventory, products } from './products.ts'
import { webhooks } from './webhooks.ts'

/** In the manner of the shops that people run themselves: keys for ever, lists by page number, no limits. */
export const woo: Dialect = {
  needs: ['consumer_key', 'consumer_secret'],
  prove: async ({ remote }) => {
    bodyOf(await remote.request({ method: 'GET', path: '/wp-json/wc/v3/system_status' }))
  },
  orders,
  products,
  inventory,
  ship,
  findShipped,
  webhooks,
}
