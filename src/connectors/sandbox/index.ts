import { connector } from '../../commerce/connector.ts'
import { typedKeys } from '../../commerce/connector-auth.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { refused } from '../../commerce/remote.ts'
import { integer, object, optional, text } from '../../lib/fields.ts'
import { answer } from './in-process-shop.ts'
import { isFields, listOf, toInventoryLevel, toOrder, toProduct, toShipment } from './translate.ts'

const settings = object({
  seed: optional(text({ max: 100, description: 'Shops with the same seed hold the same goods and orders.' })),
  orders: optional(integer({ minimum: 0, maximum: 500, description: 'How many orders the shop starts with; 25.' })),
})

const credentials = object({
  api_key: text({ description: 'Anything, except that keys which begin with "bad" are refused.' }),
})

/** The answer's body, or the shop's reason for not giving one. */
function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  const reason = isFields(body) && typeof body['error'] === 'string' ? body['error'] : 'The shop refused the request.'
  throw refused(reason)
}

/**
 * A shop to try everything on: it lives in this process, starts with the same orders and products each time, and keeps
 * what is changed for as long as the process runs.
 */
export const sandbox = connector({
  type: 'sandbox',
  name: 'Sandbox',
  description: 'A shop to try things on. It takes any API key that does not begin with "bad".',
  settings,
  auth: typedKeys({
    credentials,
    prove: async ({ remote }) => {
      bodyOf(await remote.request({ method: 'GET', path: '/shop' }))
    },
  }),
  remote: {
    origin: ({ shop }) => `https://${shop}`,
    authenticate: (request, { api_key }) => ({ ...request, headers: { ...request.headers, 'x-api-key': api_key } }),
    budgets: { default: { capacity: 1000, perSecond: 1000 } },
    inProcess: answer,
  },
  orders: {
    list: async ({ remote }, { updatedSince, statuses, cursor, limit }) =>
      listOf(
        bodyOf(
          await remote.request({
            method: 'GET',
            path: '/orders',
            query: { updated_since: updatedSince, status: statuses, cursor, limit },
          }),
        ),
      ),
    get: async ({ remote }, remoteId) => {
      const reply = await remote.request({ method: 'GET', path: `/orders/${encodeURIComponent(remoteId)}` })
      return reply.status === 404 ? null : bodyOf(reply)
    },
    translate: toOrder,
    create: {
      repeatable: true,
      send: async ({ remote }, draft, { id }) =>
        toOrder(
          bodyOf(
            await remote.request({
              method: 'POST',
              path: '/orders',
              repeatable: true,
              body: { ...draft, reference: draft.reference ?? id },
            }),
          ),
        ),
    },
    cancel: {
      repeatable: true,
      send: async ({ remote }, { remoteId, reason }) =>
        toOrder(
          bodyOf(
            await remote.request({
              method: 'POST',
              path: `/orders/${encodeURIComponent(remoteId)}/cancel`,
              repeatable: true,
              body: { reason },
            }),
          ),
        ),
    },
  },
  acknowledgement: {
    repeatable: true,
    send: async ({ remote }, { remoteIds }) => {
      const reply = await remote.request({
        method: 'POST',
        path: '/orders/acknowledge',
        repeatable: true,
        body: { orders: remoteIds },
      })
      const taken = new Set(listOf(bodyOf(reply)).items)
      return remoteIds.map((remoteId) => {
        const ok = taken.has(remoteId)
        return { remoteId, ok, error: ok ? null : 'The shop has no such order.' }
      })
    },
  },
  products: {
    list: async ({ remote }, { updatedSince, cursor, limit }) =>
      listOf(
        bodyOf(
          await remote.request({
            method: 'GET',
            path: '/products',
            query: { updated_since: updatedSince, cursor, limit },
          }),
        ),
      ),
    translate: toProduct,
    export: {
      repeatable: true,
      send: async ({ remote }, draft) =>
        toProduct(bodyOf(await remote.request({ method: 'PUT', path: '/products', repeatable: true, body: draft }))),
    },
  },
  inventory: {
    locations: false,
    list: async ({ remote }, { updatedSince, cursor, limit }) =>
      listOf(
        bodyOf(
          await remote.request({
            method: 'GET',
            path: '/inventory',
            query: { updated_since: updatedSince, cursor, limit },
          }),
        ),
      ),
    translate: toInventoryLevel,
    set: {
      repeatable: true,
      send: async ({ remote }, items) => {
        const reply = await remote.request({ method: 'PUT', path: '/inventory', repeatable: true, body: { items } })
        const known = new Set(listOf(bodyOf(reply)).items)
        return items.map(({ sku, location = null }) => {
          const ok = known.has(sku)
          return { sku, location, ok, error: ok ? null : 'The shop has no such article.' }
        })
      },
    },
  },
  shipments: {
    partial: false,
    create: {
      repeatable: true,
      send: async ({ remote }, draft) =>
        toShipment(
          bodyOf(
            await remote.request({
              method: 'POST',
              path: `/orders/${encodeURIComponent(draft.order_remote_id)}/shipments`,
              repeatable: true,
              body: draft,
            }),
          ),
        ),
    },
  },
  proxy: {
    prefixes: ['/shop', '/orders', '/products', '/inventory'],
    resources: { shop: '/shop', orders: '/orders', products: '/products', inventory: '/inventory' },
  },
})
