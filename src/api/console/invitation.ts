import { Type } from 'typebox'
import { acceptInvitation, openInvitation } from '../../domain/users/invitations/accept-invitation.ts'
import { nameText, object, text } from '../../lib/validation/fields.ts'
import { record } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { newPassword } from '../new-password.ts'

const token = text({ max: 100, description: 'What stands behind the # of the link' })
const openBecause = 'the link of an invitation is all that somebody has who is not a user yet; it is good once'

const open = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/invitation',
  extension: true,
  openBecause,
  summary: 'Look at an invitation',
  unauditedBecause: 'It changes nothing.',
  status: 200,
  body: object({ token }),
  example: { token: 'q2R…' },
  returns: record(Type.Object({ company: Type.String(), email: Type.String(), role: Type.String() })),
  handle: async ({ context, body }) => {
    const { company, email, role } = await openInvitation(context, body.token)
    return { company, email, role }
  },
})

const accept = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/invitation/accept',
  extension: true,
  openBecause,
  summary: 'Accept an invitation',
  description: 'Makes the user. Signing in is the next step.',
  body: object({ token, name: nameText(), password: newPassword }),
  example: { token: 'q2R…', name: 'Grace', password: 'a long password' },
  returns: record(Type.Object({ email: Type.String() })),
  handle: ({ context, body }) => acceptInvitation(context, body),
})

export const consoleInvitation = [open, accept]
