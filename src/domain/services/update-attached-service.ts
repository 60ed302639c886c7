import { connectorFor } from '../../commerce/connectors.ts'
import { lockApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { changeAttached, detach, findAttached } from './app-service-store.ts'
import { checkPlatformClient } from './platform-client.ts'
import { savePlatformClient } from './platform-client-store.ts'
import type { AttachedService, AttachmentWithClient } from './service.ts'

export async function updateAttachedService(
  context: Pick<Context, 'transaction' | 'connectors' | 'keys'>,
  tenant: UserTenant,
  input: { appId: number; attachment: AttachmentWithClient },
): Promise<AttachedService> {
  const { appId } = input
  const { client, ...attachment } = input.attachment
  const { service_id: serviceId } = attachment
  return await context.transaction(async (trx) => {
    await lockApp(trx, tenant, appId)
    const service = await findAttached(trx, { appId }, serviceId)
    if (client !== undefined) {
      const checked = checkPlatformClient(connectorFor(context.connectors, service), client)
      await savePlatformClient(trx, context.keys, { serviceId, appId }, checked)
    }
    await changeAttached(trx, { appId }, attachment)
    return await findAttached(trx, { appId }, serviceId)
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
