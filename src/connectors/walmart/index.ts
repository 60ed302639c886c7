import { connector } from '../../commerce/connector.ts'
import type { RemoteRequest } from '../../commerce/remote.ts'
import { acknowledgement } from './acknowledge-orders.ts'
import { auth } from './auth.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { products } from './products.ts'
import { budgets, readAnswer, tokenPath } from './read-answer.ts'
import { refunds } from './refunds/create-refund.ts'
import { type Credentials, originOf, settings, shopPattern } from './settings.ts'
import { shipments } from './shipments.ts'

/** Walmart Marketplace in the United States, version 3 of its interface. */
export const walmart = connector({
  type: 'walmart',
  name: 'Walmart',
  description: 'Orders, items, stock and parcels of a seller on Walmart Marketplace.',
  logo,
  settings,
  shopPattern,
  shopExample: '10001234567.walmart.com',
  auth,
  remote: {
    origin: originOf,
    /** Every request has a number of its own, by which Walmart finds it again. */
    authenticate: (request, credentials, _, { nonce }) => ({
      ...request,
      headers: {
        ...request.headers,
        accept: 'application/json',
        'wm_svc.name': 'Walmart Marketplace',
        'wm_qos.correlation_id': nonce,
        ...keysFor(request, credentials),
      },
    }),
    budgets,
    read: readAnswer,
  },
  orders,
  products: { ...products, prices },
  inventory,
  shipments,
  refunds,
  acknowledgement,
  webhooks,
  proxy: {
    prefixes: ['/v3/orders', '/v3/items', '/v3/inventory', '/v3/inventories', '/v3/price', '/v3/returns', '/v3/feeds'],
    resources: {
      orders: '/v3/orders',
      released: '/v3/orders/released',
      items: '/v3/items',
      inventories: '/v3/inventories',
      returns: '/v3/returns',
    },
  },
})

/** Tokens are bought with the keys, everything else with a token. */
function keysFor({ path }: RemoteRequest, { client_id: id, client_secret: secret, access_token: token }: Credentials) {
  if (path !== tokenPath) return token === undefined ? {} : { 'wm_sec.access_token': token }
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
}
