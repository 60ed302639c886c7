import type { Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { bodyOf, isId, isMissing } from './ask.ts'
import { changedSince, isSince, turn } from './pages.ts'
import type { Credentials, Settings, SquareShop } from './settings.ts'
import { fulfillmentFor, paymentStates, statuses } from './statuses.ts'
import { toOrder } from './translate-order.ts'

export const ordersPath = '/1.0/commerce/orders'

/** Nobody can cancel orders or pay money back from outside: Squarespace has no such request. */
export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  statuses: async () => statuses,
}

/**
 * By the time of their last change. Which end comes first is not written down, and does not matter: a cursor stands behind an
 * order and not at a number, so that nothing is passed over when others move.
 */
async function listOrders(shop: SquareShop, query: ReadQuery): Promise<RawPage> {
  const { updatedSince, statuses: wanted } = query
  const fulfillmentStatus = fulfillmentFor(wanted)
  // Unasked, orders are left out whose money is on its way, partly there, or on its way back.
  const first = {
    ...changedSince(updatedSince),
    paymentStates: paymentStates.join(','),
    ...(fulfillmentStatus === null ? {} : { fulfillmentStatus }),
  }
  const { items, next } = await turn(shop, { path: ordersPath, rows: 'result', id: 'id', first }, query)
  return { items: items.filter((order) => isSince(order, updatedSince)), next, total: null }
}

async function getOrder(shop: SquareShop, remoteId: string): Promise<Fields | null> {
  return (await askOrder(shop, remoteId))?.order ?? null
}

/** An order, and what time it is there. */
export async function askOrder(
  { remote }: SquareShop,
  remoteId: string,
): Promise<{ order: Fields; now: string | null } | null> {
  if (!isId(remoteId)) return null
  const answer = await remote.request({ method: 'GET', path: `${ordersPath}/${remoteId}` })
  if (isMissing(answer, remoteId)) return null
  const at = Date.parse(answer.headers['date'] ?? '')
  return { order: fieldsOf(bodyOf(answer)), now: Number.isNaN(at) ? null : new Date(at).toISOString() }
}
