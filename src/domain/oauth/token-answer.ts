import type { Context } from '../context.ts'
import { signAccessToken } from './access-token.ts'
import type { TokenAnswer } from './token-request.ts'
import type { IssuedAccessToken } from './token-store.ts'

/** A year, whatever the calendar says. */
export const yearSeconds = 31_536_000
export const accountTokenSeconds = 3600

export async function tokenAnswer(
  context: Context,
  token: IssuedAccessToken,
  extras: { refreshToken?: string; showScopes?: boolean } = {},
): Promise<TokenAnswer> {
  return {
    token_type: 'Bearer',
    expires_in: token.expiresAt - token.issuedAt,
    access_token: await signAccessToken(context, token),
    ...(extras.refreshToken !== undefined && { refresh_token: extras.refreshToken }),
    ...(extras.showScopes && { scope: token.scopes.join(' ') }),
  }
}
