import type { Db } from '../../runtime/db/connection.ts'
import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import { cancelDeliveries } from './delivery-store.ts'
import { lockWebhook, markDeleted, webhooksOfApp } from './subscription-store.ts'

/** What was still to be sent is not sent any more. */
export const deleteSubscription = (context: Pick<Context, 'transaction'>, id: number): Promise<void> =>
  context.transaction(async (trx) => {
    await lockWebhook(trx, id)
    await remove(trx, id)
  })

/** Part of the transaction that removes the app. */
export async function deleteSubscriptionsOfApp(trx: Db, appId: number): Promise<void> {
  for (const id of await webhooksOfApp(trx, appId)) await remove(trx, id)
}

async function remove(trx: Db, id: number): Promise<void> {
  await markDeleted(trx, id)
  await cancelDeliveries(trx, id)
  await announce(trx, 'webhook', id)
}
