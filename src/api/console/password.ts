import { Type } from 'typebox'
import { choosePassword, openReset } from '../../domain/oauth/reset/choose-password.ts'
import { requestReset } from '../../domain/oauth/reset/request-reset.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { record } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { newPassword } from '../new-password.ts'

const token = text({ max: 100, description: 'What stands behind the # of the link' })
const openBecause =
  'the link is all that somebody has who has forgotten the password; it is good once, for half an hour'

const forgotten = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/forgotten-password',
  extension: true,
  openBecause: 'whoever has forgotten the password has nothing but an email address',
  summary: 'Ask for a link to choose a new password',
  audits: 'sign_in',
  description:
    'The answer is the same whether there is such a user or not. `by_mail` is false where this service sends no mail: then whoever manages the team makes the link.',
  status: 200,
  body: object({ email: text({ max: 255 }) }),
  example: { email: 'ada@example.com' },
  returns: record(Type.Object({ by_mail: Type.Boolean() })),
  handle: async ({ context, body, request }) => ({
    by_mail: await requestReset(context, { email: body.email, address: request.address }),
  }),
})

const open = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/new-password',
  extension: true,
  openBecause,
  summary: 'Look at a link to choose a new password',
  unauditedBecause: 'It changes nothing.',
  status: 200,
  body: object({ token }),
  example: { token: 'q2R…' },
  returns: record(Type.Object({ email: Type.String() })),
  handle: async ({ context, body }) => {
    const { email } = await openReset(context, body.token)
    return { email }
  },
})

const choose = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/new-password/choose',
  extension: true,
  openBecause,
  summary: 'Choose a new password',
  description: 'Ends all sessions and tokens of the user, who is told by mail. Signing in is the next step.',
  status: 200,
  body: object({ token, password: newPassword }),
  example: { token: 'q2R…', password: 'a long password' },
  returns: record(Type.Object({ email: Type.String() })),
  handle: ({ context, body, request }) => choosePassword(context, { ...body, address: request.address }),
})

export const consolePassword = [forgotten, open, choose]
