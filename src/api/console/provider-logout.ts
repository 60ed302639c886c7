import { endAtProvider } from '../../domain/oauth/single-sign-on/end-at-provider.ts'
import { Fault, tooMany } from '../../lib/fault.ts'
import { recordId } from '../../lib/record-id.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { answer } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'

const logout = endpoint({
  group: groups.identityProviders,
  method: 'POST',
  path: '/single-sign-on/{company}/logout',
  extension: true,
  openBecause: 'what the identity provider says carries its signature',
  countsRefusals: true,
  summary: 'Say that somebody is signed out at the identity provider',
  audits: 'sign_in',
  description:
    'OpenID Connect Back-Channel Logout: the provider posts a signed logout token, and what it names ends here. One that is older than five minutes, or not of this provider and client, is refused.',
  bodyType: 'form-or-json',
  bodyLimit: 16 * 1024,
  body: object({ logout_token: text({ max: 8192 }) }),
  example: { logout_token: 'eyJhbGciOi…' },
  returns: answer(),
  status: 200,
  handle: async ({ context, params, body, request }) => {
    if (request.isSuspect()) throw tooMany(60)
    const input = { companyId: recordId(params.company), token: body.logout_token }
    await endAtProvider(context, input).catch((error: unknown) => {
      if (error instanceof Fault && error.kind === 'oauth') request.countRefusal()
      throw error
    })
    return { status: 200, headers: { 'cache-control': 'no-store' } }
  },
})

export const providerLogout = [logout]
