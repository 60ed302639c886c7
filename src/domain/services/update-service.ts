import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import type { Service, ServiceChanges } from './service.ts'
import { changeService, lockService, softDeleteService } from './service-store.ts'

export async function updateService(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  input: { id: number; changes: ServiceChanges },
): Promise<Service> {
  return await context.transaction(async (trx) => {
    await lockService(trx, tenant, input.id)
    return await changeService(trx, input.id, input.changes)
  })
}

export async function deleteService(
  context: Pick<Context, 'transaction'>,
  tenant: UserTenant,
  id: number,
): Promise<void> {
  await context.transaction(async (trx) => {
    await lockService(trx, tenant, id)
    await softDeleteService(trx, id)
  })
}
