import type { Db } from '../../runtime/db/connection.ts'
import { uninstallOfApp } from '../integrations/uninstall-cascade.ts'
import { deleteSubscriptionsOfApp } from '../webhooks/delete-subscription.ts'

/** With an app go its integrations and its webhooks. Part of the transaction that removes the app. */
export async function endOfApp(trx: Db, appId: number): Promise<void> {
  await uninstallOfApp(trx, appId)
  await deleteSubscriptionsOfApp(trx, appId)
}
