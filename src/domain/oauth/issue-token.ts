import type { Context } from '../context.ts'
import { isAgentToken } from './agents/agent-token-store.ts'
import { grantAgentRefresh, grantAuthorizationCode } from './agents/grant-agent.ts'
import { deviceGrant, grantDeviceCode } from './device/grant-device-code.ts'
import { grantClientCredentials } from './grant-client-credentials.ts'
import { grantIntentToken } from './grant-intent-token.ts'
import { grantPassword } from './grant-password.ts'
import { grantRefreshToken } from './grant-refresh-token.ts'
import { unsupportedGrantType } from './oauth-faults.ts'
import type { TokenAnswer, TokenRequest } from './token-request.ts'

export type { TokenAnswer, TokenRequest } from './token-request.ts'

const grants = new Map<unknown, (context: Context, request: TokenRequest) => Promise<TokenAnswer>>([
  ['password', grantPassword],
  ['client_credentials', grantClientCredentials],
  ['refresh_token', (context, request) => refreshes(request)(context, request)],
  ['intent_token', grantIntentToken],
  [deviceGrant, grantDeviceCode],
  ['authorization_code', grantAuthorizationCode],
])

/** Agents are renewed within their grants, users within their families. */
const refreshes = ({ body }: TokenRequest) => {
  const { refresh_token: token } = body
  return typeof token === 'string' && isAgentToken(token.trim()) ? grantAgentRefresh : grantRefreshToken
}

/** The token endpoint: each grant in a file of its own. */
export async function issueToken(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const { grant_type: name } = request.body
  const grant = grants.get(typeof name === 'string' ? name.trim() : name)
  if (!grant) throw unsupportedGrantType()
  return await grant(context, request)
}
