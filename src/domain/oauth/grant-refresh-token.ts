import type { Fault } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { authenticateClient, requireGrant } from './clients/authenticate-client.ts'
import { type ClientWithSecret, holdClient } from './clients/client-store.ts'
import { invalidClient, invalidRefreshToken } from './oauth-faults.ts'
import { narrowScopes } from './scope-grants.ts'
import { tokenAnswer, yearSeconds } from './token-answer.ts'
import { requestedScopes, requiredText, type TokenAnswer, type TokenRequest } from './token-request.ts'
import {
  findRefreshToken,
  holdActiveUser,
  type IssuedAccessToken,
  insertAccessToken,
  insertRefreshToken,
  lockFamily,
  type RefreshToken,
  revokeAccessToken,
  revokeFamily,
  successorIsUnused,
  useRefreshToken,
} from './token-store.ts'

interface Rotation {
  secret: string
  client: ClientWithSecret
  asked: string[] | null
}

/** A refresh token works once: it and its access token make way for a new pair. */
export async function grantRefreshToken(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await authenticateClient(context, request)
  requireGrant(client, 'refresh_token')
  const secret = requiredText(request.body, 'refresh_token')
  const asked = requestedScopes(request.body)
  const outcome = await context.transaction((trx) => rotate(context, trx, { secret, client, asked }))
  // Thrown only now: what a refusal found out (a stolen token) must be committed, not rolled back.
  if ('refused' in outcome) throw outcome.refused
  return await tokenAnswer(context, outcome.token, { refreshToken: outcome.refreshToken })
}

type Outcome = { token: IssuedAccessToken; refreshToken: string } | { refused: Fault }

async function rotate(context: Pick<Context, 'say'>, trx: Db, rotation: Rotation): Promise<Outcome> {
  const found = await findRefreshToken(trx, rotation.secret)
  if (!found) return { refused: invalidRefreshToken('Cannot decrypt the refresh token') }
  if (found.clientId !== rotation.client.id) return { refused: invalidRefreshToken('Token is not linked to client') }
  context.say?.({ userId: found.userId })
  // In this order everywhere: the user, the client, then the family. A password change waits for us or we for it.
  const userIsActive = await holdActiveUser(trx, found.userId)
  if (!(await holdClient(trx, rotation.client))) return { refused: invalidClient() }
  await lockFamily(trx, found.familyId)
  const token = await findRefreshToken(trx, rotation.secret)
  if (!token || token.expired) return { refused: invalidRefreshToken('Token has expired') }
  if (token.used) await answerReuse(trx, token)
  if (token.used || token.revoked || !userIsActive) return { refused: invalidRefreshToken('Token has been revoked') }

  const scopes = narrowScopes(rotation.asked, token.scopes)
  if (!(await useRefreshToken(trx, token.id))) return { refused: invalidRefreshToken('Token has been revoked') }
  return await issueSuccessor(trx, token, scopes)
}

/**
 * Somebody holds a token that was already exchanged: a thief, or the owner after the thief. Both lose the whole family.
 * Only a client that sent one token twice at the same moment, and has not yet used what it got, is merely refused.
 */
async function answerReuse(trx: Db, token: RefreshToken): Promise<void> {
  const harmless = token.usedJustNow && (await successorIsUnused(trx, token.id))
  if (!harmless) await revokeFamily(trx, token.familyId)
}

async function issueSuccessor(trx: Db, spent: RefreshToken, scopes: string[]): Promise<Outcome> {
  if (spent.accessTokenId !== null) await revokeAccessToken(trx, spent.accessTokenId)
  const { clientId, userId, familyId } = spent
  const common = { clientId, userId, familyId, scopes, lifetimeSeconds: yearSeconds }
  const token = await insertAccessToken(trx, { kind: 'user', ...common })
  const refreshToken = await insertRefreshToken(trx, { ...common, parentId: spent.id, accessTokenId: token.id })
  return { token, refreshToken }
}
