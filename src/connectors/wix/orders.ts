import type { Cancellation, Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, askOne } from './ask.ts'
import { withParcelsAndRefunds } from './joins.ts'
import { listChanged } from './pages.ts'
import { type Credentials, isId, type Settings, type WixShop } from './settings.ts'
import { listedStatuses, statuses } from './statuses.ts'
import { toOrder } from './translate-order.ts'

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  statuses: async () => statuses,
  cancel: { repeatable: true, send: cancel },
}

/** Orders that wait for their payment, or whose payment failed, are left out unless they are asked for by name. */
async function listOrders(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const filter = { status: { $in: listedStatuses } }
  const list = { path: '/ecom/v1/orders/search', question: 'search', rows: 'orders', most: 100, filter } as const
  const page = await listChanged(shop, list, query)
  return { ...page, items: await withParcelsAndRefunds(shop, page.items) }
}

export async function getOrder(shop: WixShop, remoteId: string): Promise<Fields | null> {
  const answer = isId(remoteId) ? await askOne(shop, `/ecom/v1/orders/${remoteId}`) : null
  if (answer === null) return null
  const [order = null] = await withParcelsAndRefunds(shop, [fieldsIn(answer, 'order')])
  return order
}

/** Wix refuses to cancel twice, so it is looked at first. Goods go back into stock; money does not go back by itself. */
async function cancel(shop: WixShop, { remoteId, reason, notifyCustomer }: Cancellation): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (before === null) throw refused(say('no_such_order'))
  if (before['status'] === 'CANCELED') return toOrder(before, shop)
  const isTold = notifyCustomer === true
  const body = {
    sendOrderCanceledEmail: isTold,
    restockAllItems: true,
    ...(isTold && reason ? { customMessage: reason } : {}),
  }
  await ask(shop, { method: 'POST', path: `/ecom/v1/orders/${remoteId}/cancel`, body })
  return toOrder(await getOrder(shop, remoteId), shop)
}
