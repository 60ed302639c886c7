import type { Db } from '../../runtime/db/connection.ts'
import { newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import { articlesByIds } from './articles/article-store.ts'
import { balancesOf, sumOf } from './ledger-store.ts'
import { type OpenLine, openLines } from './oversold-store.ts'
import type { Movement, Pool } from './stock.ts'

export interface Oversold {
  article_id: number
  /** Pieces that are sold and not there. */
  missing: number
  /** All open orders of the article, in the order in which they were placed. */
  orders: (OpenLine & { is_short: boolean })[]
}

/**
 * Articles of which more was reserved just now than there is. Told at once, with whose orders it concerns: whoever came first
 * gets the goods, and the last ones go short.
 */
export async function findOversold(trx: Db, pool: Pool, made: readonly Movement[]): Promise<Oversold[]> {
  const grown = [...new Set(made.filter((one) => one.reserved_by > 0).map((one) => one.article_id))]
  if (grown.length === 0) return []
  const balances = await balancesOf(trx, grown)
  const short = grown.flatMap((id) => {
    const { available } = sumOf(balances.filter((one) => one.article_id === id))
    return available < 0 ? [{ id, missing: -available }] : []
  })
  if (short.length === 0) return []
  const lines = await openLines(
    trx,
    short.map(({ id }) => id),
  )
  const found = short.map(({ id, missing }) => ({
    article_id: id,
    missing,
    orders: whoGoesShort(
      lines.filter((line) => line.article_id === id),
      missing,
    ),
  }))
  const articles = new Map((await articlesByIds(trx, pool.id, grown)).map((article) => [article.id, article]))
  await emitEvents(
    trx,
    found.map((one) =>
      newEvent(
        'stock.oversold',
        { appId: pool.app_id },
        {
          subject: `stock:${pool.id}:${one.article_id}`,
          data: {
            account_id: pool.account_id,
            article_id: one.article_id,
            sku: articles.get(one.article_id)?.sku ?? '',
            missing: one.missing,
            orders: one.orders.map(({ integration_id, order_id, reserved, placed_at, is_short }) => ({
              ...{ integration_id, order_id, quantity: reserved, placed_at, is_short },
              href: `/api/2.0/app/orders/${order_id}?integration_id=${integration_id}`,
            })),
          },
        },
      ),
    ),
  )
  return found
}

/** The newest orders, until as many pieces as are missing are covered. */
export function whoGoesShort(lines: readonly OpenLine[], missing: number): Oversold['orders'] {
  let left = missing
  return [...lines]
    .sort((a, b) => (a.placed_at === b.placed_at ? b.order_id - a.order_id : a.placed_at < b.placed_at ? 1 : -1))
    .map((line) => {
      const isShort = left > 0
      left -= line.reserved
      return { ...line, is_short: isShort }
    })
    .reverse()
}

/** Whether an order goes short at this moment. */
export async function isStillShort(
  db: Db,
  { integrationId, orderId, articleId }: { integrationId: number; orderId: number; articleId: number },
): Promise<boolean> {
  const { available } = sumOf(await balancesOf(db, [articleId]))
  if (available >= 0) return false
  return whoGoesShort(await openLines(db, [articleId]), -available).some(
    (one) => one.integration_id === integrationId && one.order_id === orderId && one.is_short,
  )
}
