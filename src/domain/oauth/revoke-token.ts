import type { Context } from '../context.ts'
import { verifyAccessToken } from './access-token.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import { requiredText, type TokenRequest } from './token-request.ts'
import { findAccessToken, findRefreshToken, lockFamily, revokeAccessToken, revokeFamily } from './token-store.ts'

/**
 * RFC 7009. A token that is unknown, dead or another client's is none of this client's business, and the answer does
 * not reveal which it was. A refresh token takes its whole family along.
 */
export async function revokeToken(context: Context, request: Pick<TokenRequest, 'body' | 'basic'>): Promise<void> {
  const client = await authenticateClient(context, request)
  const token = requiredText(request.body, 'token')
  const jti = await verifyAccessToken(context, token)
  await context.transaction(async (trx) => {
    if (jti !== null) {
      const found = await findAccessToken(trx, jti)
      if (found?.clientId === client.id) await revokeAccessToken(trx, found.id)
      return
    }
    const found = await findRefreshToken(trx, token)
    if (found?.clientId !== client.id) return
    await lockFamily(trx, found.familyId)
    await revokeFamily(trx, found.familyId)
  })
}
