import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import type { Company, CompanyInput } from './company.ts'
import { changeCompany } from './company-store.ts'

export async function updateCompany(
  context: Context,
  tenant: UserTenant,
  input: { id: number; changes: Partial<CompanyInput> },
): Promise<Company> {
  return await context.transaction((trx) => changeCompany(trx, tenant, input))
}
