import { invalid } from '../../../lib/fault.ts'
import { keepPassword } from '../../../lib/identity/password-tag.ts'
import { companyName } from '../../companies/company-store.ts'
import type { Context } from '../../context.ts'
import { postLetter } from '../../mail/send-mail.ts'
import type { UserCaller } from '../../tenant.ts'
import { revokeTokens } from '../../token-revocation-store.ts'
import { passwordChanged } from '../../users/password-letters.ts'
import { passwordErrors } from '../../users/password-rules.ts'
import { changeUser, findUser } from '../../users/user-store.ts'
import { holdActiveUser } from '../token-store.ts'
import { currentIsWrong, provePassword } from './prove-password.ts'

/** Everybody's own, by who knows the old one. Whatever else is open for the user ends; what asked stays. */
export async function changePassword(
  context: Context,
  caller: UserCaller,
  input: { current: string; wanted: string; address: string },
): Promise<void> {
  const user = await findUser(context.db, caller, caller.userId)
  const errors = passwordErrors(input.wanted, user)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const known = await provePassword(context, caller, input)
  const password = await keepPassword(context.keys, input.wanted)
  await context.transaction(async (trx) => {
    if (!(await holdActiveUser(trx, user.id, known.passwordHash))) throw currentIsWrong()
    await changeUser(trx, user.id, password)
    await revokeTokens(trx, 'user', user.id, { except: caller.tokenId })
    const where = { publicUrl: context.publicUrl, company: await companyName(trx, user.company_id) }
    const letter = passwordChanged({ to: user.email, ...where, how: 'in your account', address: input.address })
    await postLetter(context, trx, letter)
  })
}
