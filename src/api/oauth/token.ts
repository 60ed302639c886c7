import { Type } from 'typebox'
import { beginDevice } from '../../domain/oauth/device/begin-device.ts'
import { deviceGrant } from '../../domain/oauth/device/grant-device-code.ts'
import { introspectToken } from '../../domain/oauth/introspect-token.ts'
import { issueToken } from '../../domain/oauth/issue-token.ts'
import { malformedRequest } from '../../domain/oauth/oauth-faults.ts'
import { revokeToken } from '../../domain/oauth/revoke-token.ts'
import type { TokenRequest } from '../../domain/oauth/token-request.ts'
import { anything } from '../../lib/validation/fields.ts'
import { type RequestFacts, raw } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'

/**
 * The token endpoint stands at two addresses: under the base address of the API, as the specification lists it, and at
 * the root, where clients of the family look for it. RFC 6749 has error bodies of its own, so the parameters are
 * checked by the domain and the schemas here only describe them.
 */

const grantTypes = [
  'password',
  'client_credentials',
  'refresh_token',
  'intent_token',
  deviceGrant,
  'authorization_code',
]

const text = (description: string) => Type.Optional(Type.String({ description }))

const tokenBody = Type.Object({
  grant_type: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'string',
      enum: grantTypes,
    }),
  ),
  client_id: text('The id of the client; in the body or by HTTP Basic'),
  client_secret: text('The secret of the client; in the body or by HTTP Basic'),
  username: text('Password grant: the email address'),
  password: text('Password grant'),
  totp: text('Password grant, for users with a second factor: a code of the authenticator app, or a recovery code'),
  refresh_token: text('Refresh grant'),
  intent_token: text('Intent grant: exchanged once for an account token, without a client secret'),
  device_code: text(
    'Device grant (RFC 8628): what `/oauth/device_authorization` answered; `client_id` is `entrepot-cli`',
  ),
  code: text('Authorization code grant, for agents'),
  code_verifier: text('Authorization code grant: what the challenge was made of (RFC 7636)'),
  redirect_uri: text('Authorization code grant: as it was when the code was asked for'),
  resource: text('Authorization code grant: the address of /mcp (RFC 8707)'),
  account: text('Client credentials grant: the remote id of an account, for a token of that account'),
  scope: text('Names separated by spaces; `*`, the default, is everything the client may'),
})

const tokenAnswer = Type.Object({
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  access_token: Type.String(),
  refresh_token: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String({ description: 'Only if it differs from what was requested' })),
})

const request = (body: unknown, facts: RequestFacts): TokenRequest => ({
  body: typeof body === 'object' && body !== null ? { ...body } : {},
  basic: facts.header('authorization') ?? null,
  address: facts.address,
})

const tokenBodyDocs = {
  schema: tokenBody,
  example: { grant_type: 'client_credentials', client_id: '1', client_secret: '…' },
}

const grantIn = (body: unknown): string | undefined =>
  grantTypes.find(
    (known) => typeof body === 'object' && body !== null && 'grant_type' in body && body.grant_type === known,
  )

const tokenAt = (path: '/oauth/token' | '/api/oauth/token') =>
  endpoint({
    group: groups.oauth,
    method: 'POST',
    path,
    summary: `Obtain or refresh an access token${path === '/oauth/token' ? '' : ', at its second address'}`,
    description: 'JSON or form. Client credentials go in the body or by HTTP Basic.',
    openBecause: 'Opened by the credentials of a client.',
    audits: 'sign_in',
    detailOf: grantIn,
    body: anything(),
    bodyDocs: tokenBodyDocs,
    malformedBody: malformedRequest,
    bodyType: 'form-or-json',
    status: 200,
    returns: raw(tokenAnswer),
    handle: ({ context, body, request: facts }) => issueToken(context, request(body, facts)),
  })

const device = endpoint({
  group: groups.oauth,
  method: 'POST',
  path: '/oauth/device_authorization',
  extension: true,
  summary: 'Ask for a token where there is no browser (RFC 8628)',
  description:
    'For the command line. Show the user code and its address to a person, who approves it in the console; meanwhile ask the token endpoint with the device code.',
  openBecause: 'Whoever asks gets nothing before somebody who is signed in approves it.',
  body: anything(),
  bodyDocs: {
    schema: Type.Object({
      client_id: Type.String({ description: '`entrepot-cli`' }),
      scope: text('Names separated by spaces; `*` is everything that the person may'),
    }),
    example: { client_id: 'entrepot-cli' },
  },
  malformedBody: malformedRequest,
  bodyType: 'form-or-json',
  status: 200,
  returns: raw(
    Type.Object({
      device_code: Type.String(),
      user_code: Type.String({ description: 'For a person to compare or type' }),
      verification_uri: Type.String(),
      verification_uri_complete: Type.String(),
      expires_in: Type.Integer({ description: 'Seconds' }),
      interval: Type.Integer({ description: 'Seconds between two questions' }),
    }),
  ),
  handle: ({ context, body, request: facts }) =>
    beginDevice(context, { ...request(body, facts), agent: facts.header('user-agent') ?? null }),
})

const tokenToLookAt = Type.Object({
  token: Type.String(),
  token_type_hint: text('access_token or refresh_token'),
  client_id: text('In the body or by HTTP Basic'),
  client_secret: text('In the body or by HTTP Basic'),
  redirect_uri: text('Not needed; where it is sent it is one of the client’s own'),
})

const askAboutToken = {
  openBecause: 'Opened by the credentials of the client that the token was issued to.',
  body: anything(),
  bodyDocs: { schema: tokenToLookAt, example: { token: '…', client_id: '1', client_secret: '…' } },
  malformedBody: malformedRequest,
  bodyType: 'form-or-json',
  status: 200,
} as const

const revoke = endpoint({
  group: groups.oauth,
  method: 'POST',
  path: '/oauth/revoke',
  extension: true,
  summary: 'Revoke a token (RFC 7009)',
  description: 'Answers 200 for unknown tokens too. Revoking a refresh token also revokes its access tokens.',
  ...askAboutToken,
  returns: raw(Type.Object({})),
  async handle({ context, body, request: facts }) {
    await revokeToken(context, request(body, facts))
    return {}
  },
})

const introspect = endpoint({
  group: groups.oauth,
  method: 'POST',
  path: '/oauth/introspect',
  extension: true,
  summary: 'Inspect a token (RFC 7662)',
  unauditedBecause: 'It changes nothing.',
  description: 'A token that is dead, unknown or of another client is only `{"active": false}`.',
  ...askAboutToken,
  returns: raw(
    Type.Object({
      active: Type.Boolean(),
      scope: text('Names separated by spaces'),
      client_id: text('The client'),
      token_type: text('Bearer'),
      exp: Type.Optional(Type.Integer()),
      iat: Type.Optional(Type.Integer()),
      sub: text('user:ID, client:ID or account:ID'),
      aud: text('The client'),
      iss: text('This server'),
      jti: text('The id of the token'),
    }),
  ),
  handle: ({ context, body, request: facts }) => introspectToken(context, request(body, facts)),
})

export const oauthTokens = [tokenAt('/oauth/token'), tokenAt('/api/oauth/token'), device, revoke, introspect]
