import { forbidden, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { revokeTokens } from '../token-revocation-store.ts'
import { keepAnOwner } from './assign-roles.ts'
import { leaveCompany } from './leave-company.ts'
import { type Actor, isAdmin, outranks } from './user.ts'
import { eraseUser, lockUser, otherActiveAdmin } from './user-store.ts'

export async function deleteUser(context: Context, actor: Actor, id: number): Promise<void> {
  await context.transaction(async (trx) => {
    const user = await lockUser(trx, actor, id)
    if (outranks(user, actor)) throw forbidden()
    if (isAdmin(user) && user.active && !(await otherActiveAdmin(trx, id))) {
      throw invalidField('user', 'The last active admin cannot be deleted.')
    }
    if (!actor.admin) await keepAnOwner(trx, user)
    await eraseUser(trx, id)
    await leaveCompany(trx, user)
    await revokeTokens(trx, 'user', id)
  })
}
