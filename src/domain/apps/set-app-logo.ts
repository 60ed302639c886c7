import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { deleteLogo } from '../logos/logo-store.ts'
import type { UserTenant } from '../tenant.ts'
import { changeApp, lockApp } from './app-store.ts'

/** The app goes without one, as it did before. */
export async function removeAppLogo(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  id: number,
): Promise<void> {
  await context.transaction(async (trx) => {
    const { logo } = await lockApp(trx, tenant, id)
    if (logo === null) return
    await changeApp(trx, id, { logo: null })
    await deleteLogo(trx, logo)
  })
}

/** For `storeLogo`: puts the name on the app and gives back the one before. */
export const setAppLogo =
  (tenant: UserTenant, id: number) =>
  async (trx: Db, logo: string): Promise<string | null> => {
    const before = await lockApp(trx, tenant, id)
    await changeApp(trx, id, { logo })
    return before.logo
  }
