import { invalid, invalidField } from '../../../lib/fault.ts'
import { randomSecret } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import type { Role } from '../../rights.ts'
import { roleErrors } from '../assign-roles.ts'
import type { Actor } from '../user.ts'
import { type Invitation, invitationUrl } from './invitation.ts'
import { countOpenInvitations, insertInvitation } from './invitation-store.ts'

const maxOpen = 100

export interface InvitationInput {
  email: string
  role: Role
  app_id?: number | null
}

/** The link is shown this once: what is kept can only recognise it. */
export async function inviteUser(
  context: Pick<Context, 'db' | 'transaction' | 'publicUrl'>,
  actor: Actor,
  input: InvitationInput,
): Promise<{ invitation: Invitation; url: string }> {
  const { companyId } = actor
  if (companyId === null) throw invalidField('email', 'Only members of a company can invite.')
  const app = input.app_id ?? null
  const wanted = app === null ? { company_role: input.role } : { app_roles: [{ app_id: app, role: input.role }] }
  const errors = await roleErrors(context.db, actor, { companyId, ...wanted })
  if (Object.keys(errors).length > 0) {
    const field = Object.keys(errors).some((name) => name.endsWith('app_id')) ? 'app_id' : 'role'
    throw invalid({ [field]: [`The selected ${field.replace('_', ' ')} is invalid.`] })
  }
  if ((await countOpenInvitations(context.db, companyId)) >= maxOpen) {
    throw invalidField('email', `At most ${maxOpen} invitations can be open.`)
  }
  const secret = randomSecret()
  const { email, role } = input
  const row = { company_id: companyId, invited_by: actor.userId, email, role, app_id: app, secret }
  const invitation = await context.transaction((trx) => insertInvitation(trx, row))
  return { invitation, url: invitationUrl(context.publicUrl, secret) }
}
