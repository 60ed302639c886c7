import { connector } from '../../commerce/connector.ts'
import { typedKeys } from '../../commerce/connector-auth.ts'
import { dialectOf } from './dialects.ts'
import { answer } from './in-process/answer.ts'
import { logo } from './logo.ts'
import { openSandbox, proveSandbox, renewSandbox } from './open.ts'
import { partsFor, remote } from './parts.ts'
import { credentials, settings } from './settings.ts'
import { webhooksFor } from './webhooks.ts'

/**
 * A shop to try everything on. Without `base_url` it lives in this process, starts with the same orders and products
 * each time, and keeps what is changed for as long as the process runs. With `base_url` it is a simulator, which speaks
 * like one of the platforms outside, weather included.
 */
export const sandbox = connector({
  type: 'sandbox',
  name: 'Sandbox',
  description: 'A shop to try things on. It takes any API key that does not begin with "bad".',
  logo,
  settings,
  auth: typedKeys({
    credentials,
    open: openSandbox,
    prove: proveSandbox,
    refreshes: ({ settings: { base_url: base, dialect } }) => base !== undefined && dialect !== 'woo',
    refresh: renewSandbox,
  }),
  remote: {
    ...remote,
    inProcess: (request, facts) => (facts.settings.base_url === undefined ? answer(request, facts) : null),
  },
  ...partsFor(dialectOf),
  webhooks: webhooksFor(dialectOf),
  proxy: {
    prefixes: [
      ...['/shop', '/orders', '/products', '/inventory', '/admin/api', '/wp-json/wc/v3'],
      ...['/wp-json/wc-shipment-tracking/v3', '/v1/seller', '/v1/orders', '/v1/items', '/v1/inventory'],
    ],
    resources: { shop: '/shop', orders: '/orders', products: '/products', inventory: '/inventory' },
  },
})
