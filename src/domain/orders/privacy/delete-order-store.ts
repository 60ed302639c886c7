import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { deletedNow } from '../../../runtime/db/deleted-now.ts'
import { countRows, lockCounted } from '../../../runtime/db/lists/row-counters.ts'
import type { Order } from '../order.ts'
import { countOrder } from '../order-counts.ts'
import { emitOrders } from '../order-events.ts'
import { orderColumns, placeOf } from '../order-store.ts'
import { historyWords } from './history-sentences.ts'
import { redactOrders } from './redact-store.ts'

const note = historyWords('history.deleted_here')

/** Who bought is forgotten at once. That there was such an order stays, so that no sync brings it back. */
export async function deleteOrder(trx: Db, integrationId: number, id: number): Promise<void> {
  if ((await lockCounted(trx, integrationId)) === null) throw notFound()
  await redactOrders(trx, integrationId, { orderIds: [id], remoteIds: [], why: { source: 'api', note } })
  const order = await trx
    .updateTable('orders')
    .set(deletedNow)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(orderColumns)
    .$castTo<Order>()
    .executeTakeFirstOrThrow(notFound)
  const place = placeOf(order)
  await countRows(trx, integrationId, countOrder(place, { ...place, deleted: true }))
  await emitOrders(trx, integrationId, [order], () => ({ order, was: order.status, deleted: true }))
}
