import { forbidden } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import { type Actor, outranks } from '../../users/user.ts'
import { lockUser } from '../../users/user-store.ts'
import { forgetSubject } from './member-store.ts'

/** Whoever comes next with the address is taken for the user: what the one before has open ends. */
export async function forgetAtProvider(context: Pick<Context, 'transaction'>, actor: Actor, id: number): Promise<void> {
  await context.transaction(async (trx) => {
    if (outranks(await lockUser(trx, actor, id), actor)) throw forbidden()
    await forgetSubject(trx, id)
    await revokeTokens(trx, 'user', id)
  })
}
