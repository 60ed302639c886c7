import { forbidden, invalidField } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { revokeTokens } from '../token-revocation-store.ts'
import { type Actor, isAdmin, outranks } from './user.ts'
import { lockUser, otherActiveAdmin, softDeleteUser } from './user-store.ts'

export async function deleteUser(context: Context, actor: Actor, id: number): Promise<void> {
  await context.transaction(async (trx) => {
    const user = await lockUser(trx, actor, id)
    if (outranks(user, actor)) throw forbidden()
    if (isAdmin(user) && user.active && !(await otherActiveAdmin(trx, id))) {
      throw invalidField('user', 'The last active admin cannot be deleted.')
    }
    await softDeleteUser(trx, id)
    await revokeTokens(trx, 'user', id)
  })
}
