import type { Db } from '../../runtime/db/connection.ts'
import type { UserTenant } from '../tenant.ts'
import { changeApp, lockApp } from './app-store.ts'

/** For `storeLogo` and `dropLogo`: puts the name on the app, or none, and gives back the one before. */
export const setAppLogo =
  (tenant: UserTenant, id: number) =>
  async (trx: Db, logo: string | null): Promise<string | null> => {
    const before = await lockApp(trx, tenant, id)
    await changeApp(trx, id, { logo })
    return before.logo
  }
