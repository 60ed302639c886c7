import type { Db } from '../../runtime/db/connection.ts'
import { lockApp } from '../apps/app-store.ts'
import type { UserTenant } from '../tenant.ts'
import { changeAttached, findAttached } from './app-service-store.ts'
import { changeService, lockService } from './service-store.ts'

/** For `storeLogo`: puts the name on the service and gives back the one before. */
export const setServiceLogo =
  (tenant: UserTenant, id: number) =>
  async (trx: Db, logo: string): Promise<string | null> => {
    const before = await lockService(trx, tenant, id)
    await changeService(trx, id, { logo })
    return before.logo
  }

/** The same for the logo under which one app shows the service. */
export const setAppServiceLogo =
  (tenant: UserTenant, { appId, serviceId }: { appId: number; serviceId: number }) =>
  async (trx: Db, logo: string): Promise<string | null> => {
    await lockApp(trx, tenant, appId)
    const before = await findAttached(trx, { appId }, serviceId)
    await changeAttached(trx, { appId }, { service_id: serviceId, logo })
    return before.attached_logo
  }
