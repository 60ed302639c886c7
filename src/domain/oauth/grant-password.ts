import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { authenticateClient, requireGrant } from './clients/authenticate-client.ts'
import { invalidCredentials } from './oauth-faults.ts'
import { grantScopes } from './scope-grants.ts'
import { logIn } from './sign-in/log-in.ts'
import { tokenAnswer, yearSeconds } from './token-answer.ts'
import { requestedScopes, requiredText, type TokenAnswer, type TokenRequest } from './token-request.ts'
import { holdActiveUser, insertAccessToken, insertRefreshToken } from './token-store.ts'

export async function grantPassword(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await authenticateClient(context, request)
  requireGrant(client, 'password')
  const granted = grantScopes(requestedScopes(request.body), client.scopes)
  const username = requiredText(request.body, 'username')
  const password = requiredText(request.body, 'password')

  const user = await logIn(context, { username, password, address: request.address })
  const familyId = randomUUID()
  const { token, refreshToken } = await context.transaction(async (trx) => {
    // The password may have been changed while we hashed: then what it opened is closed.
    if (!(await holdActiveUser(trx, user.id, user.passwordHash))) throw invalidCredentials()
    const common = {
      clientId: client.id,
      userId: user.id,
      scopes: granted.scopes,
      familyId,
      lifetimeSeconds: yearSeconds,
    }
    const token = await insertAccessToken(trx, { kind: 'user', ...common })
    const refreshToken = await insertRefreshToken(trx, { ...common, parentId: null, accessTokenId: token.id })
    return { token, refreshToken }
  })
  return await tokenAnswer(context, token, { refreshToken, showScopes: granted.differs })
}
