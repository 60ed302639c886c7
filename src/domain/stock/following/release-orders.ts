import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { bookAndAim } from '../book-movements.ts'
import { readPool } from '../pool-store.ts'
import type { Booking, Pool, PoolShop } from '../stock.ts'
import { deleteLines, type HeldLine, heldLines } from './follow-store.ts'

/** What these lines hold back is free again. `name` keeps the movements apart from what was booked for the lines before. */
export async function releaseLines(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  pool: Pool,
  lines: readonly HeldLine[],
  { name, note }: { name: string; note: string },
): Promise<void> {
  const bookings = lines
    .filter((line) => line.reserved > 0)
    .map(
      (line): Booking => ({
        ...{ article_id: line.article_id, place_id: line.place_id, kind: 'release', reserved_by: -line.reserved },
        ...{ source: `order:${line.integration_id}`, key: `${line.order_id}/${line.line}/${name}` },
        ...{ integration_id: line.integration_id, order_id: line.order_id, note },
      }),
    )
  await bookAndAim(context, trx, pool, bookings)
}

/**
 * Orders that are kept no longer hold nothing back: part of the transaction that deletes them, which holds the lock of the shop. What they took
 * stays taken.
 */
export async function forgetOrders(
  context: Pick<Context, 'enqueue'>,
  trx: Db,
  shop: PoolShop,
  orderIds: readonly number[],
): Promise<void> {
  const lines = await heldLines(trx, shop.integration_id, orderIds)
  if (lines.length === 0) return
  await releaseLines(context, trx, await readPool(trx, shop.pool_id), lines, {
    name: 'forgotten',
    note: 'The order was deleted: the app keeps orders no longer.',
  })
  await deleteLines(trx, shop.integration_id, orderIds)
}
