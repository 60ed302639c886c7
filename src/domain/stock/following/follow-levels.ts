import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { newEvent } from '../../events/event.ts'
import { emitEvents } from '../../events/event-store.ts'
import { articlesByIds, partsOf } from '../articles/article-store.ts'
import { bookAndAim } from '../book-movements.ts'
import { type Booking, mostPieces, type Pool, type PoolShop } from '../stock.ts'
import { aimAt, holdArticles } from '../targets.ts'
import {
  articlesApart,
  type Drifted,
  noteLevels,
  noteResolved,
  readLevels,
  takeAsSeen,
  unexplained,
} from './drift-store.ts'

/**
 * Notices where a shop shows something else than we believe. That may be an order that has not come yet, so it is only
 * written down; `settleDrift` decides when orders have been read since.
 */
export async function followLevels(trx: Db, pool: Pool, shop: PoolShop, skus: readonly string[]): Promise<void> {
  if (skus.length === 0) return
  const read = await readLevels(trx, shop, skus)
  const apart = await articlesApart(trx, shop, read)
  if (apart.length === 0) return
  await holdArticles(trx, pool.id, [...new Set(apart.map((one) => one.article_id))])
  const meant = new Set(apart.map(({ sku }) => sku))
  const levels = read.filter(({ sku }) => meant.has(sku))
  const articleIds = await noteLevels(trx, shop, { levels, isOn: pool.mode === 'on' })
  if (articleIds.length > 0) await aimAt(trx, pool.id, { articleIds })
}

/**
 * Differences that orders do not explain: orders have been read since they were seen. Somebody changed the shop by hand, and
 * the rule says whether that is believed or corrected.
 */
export async function settleDrift(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  pool: Pool,
  shop: PoolShop,
): Promise<number> {
  const drifted = await unexplained(trx, shop)
  if (drifted.length === 0) return 0
  const bundles = await partsOf(
    trx,
    drifted.map((one) => one.article_id),
  )
  // What is missing of a bundle may be any of its parts: that is not guessed. More than anybody has was not counted.
  const isBelieved = ({ article_id: id, found }: Drifted) =>
    shop.by_hand === 'believe' && !bundles.has(id) && Math.abs(found) <= mostPieces
  await takeAsSeen(
    trx,
    drifted.map(({ id }) => id),
  )
  const resolutionOf = (one: Drifted) => (isBelieved(one) ? 'believed' : 'corrected')
  await noteResolved(
    trx,
    drifted.map((one) => ({ id: one.id, expected: one.expected, found: one.found, resolution: resolutionOf(one) })),
  )
  const bookings = drifted.filter(isBelieved).map(
    (one): Booking => ({
      ...{ article_id: one.article_id, place_id: shop.place_id, kind: 'correction' },
      on_hand_by: one.found - one.expected,
      ...{
        source: `shop:${shop.integration_id}`,
        key: `${one.id}/${one.seen_at}`,
        integration_id: shop.integration_id,
      },
      note: 'Changed by hand in the shop.',
    }),
  )
  await bookAndAim(context, trx, pool, bookings)
  await aimAt(trx, pool.id, { articleIds: drifted.map((one) => one.article_id) })
  const articles = await articlesByIds(
    trx,
    pool.id,
    drifted.map((one) => one.article_id),
  )
  await emitEvents(
    trx,
    drifted.map((one) =>
      newEvent(
        'stock.drift',
        { integrationId: shop.integration_id },
        {
          subject: `stock:${pool.id}:${one.article_id}`,
          data: {
            ...{ account_id: pool.account_id, article_id: one.article_id, integration_id: shop.integration_id },
            sku: articles.find(({ id }) => id === one.article_id)?.sku ?? one.sku,
            ...{ expected: one.expected, found: one.found, noticed_at: one.seen_at },
            resolution: resolutionOf(one),
          },
        },
      ),
    ),
  )
  return drifted.length
}
