import { lockApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { changeAttached, detach, findAttached } from './app-service-store.ts'
import type { AttachedService, Attachment } from './service.ts'

export async function updateAttachedService(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { appId: number; attachment: Attachment },
): Promise<AttachedService> {
  const { appId, attachment } = input
  return await context.transaction(async (trx) => {
    await lockApp(trx, tenant, appId)
    await changeAttached(trx, { appId }, attachment)
    return await findAttached(trx, { appId }, attachment.service_id)
  })
}

/** New installations are over; integrations that exist stay as they are. */
export async function detachService(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { appId: number; serviceId: number },
): Promise<void> {
  await context.transaction(async (trx) => {
    await lockApp(trx, tenant, input.appId)
    await findAttached(trx, { appId: input.appId }, input.serviceId)
    await detach(trx, { appId: input.appId }, input.serviceId)
  })
}
