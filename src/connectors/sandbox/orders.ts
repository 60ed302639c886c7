import type { Acknowledgement, Orders } from '../../commerce/connector.ts'
import { listOf, readOne, readPage, write } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { statuses, toOrder } from './translate-order.ts'

export const orders: Orders<Settings, Credentials> = {
  list: readPage('/orders'),
  get: readOne('/orders'),
  translate: toOrder,
  statuses: async () => statuses,
  create: {
    repeatable: true,
    send: async (shop, draft, operation) => {
      const body = { ...draft, reference: draft.reference ?? operation.id }
      return toOrder(await write(shop, 'POST', '/orders', body, operation))
    },
  },
  cancel: {
    repeatable: true,
    send: async (shop, { remoteId, reason }, operation) =>
      toOrder(await write(shop, 'POST', `/orders/${encodeURIComponent(remoteId)}/cancel`, { reason }, operation)),
  },
}

export const acknowledgement: Acknowledgement<Settings, Credentials> = {
  repeatable: true,
  send: async (shop, { remoteIds }, operation) => {
    const body = await write(shop, 'POST', '/orders/acknowledge', { orders: remoteIds }, operation)
    const known = new Set(listOf(body).items)
    return remoteIds.map((remoteId) => {
      const ok = known.has(remoteId)
      return { remoteId, ok, error: ok ? null : 'The shop has no such order.' }
    })
  },
}
