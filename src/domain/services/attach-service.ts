import { invalidField } from '../../lib/fault.ts'
import { lockApp } from '../apps/app-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { attach, findAttached } from './app-service-store.ts'
import type { AttachedService, Attachment } from './service.ts'
import { attachableIds } from './service-store.ts'

export async function attachService(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { appId: number; attachment: Attachment },
): Promise<AttachedService> {
  const { appId, attachment } = input
  return await context.transaction(async (trx) => {
    await lockApp(trx, tenant, appId)
    const known = await attachableIds(trx, tenant, [attachment.service_id])
    if (!known.has(attachment.service_id)) throw invalidField('service_id', 'The selected service id is invalid.')
    if (!(await attach(trx, { appId }, attachment))) {
      throw invalidField('service_id', 'The service id has already been taken.')
    }
    return await findAttached(trx, { appId }, attachment.service_id)
  })
}
