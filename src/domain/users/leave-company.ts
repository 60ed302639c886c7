import type { Db } from '../../runtime/db/connection.ts'
import { announceClientsOf } from '../token-revocation-store.ts'
import type { User } from './user.ts'
import { recordDeparture, takeCompanyRoles } from './user-store.ts'

/** Part of the transaction that ends the membership. What the user made stays, and is listed for those who are left. */
export async function leaveCompany(trx: Db, user: Pick<User, 'id' | 'company_id'>): Promise<void> {
  await takeCompanyRoles(trx, user.id)
  await recordDeparture(trx, user)
  await announceClientsOf(trx, user.id)
}
