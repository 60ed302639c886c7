import { invalid, notFound } from '../../../lib/fault.ts'
import { keepPassword } from '../../../lib/identity/password-tag.ts'
import type { Context } from '../../context.ts'
import { emailIsTaken } from '../create-user.ts'
import { passwordErrors } from '../password-rules.ts'
import { changeUser, insertUser, setAppRoles } from '../user-store.ts'
import { findOpenInvitation, type OpenInvitation, spendInvitation } from './invitation-store.ts'

/** What the link is for; whatever is wrong with it, the answer is the same. */
export async function openInvitation(context: Pick<Context, 'db'>, secret: string): Promise<OpenInvitation> {
  const invitation = await findOpenInvitation(context.db, secret)
  if (!invitation?.answered) throw notFound()
  return invitation
}

/** Makes the user and spends the invitation: of two who use one link at the same time one gets in. */
export async function acceptInvitation(
  context: Pick<Context, 'db' | 'transaction' | 'keys'>,
  input: { token: string; name: string; password: string },
): Promise<{ email: string }> {
  // Before a hash is made, which takes long.
  const { email: invited } = await openInvitation(context, input.token)
  const errors = passwordErrors(input.password, { name: input.name, email: invited })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const password = await keepPassword(context.keys, input.password)
  return await context.transaction(async (trx) => {
    const { id, email, company_id, role, app_id, invited_by } = await openInvitation({ db: trx }, input.token)
    const user = { created_by: invited_by, company_id, name: input.name, email, ...password, active: true }
    const userId = await insertUser(trx, user)
    if (userId === null) throw emailIsTaken()
    if (app_id === null) await changeUser(trx, userId, { company_role: role })
    else await setAppRoles(trx, userId, [{ app_id, role }])
    await spendInvitation(trx, id, userId)
    return { email }
  })
}
