import { announce } from '../announce-store.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import type { Company, CompanyInput } from './company.ts'
import { insertCompany, joinCompany } from './company-store.ts'

/** A user without a company who makes one owns it from then on. */
export async function createCompany(context: Context, tenant: UserTenant, input: CompanyInput): Promise<Company> {
  return await context.transaction(async (trx) => {
    const company = await insertCompany(trx, tenant.userId, input)
    if (tenant.companyId === null && (await joinCompany(trx, tenant.userId, company.id))) {
      await announce(trx, 'user', tenant.userId)
    }
    return company
  })
}
