import { typedKeys } from '../../commerce/connector/auth.ts'
import { connector } from '../../commerce/connector.ts'
import { bodyOf, fieldsOf } from '../../commerce/reading.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { cancelShipment, orderChanges } from './changes/change-order.ts'
import { prices } from './changes/set-prices.ts'
import { customers } from './customers.ts'
import { answer } from './in-process/answer.ts'
import { inventory } from './inventory.ts'
import { logo } from './logo.ts'
import { acknowledgement, orders, refunds } from './orders.ts'
import { products } from './products.ts'
import { credentials, settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { webhooks } from './webhooks.ts'

const writing = { name: 'write', where: 'a key that does not begin with "readonly"' }

/**
 * A shop to try everything on, in the plainest dialect there is. By default it lives in this process, starts with the
 * same orders and products each time, and keeps what is changed for as long as the process runs. With `base_url` it is a
 * simulator, weather included.
 */
export const sandbox = connector({
  type: 'sandbox',
  name: 'Sandbox',
  description:
    'A test shop that needs no account anywhere. It accepts any API key that does not begin with "bad", and lets one that begins with "readonly" read but not write.',
  logo,
  settings,
  auth: typedKeys({
    credentials,
    checkAccess: async ({ remote }) => {
      bodyOf(await remote.request({ method: 'GET', path: '/shop' }))
    },
    checkRights: async ({ remote }) => {
      const { rights = ['write'] } = fieldsOf(bodyOf(await remote.request({ method: 'GET', path: '/shop' })))
      return Array.isArray(rights) && rights.includes('write') ? [] : [writing]
    },
  }),
  remote: {
    origin: originOf,
    authenticate: (request, { api_key: key }) => ({ ...request, headers: { ...request.headers, 'x-api-key': key } }),
    budgets: { default: { capacity: 1000, perSecond: 1000 } },
    read: ({ status }) => (status === 403 ? { missingRight: writing } : {}),
    inProcess: (request, facts) => (facts.settings.base_url === undefined ? answer(request, facts) : null),
  },
  orders: { ...orders, ...orderChanges },
  acknowledgement,
  products: { ...products, prices },
  inventory,
  customers,
  shipments: { ...shipments, cancel: cancelShipment },
  refunds,
  webhooks,
  proxy: {
    prefixes: ['/shop', '/orders', '/products', '/inventory'],
    resources: { shop: '/shop', orders: '/orders', products: '/products', inventory: '/inventory' },
  },
})
