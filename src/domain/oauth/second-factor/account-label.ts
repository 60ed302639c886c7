import type { Db } from '../../../runtime/db/connection.ts'
import { companyName } from '../../companies/company-store.ts'
import { asName } from '../../mail/letter.ts'
import type { User } from '../../users/user.ts'

/** What authenticators show: with the company, because one address may have an account in several. */
export async function accountLabel(db: Db, { email, company_id }: Pick<User, 'email' | 'company_id'>): Promise<string> {
  const company = await companyName(db, company_id)
  return company === null ? email : `${email} (${asName(company)})`
}
