import { forbidden, invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { type OwnedByUser, reaches, type UserTenant } from '../tenant.ts'
import type { Service, ServiceInput } from './service.ts'
import { describedBy } from './service-definition.ts'
import { insertService, typeIsOurs } from './service-store.ts'
import { keepVersion } from './versions/version-store.ts'

/** A service of the tenant's own, shown to its maker and the maker's company. */
export async function createService(
  context: Pick<Context, 'db' | 'transaction'>,
  tenant: UserTenant,
  input: ServiceInput,
): Promise<Service> {
  // A service is the company's; a role for single apps is not enough.
  if (!reaches(tenant, null)) throw forbidden()
  const owner = { user_id: tenant.userId, company_id: tenant.companyId }
  const described = { ...input, ...describedBy(input.definition) }
  const taken = await typeIsOurs(context.db, input.type)
  const service = taken ? null : await context.transaction((trx) => insert(trx, tenant, owner, described))
  if (!service) throw invalidField('type', 'The type has already been taken.')
  return service
}

async function insert(
  trx: Db,
  { userId }: UserTenant,
  owner: OwnedByUser,
  input: ServiceInput,
): Promise<Service | null> {
  const service = await insertService(trx, owner, input)
  const { definition } = input
  if (service && definition) {
    await keepVersion(trx, { serviceId: service.id, before: null, definition, userId, restoredFrom: null })
  }
  return service
}
