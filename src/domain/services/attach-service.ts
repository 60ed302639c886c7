import { connectorFor } from '../../commerce/connectors.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { lockApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { attach, changeAttached, detach, findAttached } from './app-service-store.ts'
import { checkPlatformClient } from './platform-client.ts'
import { savePlatformClient } from './platform-client-store.ts'
import type { AttachedService, Attachment, AttachmentWithClient } from './service.ts'
import { attachableIds } from './service-store.ts'

/** Writes down what an app says about a service, and how the platform knows the app, if that is said too. */
const writing =
  (write: (db: Db, tenant: UserTenant, said: { appId: number; attachment: Attachment }) => Promise<void>) =>
  async (
    context: Pick<Context, 'transaction' | 'connectors' | 'keys'>,
    tenant: UserTenant,
    input: { appId: number; attachment: AttachmentWithClient },
  ): Promise<AttachedService> => {
    const { appId } = input
    const { client, ...attachment } = input.attachment
    const { service_id: serviceId } = attachment
    return await context.transaction(async (trx) => {
      await lockApp(trx, tenant, appId)
      await write(trx, tenant, { appId, attachment })
      const service = await findAttached(trx, { appId }, serviceId)
      if (client === undefined) return service
      const checked = checkPlatformClient(connectorFor(context.connectors, service), client)
      await savePlatformClient(trx, context.keys, { serviceId, appId }, checked)
      return await findAttached(trx, { appId }, serviceId)
    })
  }

export const attachService = writing(async (db, tenant, { appId, attachment }) => {
  const { service_id: serviceId } = attachment
  const known = await attachableIds(db, tenant, [serviceId])
  if (!known.has(serviceId)) throw invalidField('service_id', 'The selected service id is invalid.')
  if (!(await attach(db, { appId }, attachment))) {
    throw invalidField('service_id', 'The service id has already been taken.')
  }
})

export const updateAttachedService = writing(async (db, _, { appId, attachment }) => {
  await findAttached(db, { appId }, attachment.service_id)
  await changeAttached(db, { appId }, attachment)
})

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
