import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, idIn, maybeFields, timeOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { ask, change } from './ask.ts'
import { cancelMutation, glanceQuery, listQuery, orderQuery } from './documents/orders.ts'
import { byIds, pageOf, since } from './pages.ts'
import type { VendureShop } from './settings.ts'
import { settledStates, statusesOf } from './statuses.ts'
import { changedAt, toOrder, versionOf } from './translate-order.ts'

/** Carts are in the same list. */
const placed = { active: { eq: false } }

const inFull = { query: listQuery, name: 'orders', filter: placed }

/**
 * Those that may have changed. The server cannot be asked for changes that only the history shows, so everything that is
 * still under way is looked at, and what has been sent for some time after it was placed.
 */
function mayHaveChanged({ settings: { follow_days: days = 90 } }: VendureShop, from: string) {
  const followed = toTimestamp(new Date(Date.parse(from) - days * 86_400_000))
  // Some databases keep whole seconds only.
  const own = toTimestamp(new Date(Date.parse(from) - 1000))
  const any = [{ updatedAt: since(own) }, { state: { notIn: settledStates } }, { orderPlacedAt: since(followed) }]
  return { query: glanceQuery, name: 'orders', filter: { ...placed, _or: any } }
}

/** A glance at a page of those, of which only what has changed is read in full. */
export async function listOrders(shop: VendureShop, query: ReadQuery): Promise<RawPage> {
  if (query.statuses.length > 0) return await listByStatus(shop, query)
  if (query.updatedSince === null) return await pageOf(shop, inFull, query)
  const from = timeOf(query.updatedSince)
  const { items, next } = await pageOf(shop, mayHaveChanged(shop, from), query)
  const ids = items.filter((order) => changedAt(order) >= from).map((order) => idIn(order, 'id'))
  return { items: await byIds(shop, inFull, ids), next, total: null }
}

async function listByStatus(shop: VendureShop, query: ReadQuery): Promise<RawPage> {
  const from = query.updatedSince === null ? '' : timeOf(query.updatedSince)
  // The one state that means two things.
  const states = [...statusesOf(shop)].flatMap(([state, status]) =>
    query.statuses.includes(status) || state === 'PartiallyDelivered' ? [state] : [],
  )
  const page = await pageOf(shop, { ...inFull, filter: { ...placed, state: { in: states } } }, query)
  return { ...page, items: page.items.filter((order) => changedAt(order) >= from), total: null }
}

export async function indexOrders(shop: VendureShop, { from, to, cursor }: IndexWindow): Promise<IndexPage> {
  const all = { ...inFull, query: glanceQuery }
  const list = Date.parse(from) <= 0 ? all : mayHaveChanged(shop, from)
  const { items, next } = await pageOf(shop, list, { cursor, limit: 1000 })
  const within = items.filter((order) => changedAt(order) >= timeOf(from) && changedAt(order) <= timeOf(to))
  return { items: within.map((order) => ({ remoteId: idIn(order, 'id'), version: versionOf(order) })), next }
}

export const getOrder = async (shop: VendureShop, remoteId: string): Promise<Fields | null> =>
  maybeFields(await ask(shop, orderQuery, { id: remoteId }), 'order')

/** A second time is an error there; whoever finds the order cancelled has what was wanted. */
export async function cancelOrder(
  shop: VendureShop,
  { remoteId, reason }: { remoteId: string; reason: string | null },
): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (before === null) throw refused(say('no_such_order'))
  if (before['state'] === 'Cancelled') return toOrder(before, shop)
  const input = { orderId: remoteId, cancelShipping: true, ...(reason === null ? {} : { reason }) }
  await change(shop, 'cancelOrder', cancelMutation, { input })
  return toOrder((await getOrder(shop, remoteId)) ?? before, shop)
}
