import { connectorFor } from '../../commerce/connectors.ts'
import { invalidField } from '../../lib/fault.ts'
import { lockApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { attach, findAttached } from './app-service-store.ts'
import { checkPlatformClient } from './platform-client.ts'
import { savePlatformClient } from './platform-client-store.ts'
import type { AttachedService, AttachmentWithClient } from './service.ts'
import { attachableIds, servicesById } from './service-store.ts'

export async function attachService(
  context: Pick<Context, 'transaction' | 'connectors' | 'keys'>,
  tenant: UserTenant,
  input: { appId: number; attachment: AttachmentWithClient },
): Promise<AttachedService> {
  const { appId } = input
  const { client, ...attachment } = input.attachment
  const { service_id: serviceId } = attachment
  return await context.transaction(async (trx) => {
    await lockApp(trx, tenant, appId)
    const known = await attachableIds(trx, tenant, [serviceId])
    if (!known.has(serviceId)) throw invalidField('service_id', 'The selected service id is invalid.')
    if (!(await attach(trx, { appId }, attachment))) {
      throw invalidField('service_id', 'The service id has already been taken.')
    }
    if (client) {
      const service = (await servicesById(trx, [serviceId])).get(serviceId)
      const checked = checkPlatformClient(service && connectorFor(context.connectors, service), client)
      await savePlatformClient(trx, context.keys, { serviceId, appId }, checked)
    }
    return await findAttached(trx, { appId }, serviceId)
  })
}
