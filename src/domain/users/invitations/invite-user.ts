import { invalid, invalidField } from '../../../lib/fault.ts'
import { randomSecret } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import { asName, type Letter } from '../../mail/letter.ts'
import { postLetter } from '../../mail/send-mail.ts'
import type { Role } from '../../rights.ts'
import { roleErrors } from '../assign-roles.ts'
import type { Actor } from '../user.ts'
import { type Invitation, invitationDays, invitationUrl } from './invitation.ts'
import { countInvitationsToday, countOpenInvitations, insertInvitation, readInviter } from './invitation-store.ts'

const maxOpen = 100
/** In a day, with those that were withdrawn: nobody fills mailboxes through us. */
const maxADay = 200
const lettersADay = 3

export interface InvitationInput {
  email: string
  role: Role
  app_id?: number | null
}

/** The link is shown this once, and sent where there is a mail server: what is kept can only recognise it. */
export async function inviteUser(
  context: Pick<Context, 'db' | 'transaction' | 'publicUrl' | 'mail' | 'keys' | 'enqueue'>,
  actor: Actor,
  input: InvitationInput,
): Promise<{ invitation: Invitation; url: string; mailed: boolean }> {
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
  const today = await countInvitationsToday(context.db, { companyId, email: input.email })
  if (today.company >= maxADay) throw invalidField('email', `At most ${maxADay} people can be invited in a day.`)
  const secret = randomSecret()
  const { email, role } = input
  const row = { company_id: companyId, invited_by: actor.userId, email, role, app_id: app, secret }
  const url = invitationUrl(context.publicUrl, secret)
  return await context.transaction(async (trx) => {
    const invitation = await insertInvitation(trx, row)
    const from = await readInviter(trx, { companyId, userId: actor.userId })
    const untilMs = Date.parse(invitation.expires_at)
    const mailed =
      today.email < lettersADay &&
      (await postLetter(context, trx, letterFor({ ...from, email, role, url }), { untilMs }))
    return { invitation, url, mailed }
  })
}

interface Invited {
  company: string
  name: string | null
  email: string
  role: Role
  url: string
}

function letterFor({ company, name, email, role, url }: Invited): Letter {
  const where = asName(company)
  return {
    to: email,
    subject: `Invitation to ${where}`,
    paragraphs: [
      `${name === null ? 'You are invited' : `${asName(name)} invites you`} to join ${where} on Entrepot, as ${role}.`,
    ],
    link: { label: 'Accept the invitation', url },
    small: [
      `The link is good once, for ${invitationDays} days. If you do not know what this is about, there is nothing you have to do.`,
    ],
  }
}
