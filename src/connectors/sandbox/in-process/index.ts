import { bodyOf, bodyOrNull } from '../../../commerce/reading.ts'
import type { RemoteRequest } from '../../../commerce/remote.ts'
import type { Dialect } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { listOf, toInventoryLevel, toOrder, toProduct, toShipment } from './translate.ts'

const ask = async ({ remote }: SandboxShop, request: RemoteRequest): Promise<unknown> =>
  bodyOf(await remote.request(request))

const write = (method: 'POST' | 'PUT', path: string, body: unknown): RemoteRequest => ({
  method,
  path,
  body,
  repeatable: true,
})

/** The shop in this process: nothing goes over a wire, and whatever is told twice is done once. */
export const inProcess: Dialect = {
  needs: ['api_key'],
  prove: async (shop) => {
    await ask(shop, { method: 'GET', path: '/shop' })
  },
  orders: {
    selects: true,
    list: async (shop, { updatedSince, statuses, cursor, limit }) =>
      listOf(
        await ask(shop, {
          method: 'GET',
          path: '/orders',
          query: { updated_since: updatedSince, status: statuses, cursor, limit },
        }),
      ),
    get: async ({ remote }, remoteId) =>
      bodyOrNull(await remote.request({ method: 'GET', path: `/orders/${encodeURIComponent(remoteId)}` })),
    translate: toOrder,
    create: async (shop, draft, { id }) =>
      toOrder(await ask(shop, write('POST', '/orders', { ...draft, reference: draft.reference ?? id }))),
    // What is made twice under one reference is made once: there is nothing to look for.
    findMade: async () => null,
    cancel: async (shop, { remoteId, reason }) =>
      toOrder(await ask(shop, write('POST', `/orders/${encodeURIComponent(remoteId)}/cancel`, { reason }))),
  },
  acknowledge: async (shop, remoteIds) => {
    const taken = new Set(listOf(await ask(shop, write('POST', '/orders/acknowledge', { orders: remoteIds }))).items)
    return remoteIds.map((remoteId) => {
      const ok = taken.has(remoteId)
      return { remoteId, ok, error: ok ? null : 'The shop has no such order.' }
    })
  },
  products: {
    list: async (shop, { updatedSince, cursor, limit }) =>
      listOf(
        await ask(shop, { method: 'GET', path: '/products', query: { updated_since: updatedSince, cursor, limit } }),
      ),
    get: async ({ remote }, remoteId) =>
      bodyOrNull(await remote.request({ method: 'GET', path: `/products/${encodeURIComponent(remoteId)}` })),
    translate: toProduct,
    export: async (shop, draft) => toProduct(await ask(shop, write('PUT', '/products', draft))),
  },
  inventory: {
    list: async (shop, { updatedSince, cursor, limit }) =>
      listOf(
        await ask(shop, { method: 'GET', path: '/inventory', query: { updated_since: updatedSince, cursor, limit } }),
      ),
    translate: toInventoryLevel,
    set: async (shop, items) => {
      const known = new Set(listOf(await ask(shop, write('PUT', '/inventory', { items }))).items)
      return items.map(({ sku, location = null }) => {
        const ok = known.has(sku)
        return { sku, location, ok, error: ok ? null : 'The shop has no such article.' }
      })
    },
  },
  ship: async (shop, draft) =>
    toShipment(await ask(shop, write('POST', `/orders/${encodeURIComponent(draft.order_remote_id)}/shipments`, draft))),
  // The same tracking number is the same parcel.
  findShipped: async () => null,
}
