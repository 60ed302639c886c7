import { Fault } from '../../lib/fault.ts'

/** The errors of RFC 6749 in the words that clients of this family were written against. */

const oauth = (status: 400 | 401, error: string, description: string, hint?: string) =>
  new Fault('oauth', description, { oauth: { status, error, ...(hint !== undefined && { hint }) } })

export const unsupportedGrantType = () =>
  oauth(
    400,
    'unsupported_grant_type',
    'The authorization grant type is not supported by the authorization server.',
    'Check that all required parameters have been provided',
  )

const malformedDescription =
  'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.'

export const invalidRequest = (parameter: string) =>
  oauth(400, 'invalid_request', malformedDescription, `Check the \`${parameter}\` parameter`)

/** The body is neither JSON nor a form. */
export const malformedRequest = () => oauth(400, 'invalid_request', malformedDescription)

export const invalidClient = () => oauth(401, 'invalid_client', 'Client authentication failed')

export const unauthorizedClient = () =>
  oauth(400, 'unauthorized_client', 'The authenticated client is not authorized to use this authorization grant type.')

export const invalidCredentials = () => oauth(400, 'invalid_grant', 'The user credentials were incorrect.')

/** No error of RFC 6749 says it; this name is the one in use where password grants and second factors meet. */
export const secondFactorRequired = () =>
  oauth(
    400,
    'mfa_required',
    'The user signs in with a second factor.',
    'Send a code of the authenticator app as the `totp` parameter',
  )

export const secondFactorMissing = () =>
  oauth(
    400,
    'mfa_required',
    'The company of the user demands a second factor.',
    'The user has to set it up in the console first',
  )

export const singleSignOnRequired = () =>
  oauth(
    400,
    'invalid_grant',
    'The company of the user signs in by single sign-on only.',
    'Programs use the client credentials grant',
  )

export const invalidSecondFactor = () =>
  oauth(400, 'invalid_grant', 'The user credentials were incorrect.', 'Check the `totp` parameter')

/** RFC 7591, for programs that register themselves. */
export const invalidRedirectUri = (why: string) => oauth(400, 'invalid_redirect_uri', why)
export const invalidClientMetadata = (why: string) => oauth(400, 'invalid_client_metadata', why)

/** RFC 8707: tokens of agents are good for one place, and it has to be named. */
export const invalidTarget = (resource: string) =>
  oauth(400, 'invalid_target', 'The requested resource is invalid, missing or unknown.', `Send resource=${resource}`)

export const invalidCode = (hint: CodeHint) => oauth(400, 'invalid_grant', 'The authorization code is invalid.', hint)

type CodeHint =
  | 'Cannot decrypt the authorization code'
  | 'Authorization code has expired'
  | 'Authorization code has been revoked'
  | 'Authorization code was not issued to this client'
  | 'Invalid redirect URI'
  | 'Failed to verify `code_verifier`.'

export const invalidScope = (scope: string) =>
  oauth(
    400,
    'invalid_scope',
    'The requested scope is invalid, unknown, or malformed',
    scope === '' ? 'Specify a scope in the request or set a default scope' : `Check the \`${escapeHtml(scope)}\` scope`,
  )

export const invalidRefreshToken = (hint: TokenHint) =>
  oauth(400, 'invalid_grant', 'The refresh token is invalid.', hint)

export const invalidIntentToken = (hint: TokenHint) => oauth(400, 'invalid_grant', 'The intent token is invalid.', hint)

/** RFC 8628: what a program is told that waits for somebody to approve it. */
export const authorizationPending = () =>
  oauth(400, 'authorization_pending', 'Nobody has approved it yet.', 'Ask again after the interval')
export const slowDown = () =>
  oauth(400, 'slow_down', 'This was asked too soon.', 'Wait five seconds longer between two questions from now on')
export const accessDenied = () => oauth(400, 'access_denied', 'The request was denied.')
export const expiredDeviceCode = () => oauth(400, 'expired_token', 'The device code has expired.', 'Begin again')
export const invalidDeviceCode = () => oauth(400, 'invalid_grant', 'The device code is invalid.')

/** Neither let in nor turned away. */
export const isWaiting = ({ oauth: problem }: Fault): boolean =>
  problem?.error === 'authorization_pending' || problem?.error === 'slow_down'

type TokenHint =
  | 'Cannot decrypt the refresh token'
  | 'Cannot decrypt the intent token'
  | 'Token is not linked to client'
  | 'Token has expired'
  | 'Token has been revoked'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
