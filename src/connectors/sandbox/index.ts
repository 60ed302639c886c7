import { connector, type RawPage, type ReadQuery } from '../../commerce/connector.ts'
import { typedKeys } from '../../commerce/connector-auth.ts'
import { refused } from '../../commerce/remote.ts'
import { authenticate } from './authenticate.ts'
import { dialectOf } from './dialects.ts'
import { answer } from './in-process/answer.ts'
import { openSandbox, proveSandbox, renewSandbox } from './open.ts'
import { budgets, readAnswer } from './read-answer.ts'
import { credentials, type SandboxShop, settings } from './settings.ts'
import { webhooks } from './webhooks.ts'

/**
 * A shop to try everything on. Without `base_url` it lives in this process, starts with the same orders and products
 * each time, and keeps what is changed for as long as the process runs. With `base_url` it is a simulator, which speaks
 * like one of the platforms outside, weather included.
 */
export const sandbox = connector({
  type: 'sandbox',
  name: 'Sandbox',
  description: 'A shop to try things on. It takes any API key that does not begin with "bad".',
  settings,
  auth: typedKeys({
    credentials,
    open: openSandbox,
    prove: proveSandbox,
    refreshes: ({ settings: { base_url: base, dialect } }) => base !== undefined && dialect !== 'woo',
    refresh: renewSandbox,
  }),
  remote: {
    origin: ({ shop, settings: { base_url: base } }) => base?.replace(/\/$/, '') ?? `https://${shop}`,
    authenticate,
    budgets,
    read: readAnswer,
    inProcess: (request, facts) => (facts.settings.base_url === undefined ? answer(request, facts) : null),
  },
  orders: {
    list: listOrders,
    get: (shop, remoteId) => dialectOf(shop).orders.get(shop, remoteId),
    translate: (raw, facts) => dialectOf(facts).orders.translate(raw, facts),
    create: {
      repeatable: false,
      send: async (shop, draft, operation) => {
        const { create } = dialectOf(shop).orders
        if (!create) throw refused('Orders are not made in this shop from outside.')
        return await create(shop, draft, operation)
      },
      confirm: async (shop, draft, operation) =>
        (await dialectOf(shop).orders.findMade?.(shop, draft, operation)) ?? null,
    },
    cancel: {
      repeatable: true,
      send: (shop, input, operation) => dialectOf(shop).orders.cancel(shop, input, operation),
    },
  },
  acknowledgement: {
    repeatable: true,
    send: async (shop, { remoteIds }, operation) => {
      const { acknowledge } = dialectOf(shop)
      // A platform that does not want to be told has no objections.
      if (!acknowledge) return remoteIds.map((remoteId) => ({ remoteId, ok: true, error: null }))
      return await acknowledge(shop, remoteIds, operation)
    },
  },
  products: {
    list: (shop, query) => dialectOf(shop).products.list(shop, query),
    get: (shop, remoteId) => dialectOf(shop).products.get(shop, remoteId),
    translate: (raw, facts) => dialectOf(facts).products.translate(raw, facts),
    export: {
      repeatable: true,
      send: (shop, draft, operation) => dialectOf(shop).products.export(shop, draft, operation),
    },
  },
  inventory: {
    locations: true,
    list: (shop, query) => dialectOf(shop).inventory.list(shop, query),
    translate: (raw, facts) => dialectOf(facts).inventory.translate(raw, facts),
    set: {
      repeatable: true,
      send: (shop, items, operation) => dialectOf(shop).inventory.set(shop, items, operation),
    },
  },
  shipments: {
    partial: true,
    create: {
      repeatable: false,
      send: (shop, draft, operation) => dialectOf(shop).ship(shop, draft, operation),
      confirm: (shop, draft, operation) => dialectOf(shop).findShipped(shop, draft, operation),
    },
  },
  webhooks,
  proxy: {
    prefixes: [
      ...['/shop', '/orders', '/products', '/inventory', '/admin/api', '/wp-json/wc/v3'],
      ...['/wp-json/wc-shipment-tracking/v3', '/v1/seller', '/v1/orders', '/v1/items', '/v1/inventory'],
    ],
    resources: { shop: '/shop', orders: '/orders', products: '/products', inventory: '/inventory' },
  },
})

/** Statuses are asked for in our words or the platform's; most dialects leave it to us to tell. */
async function listOrders(shop: SandboxShop, query: ReadQuery): Promise<RawPage> {
  const { orders } = dialectOf(shop)
  const page = await orders.list(shop, query)
  if (orders.selects || query.statuses.length === 0) return page
  const wanted = new Set(query.statuses.map((word) => word.toLowerCase()))
  const items = page.items.filter((raw) => {
    const { status, fulfillment_status: fulfillment, remote_status: remoteStatus } = orders.translate(raw, shop)
    return [status, fulfillment, remoteStatus.toLowerCase()].some((word) => wanted.has(word))
  })
  return { items, next: page.next, total: null }
}
