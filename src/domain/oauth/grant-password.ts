import { randomUUID } from 'node:crypto'
import { addressBlock } from '../../lib/addresses/address-block.ts'
import type { Context } from '../context.ts'
import { authenticateClient, requireGrant } from './clients/authenticate-client.ts'
import { holdClient } from './clients/client-store.ts'
import {
  invalidClient,
  invalidCredentials,
  invalidSecondFactor,
  secondFactorMissing,
  secondFactorRequired,
  singleSignOnRequired,
} from './oauth-faults.ts'
import { grantScopes } from './scope-grants.ts'
import { proveCode } from './second-factor/prove-code.ts'
import { type LoggedIn, logIn } from './sign-in/log-in.ts'
import { rememberAddress } from './sign-in/login-store.ts'
import { tokenAnswer, yearSeconds } from './token-answer.ts'
import { optionalText, requestedScopes, requiredText, type TokenAnswer, type TokenRequest } from './token-request.ts'
import { holdActiveUser, insertAccessToken, insertRefreshToken } from './token-store.ts'

export async function grantPassword(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await authenticateClient(context, request)
  requireGrant(client, 'password')
  const granted = grantScopes(requestedScopes(request.body), client.scopes)
  const username = requiredText(request.body, 'username')
  const password = requiredText(request.body, 'password')

  const totp = optionalText(request.body, 'totp')

  const user = await logIn(context, { username, password, address: request.address })
  if (user.mustUseSingleSignOn) throw singleSignOnRequired()
  await secondFactor(context, user, { totp, address: request.address })
  const familyId = randomUUID()
  const { token, refreshToken } = await context.transaction(async (trx) => {
    // The password may have been changed while we hashed: then what it opened is closed.
    if (!(await holdActiveUser(trx, user.id, user.passwordHash))) throw invalidCredentials()
    if (!(await holdClient(trx, client))) throw invalidClient()
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

/** Users without one notice nothing. */
async function secondFactor(
  context: Context,
  user: LoggedIn,
  { totp, address }: { totp: string | null; address: string },
): Promise<void> {
  if (!user.hasSecondFactor && user.needsSecondFactor) throw secondFactorMissing()
  if (!user.hasSecondFactor) return
  if (totp === null) throw secondFactorRequired()
  if (!(await proveCode(context, { userId: user.id, code: totp, address }))) throw invalidSecondFactor()
  await rememberAddress(context.db, { userId: user.id, address: addressBlock(address) })
}
