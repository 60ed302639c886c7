import { forbidden, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { reaches, type UserTenant } from '../tenant.ts'
import type { Service, ServiceInput } from './service.ts'
import { describedBy } from './service-definition.ts'
import { insertService, typeIsOurs } from './service-store.ts'

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
  const service = taken ? null : await context.transaction((trx) => insertService(trx, owner, described))
  if (!service) throw invalidField('type', 'The type has already been taken.')
  return service
}
