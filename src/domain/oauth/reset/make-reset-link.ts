import { forbidden, invalidField } from '../../../lib/fault.ts'
import { randomSecret } from '../../../lib/secret.ts'
import { companyName } from '../../companies/company-store.ts'
import type { Context } from '../../context.ts'
import { postLetter } from '../../mail/send-mail.ts'
import { resetLetter } from '../../users/password-letters.ts'
import { type Actor, outranks, type User } from '../../users/user.ts'
import { findUser } from '../../users/user-store.ts'
import { takeAttempts } from '../sign-in/login-store.ts'
import { insertReset, resetMinutes, resetUrl } from './reset-store.ts'

export interface ResetLink {
  url: string
  expires_at: string
  mailed: boolean
}

const lettersInTime = 5

/** By somebody who manages users, for one of them who may no more than they themselves; or by the operator, for anybody. */
export async function makeResetLink(context: Context, actor: Actor, user: User): Promise<ResetLink> {
  if (user.id === actor.userId) throw invalidField('user', 'Your own password is changed in your account.')
  if (outranks(user, actor)) throw forbidden()
  if (!user.active) throw invalidField('user', 'The user is not active.')
  const letters = { key: `reset-for:${user.id}`, attempts: lettersInTime, seconds: resetMinutes * 60 }
  const isFew = (await takeAttempts(context.db, [letters])).length > 0
  const secret = randomSecret()
  const url = resetUrl(context.publicUrl, secret)
  return await context.transaction(async (trx) => {
    const expires_at = await insertReset(trx, { userId: user.id, madeBy: actor.userId, secret })
    const by = actor.userId === null ? null : (await findUser(trx, actor, actor.userId)).name
    const company = await companyName(trx, user.company_id)
    const untilMs = Date.parse(expires_at)
    const mailed =
      isFew && (await postLetter(context, trx, resetLetter({ to: user.email, url, by, company }), { untilMs }))
    return { url, expires_at, mailed }
  })
}
