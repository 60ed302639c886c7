import { forbidden } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { UserCaller } from '../../tenant.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import { type Actor, outranks, type User } from '../../users/user.ts'
import { endSession } from '../sign-in/console-session-store.ts'
import { lockFamily, revokeAccessToken, revokeFamily } from '../token-store.ts'
import type { FoundSession } from './session-store.ts'

/** Takes effect at once, in every process. */
export async function endOneSession(context: Context, { kind, id, family_id }: FoundSession): Promise<void> {
  await context.transaction(async (trx) => {
    if (kind === 'console') return await endSession(trx, id)
    if (family_id === null) return await revokeAccessToken(trx, id)
    await lockFamily(trx, family_id)
    await revokeFamily(trx, family_id)
  })
}

export async function endOtherSessions(context: Context, caller: UserCaller): Promise<void> {
  await context.transaction((trx) => revokeTokens(trx, 'user', caller.userId, { except: caller.tokenId }))
}

export async function endSessionsOf(context: Context, actor: Actor, user: User): Promise<void> {
  if (outranks(user, actor)) throw forbidden()
  await context.transaction((trx) => revokeTokens(trx, 'user', user.id))
}
