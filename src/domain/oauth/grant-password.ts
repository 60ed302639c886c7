import { randomUUID } from 'node:crypto'
import { addressBlock } from '../../lib/address-block.ts'
import { boundedPool } from '../../lib/bounded-pool.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../lib/password.ts'
import type { Context } from '../context.ts'
import { authenticateClient, requireGrant } from './authenticate-client.ts'
import { findLogin, type Login, rememberAddress, replacePasswordHash, returnAttempts } from './login-store.ts'
import { payForAttempt } from './login-throttle.ts'
import { invalidCredentials } from './oauth-faults.ts'
import { grantScopes } from './scope-grants.ts'
import { tokenAnswer, yearSeconds } from './token-answer.ts'
import { requestedScopes, requiredText, type TokenAnswer, type TokenRequest } from './token-request.ts'
import { holdActiveUser, insertAccessToken, insertRefreshToken } from './token-store.ts'

/**
 * Attempts that are being looked at are paid for. With few at once a user who logs in from many places at the same
 * time does not run out of attempts, and nothing is lost: there are no more hashes at once anyway.
 */
const logins = boundedPool({ running: 4, waiting: 64 })

export async function grantPassword(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await authenticateClient(context, request)
  requireGrant(client, 'password')
  const granted = grantScopes(requestedScopes(request.body), client.scopes)
  const username = requiredText(request.body, 'username')
  const password = requiredText(request.body, 'password')
  const address = addressBlock(request.address)

  const user = await logins(() => logIn(context, { username, password, address, clientId: client.id }))
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

interface Credentials {
  username: string
  password: string
  address: string
  clientId: number
}

/** An unknown user, a wrong password and a disabled user take the same time and get the same answer. */
async function logIn(context: Context, credentials: Credentials): Promise<{ id: number; passwordHash: string }> {
  const { db } = context
  const login = await findLogin(db, credentials)
  const paid = await payForAttempt(db, { ...credentials, known: login?.known ?? false })
  let right: boolean
  try {
    right = await verifyPassword(login?.passwordHash ?? null, credentials.password)
  } catch (error) {
    // Nothing was looked at: too many others were waiting for their hash.
    await returnAttempts(db, paid)
    throw error
  }
  if (!right || !login?.active || login.passwordHash === null) throw invalidCredentials()
  await returnAttempts(db, paid)
  await rememberAddress(db, { userId: login.id, address: credentials.address })
  return { id: login.id, passwordHash: await freshHash(context, login, credentials.password) }
}

/** A hash made with weaker figures is made anew now that the password is at hand. */
async function freshHash(context: Context, login: Login, password: string): Promise<string> {
  const current = login.passwordHash ?? ''
  if (!needsRehash(current)) return current
  const fresh = await hashPassword(password)
  await replacePasswordHash(context.db, login.id, current, fresh)
  return fresh
}
