import type { Db } from '../../runtime/db/connection.ts'
import { uninstallAll } from './uninstall-store.ts'

/** With an app go its integrations: nobody is left to ask for them. Part of the transaction that removes the app. */
export const uninstallOfApp = (trx: Db, appId: number): Promise<void> =>
  uninstallAll(trx, { app_id: appId }, { remove: true })

/** Without the account nothing may be run any longer; the app still sees what there was. */
export const uninstallOfAccount = (trx: Db, accountId: number): Promise<void> =>
  uninstallAll(trx, { account_id: accountId }, { remove: false })
