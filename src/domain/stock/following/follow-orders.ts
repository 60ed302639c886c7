import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { partsOf } from '../articles/article-store.ts'
import { type Link, linksMeant } from '../articles/link-store.ts'
import { bookAndAim } from '../book-movements.ts'
import type { Booking, Part, Pool, PoolShop } from '../stock.ts'
import { aimAt } from '../targets.ts'
import {
  type FollowedOrder,
  followShows,
  type HeldLine,
  heldLines,
  type OwnDoing,
  ordersToFollow,
  saveLines,
} from './follow-store.ts'
import { type LinePieces, piecesOf, stepsBetween } from './order-pieces.ts'

/** Clocks of platforms and ours may differ by so much. */
const skewMs = 60_000

/**
 * Books what orders of a shop mean for the stock: the difference between what they say now and what the ledger has of them.
 * In one transaction, which holds the lock of the shop; done again it books nothing.
 */
export async function followOrders(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  { pool, shop, isSandbox }: { pool: Pool; shop: PoolShop; isSandbox: boolean },
  orderIds: readonly number[],
): Promise<void> {
  const found = await ordersToFollow(trx, shop.integration_id, orderIds)
  // Test orders take nothing, what the platform stocks is not ours to count, and what is known in part waits for the rest.
  const orders = found.filter((one) => (!one.sandbox || isSandbox) && !one.by_platform && !one.incomplete)
  const lines = orders.flatMap((order) => piecesOf(order).map((pieces) => ({ order, pieces })))
  const meant = await linksOf(
    trx,
    shop.integration_id,
    lines.map(({ pieces }) => pieces),
  )
  const held = new Map((await heldLines(trx, shop.integration_id, orderIds)).map((line) => [keyOf(line), line]))
  const linked = lines.flatMap(({ order, pieces }) => {
    const link = meant(pieces)
    return link ? [{ order, pieces, link }] : []
  })
  const parts = await partsOf(
    trx,
    linked.map(({ link }) => link.article_id),
  )
  const bookings: Booking[] = []
  const saved: HeldLine[] = []
  const doings: OwnDoing[] = []
  for (const { order, pieces, link } of linked) {
    let units = 0
    for (const part of parts.get(link.article_id) ?? [{ article_id: link.article_id, quantity: 1 }]) {
      const was = held.get(keyOf({ order_id: order.id, line: pieces.line, article_id: part.article_id }))
      const step = stepOf({ order, pieces, part, shop }, was)
      if (step === null) continue
      bookings.push(...step.bookings)
      saved.push(step.line)
      units = step.units
    }
    if (units !== 0) doings.push({ link_id: link.id, sold: ownDoing(order, link, units) })
  }
  await saveLines(trx, saved)
  await followShows(trx, doings)
  const booked = await bookAndAim(context, trx, pool, bookings)
  if (booked.length === 0 && doings.length > 0)
    await aimAt(trx, pool.id, { articleIds: linked.map(({ link }) => link.article_id) })
}

const keyOf = (line: Pick<HeldLine, 'order_id' | 'line' | 'article_id'>) =>
  JSON.stringify([line.order_id, line.line, line.article_id])

interface Seen {
  order: FollowedOrder
  pieces: LinePieces
  part: Part
  shop: PoolShop
}

/** What is to be booked for one line and one article of it, and what the ledger has of it afterwards; null where that is nothing. */
function stepOf({ order, pieces, part, shop }: Seen, was: HeldLine | undefined) {
  const times = (units: number) => units * part.quantity
  const returned = shop.restock_returns ? times(pieces.returned) : 0
  // What had left before the shop came into the pool was not there to be counted.
  const wasBefore = order.placed_at < shop.joined_at
  const base: HeldLine = was ?? {
    ...{ integration_id: shop.integration_id, order_id: order.id, line: pieces.line, article_id: part.article_id },
    ...{ place_id: shop.place_id, before: wasBefore ? times(pieces.sold) : 0, reserved: 0, sold: 0 },
    ...{ returned: wasBefore ? returned : 0, steps: 0, placed_at: order.placed_at },
  }
  const is = {
    reserved: times(pieces.reserved),
    sold: Math.max(0, times(pieces.sold) - base.before),
    returned: Math.max(base.returned, returned),
  }
  const steps = stepsBetween(base, is)
  if (steps.length === 0 && (was !== undefined || base.before === 0)) return null
  const source = `order:${shop.integration_id}`
  const bookings = steps.map(
    (step): Booking => ({
      ...step,
      ...{ article_id: part.article_id, place_id: base.place_id, source },
      // A shop that has left and come back begins anew.
      key: `${order.id}/${pieces.line}/${base.steps}/${step.kind}/${shop.joined_at}`,
      integration_id: shop.integration_id,
      order_id: order.id,
    }),
  )
  const line = { ...base, ...is, steps: base.steps + 1 }
  return { bookings, line, units: (is.reserved + is.sold - base.reserved - base.sold) / part.quantity }
}

/** Units that the shop has taken off by itself; null where it is not certain what it shows. */
function ownDoing(order: FollowedOrder, link: Link, units: number): number | null {
  if (units < 0 || link.confirmed_at === null) return null
  return Date.parse(order.placed_at) > Date.parse(link.confirmed_at) + skewMs ? units : null
}

/** Which link a line means: by the shop's id of the variant, or where it names none, by a SKU that only one has. */
async function linksOf(
  trx: Db,
  integrationId: number,
  lines: readonly LinePieces[],
): Promise<(line: LinePieces) => Link | undefined> {
  const links = await linksMeant(trx, integrationId, {
    remoteIds: [...new Set(lines.flatMap(({ variantId, productId }) => [variantId ?? [], productId ?? []].flat()))],
    skus: [...new Set(lines.flatMap(({ sku }) => sku ?? []))],
  })
  const only = (found: readonly Link[]) => (found.length === 1 ? found[0] : undefined)
  return ({ variantId, productId, sku }) =>
    only(links.filter((link) => variantId !== null && link.remote_id === variantId)) ??
    only(links.filter((link) => sku !== null && link.sku === sku)) ??
    only(links.filter((link) => productId !== null && link.remote_id === productId))
}
