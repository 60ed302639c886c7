import type { Db } from '../../runtime/db/connection.ts'
import { emitIntegration } from './integration-events.ts'
import { readIntegration } from './integration-store.ts'
import { uninstallAll } from './uninstall-store.ts'

/** With an app go its integrations: nobody is left to ask for them. Part of the transaction that removes the app. */
export async function uninstallOfApp(trx: Db, appId: number): Promise<void> {
  await uninstallAll(trx, { app_id: appId }, { remove: true })
}

/** Without the account nothing may be run any longer; the app still sees what there was. */
export async function uninstallOfAccount(trx: Db, accountId: number): Promise<void> {
  for (const { id, was } of await uninstallAll(trx, { account_id: accountId }, { remove: false })) {
    const integration = await readIntegration(trx, id)
    await emitIntegration(trx, { integration, was, type: 'integration.uninstalled' })
  }
}
