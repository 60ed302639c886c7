import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { partsOf } from '../articles/article-store.ts'
import { type Link, linksMeant } from '../articles/link-store.ts'
import { bookAndAim } from '../book-movements.ts'
import { markSelling } from '../pool-store.ts'
import type { Booking, Part, Pool, PoolShop } from '../stock.ts'
import { aimAt, holdArticles } from '../targets.ts'
import {
  type FollowedOrder,
  followShows,
  type HeldLine,
  heldLines,
  type OwnDoing,
  ordersToFollow,
  saveLines,
} from './follow-store.ts'
import { linesOf, type OrderLine, type Pieces, piecesIn, piecesOf, stepsBetween } from './order-pieces.ts'

/** Clocks of platforms and ours may differ by so much. */
const skewMs = 60_000

/**
 * Books what orders of a shop mean for the stock: the difference between what they say now and what the ledger has of them.
 * In one transaction, which holds the lock of the shop; done again it books nothing. The answer is whether it is news that the shop is selling.
 */
export async function followOrders(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  { pool, shop, isSandbox, compares }: { pool: Pool; shop: PoolShop; isSandbox: boolean; compares: boolean },
  orderIds: readonly number[],
): Promise<boolean> {
  const found = await ordersToFollow(trx, shop.integration_id, orderIds)
  // Test orders take nothing, what the platform stocks is not ours to count, and what is known in part waits for the rest.
  const orders = found.filter((one) => (!one.sandbox || isSandbox) && !one.by_platform && !one.incomplete)
  const waiting = new Set(found.flatMap((one) => (one.incomplete ? one.id : [])))
  const held = (await heldLines(trx, shop.integration_id, orderIds)).filter((one) => !waiting.has(one.order_id))
  const lines = orders.flatMap((order) => linesOf(order).map((line) => ({ order, line })))
  const meant = await meaningOf(trx, shop.integration_id, { lines: lines.map(({ line }) => line), held })
  const steps: LineStep[] = []
  const doings: OwnDoing[] = []
  const articles: number[] = []
  const gone = new Map(held.map((line) => [keyOf(line), line]))
  /** What links show less than is known of, and no order of these has explained yet. */
  const missing = new Map<number, number>()
  for (const { order, line } of lines) {
    const { link, parts } = meant(order, line)
    let units = 0
    for (const part of parts) {
      const key = keyOf({ order_id: order.id, line: line.line, article_id: part.article_id })
      const step = stepOf({ order, line, part, shop }, gone.get(key))
      gone.delete(key)
      if (step === null) continue
      steps.push(step)
      units = step.units
    }
    if (link === null || units === 0) continue
    const unexplained = missing.get(link.id) ?? missingIn(link)
    const isSeen = units > 0 && units <= unexplained
    if (isSeen) missing.set(link.id, unexplained - units)
    const certain = isCertain(order, link, { units, compares })
    doings.push({
      link_id: link.id,
      sold: Math.max(0, units),
      unsure: !isSeen && !certain,
      guessed: isSeen && !certain,
    })
    articles.push(link.article_id)
  }
  steps.push(...[...gone.values()].flatMap((line) => takenOff(line, shop)))
  const bookings = steps.flatMap((step) => step.bookings)
  await holdArticles(trx, pool.id, [...new Set([...articles, ...bookings.map((one) => one.article_id)])])
  await saveLines(
    trx,
    steps.map(({ line }) => line),
  )
  await followShows(trx, doings)
  const booked = await bookAndAim(context, trx, pool, bookings)
  if (booked.length === 0 && doings.length > 0) await aimAt(trx, pool.id, { articleIds: articles })
  const sells = pool.mode === 'on' && booked.some(({ kind }) => kind === 'reservation' || kind === 'sale')
  return sells && (await markSelling(trx, shop.integration_id))
}

const keyOf = (line: Pick<HeldLine, 'order_id' | 'line' | 'article_id'>) =>
  JSON.stringify([line.order_id, line.line, line.article_id])

interface Seen {
  order: FollowedOrder
  line: OrderLine
  part: Part
  shop: PoolShop
}

interface LineStep {
  bookings: Booking[]
  /** What the ledger has of it afterwards. */
  line: HeldLine
  /** By how many units more was taken. */
  units: number
}

/** What is to be booked for one line and one article of it; null where that is nothing. */
function stepOf({ order, line, part, shop }: Seen, was: HeldLine | undefined): LineStep | null {
  const times = (units: number) => piecesIn(units, part.quantity)
  const pieces = piecesOf(line, was && { sold: (was.before + was.sold) / was.per_unit, dropped: was.dropped })
  const returned = shop.restock_returns ? times(pieces.returned) : 0
  // What had left before the shop came into the pool was not there to be counted.
  const wasBefore = order.placed_at < shop.joined_at
  const base: HeldLine = was ?? {
    ...{ integration_id: shop.integration_id, order_id: order.id, line: line.line, article_id: part.article_id },
    ...{ place_id: shop.place_id, per_unit: part.quantity, dropped: 0 },
    ...{ before: wasBefore ? times(pieces.sold) : 0, reserved: 0, sold: 0 },
    ...{ returned: wasBefore ? returned : 0, steps: 0, placed_at: order.placed_at },
  }
  const is = {
    reserved: times(pieces.reserved),
    sold: Math.max(0, times(pieces.sold) - base.before),
    returned: Math.max(base.returned, returned),
  }
  const { bookings, line: after } = bookingsFor(base, is, shop)
  const isSame = bookings.length === 0 && base.dropped === pieces.dropped
  if (isSame && (was !== undefined || base.before === 0)) return null
  const units = (is.reserved + is.sold - base.reserved - base.sold) / part.quantity
  return { bookings, line: { ...after, per_unit: part.quantity, dropped: pieces.dropped }, units }
}

/** A line that is in the order no longer, or means another article: it holds nothing back. What has left has left. */
function takenOff(was: HeldLine, shop: PoolShop): LineStep[] {
  if (was.reserved === 0) return []
  return [{ ...bookingsFor(was, { reserved: 0, sold: was.sold, returned: was.returned }, shop), units: 0 }]
}

function bookingsFor(was: HeldLine, is: Pieces, shop: PoolShop): { bookings: Booking[]; line: HeldLine } {
  const bookings = stepsBetween(was, is).map(
    (step): Booking => ({
      ...step,
      ...{ article_id: was.article_id, place_id: was.place_id, source: `order:${was.integration_id}` },
      // A shop that has left and come back begins anew.
      key: `${was.order_id}/${was.line}/${was.steps}/${step.kind}/${shop.joined_at}`,
      integration_id: was.integration_id,
      order_id: was.order_id,
    }),
  )
  return { bookings, line: { ...was, ...is, steps: was.steps + 1 } }
}

/** Which articles a line takes: those of its link, or where it has none any longer, those that it has taken. */
async function meaningOf(
  trx: Db,
  integrationId: number,
  { lines, held }: { lines: readonly OrderLine[]; held: readonly HeldLine[] },
): Promise<(order: FollowedOrder, line: OrderLine) => { link: Link | null; parts: readonly Part[] }> {
  const linkOf = await linksOf(trx, integrationId, lines)
  const bundles = await partsOf(
    trx,
    lines.flatMap((line) => linkOf(line)?.article_id ?? []),
  )
  return (order, line) => {
    const link = linkOf(line)
    if (link) return { link, parts: bundles.get(link.article_id) ?? [{ article_id: link.article_id, quantity: 1 }] }
    const taken = held.filter((one) => one.order_id === order.id && one.line === line.line)
    return { link: null, parts: taken.map((one) => ({ article_id: one.article_id, quantity: one.per_unit })) }
  }
}

/** So many units the shop was seen to show less than was believed. Each of them is explained by one order, not by all that come together. */
const missingIn = ({ seen, shows }: Link): number => (seen === null || shows === null ? 0 : Math.max(0, shows - seen))

/**
 * Whether a shop that nobody has looked at shows so much less: it compares before it is changed, or was told nothing at about that time. Until it has been
 * told something by somebody who knew what it showed, one less may be what it was told or what it sold: nobody can tell these apart.
 */
function isCertain(
  order: FollowedOrder,
  { sent_at: sent, accepted_at: accepted, blind_until: blind }: Link,
  { units, compares }: { units: number; compares: boolean },
): boolean {
  if (units < 0) return false
  // Not so for a time that has not come yet, either.
  const isLaterThan = (time: string) => Date.parse(order.placed_at) > Date.parse(time) + skewMs
  if (blind !== null && !isLaterThan(blind)) return false
  return (compares && sent !== null) || (accepted !== null && isLaterThan(accepted))
}

/** Which link a line means: by the shop's id of the variant, or where it names none, by a SKU that only one has. */
async function linksOf(
  trx: Db,
  integrationId: number,
  lines: readonly OrderLine[],
): Promise<(line: OrderLine) => Link | undefined> {
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
