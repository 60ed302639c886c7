import { invalid, notFound } from '../../../lib/fault.ts'
import { keepPassword } from '../../../lib/identity/password-tag.ts'
import { companyName } from '../../companies/company-store.ts'
import type { Context } from '../../context.ts'
import { postLetter } from '../../mail/send-mail.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import { passwordChanged } from '../../users/password-letters.ts'
import { passwordErrors } from '../../users/password-rules.ts'
import { changeUser } from '../../users/user-store.ts'
import { findOpenReset, type OpenReset, spendReset } from './reset-store.ts'

/** Whose password the link is for; whatever is wrong with it, the answer is the same. */
export async function openReset(context: Pick<Context, 'db' | 'say'>, secret: string): Promise<OpenReset> {
  const reset = await findOpenReset(context.db, secret)
  if (!reset) throw notFound()
  context.say?.({ userId: reset.userId })
  return reset
}

/** Spends the link, and every other one of that user. Whoever was in by the old password is out. */
export async function choosePassword(
  context: Context,
  input: { token: string; password: string; address: string },
): Promise<{ email: string }> {
  const { userId, name, email, companyId } = await openReset(context, input.token)
  // Before a hash is made, which takes long.
  const errors = passwordErrors(input.password, { name, email })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const password = await keepPassword(context.keys, input.password)
  await context.transaction(async (trx) => {
    if (!(await spendReset(trx, input.token))) throw notFound()
    await changeUser(trx, userId, password)
    await revokeTokens(trx, 'user', userId)
    const where = { publicUrl: context.publicUrl, company: await companyName(trx, companyId) }
    await postLetter(context, trx, passwordChanged({ to: email, ...where, how: 'by a link', address: input.address }))
  })
  return { email }
}
