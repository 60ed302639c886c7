import { createHash } from 'node:crypto'
import type { Fault } from '../../../lib/fault.ts'
import { digestEquals } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { announce } from '../../announce-store.ts'
import type { Context } from '../../context.ts'
import { clientId } from '../clients/authenticate-client.ts'
import { invalidClient, invalidCode, invalidRefreshToken, invalidTarget } from '../oauth-faults.ts'
import { optionalText, requiredText, type TokenAnswer, type TokenRequest } from '../token-request.ts'
import { holdActiveUser } from '../token-store.ts'
import type { AgentClient } from './agent-client.ts'
import { findAgentClient } from './agent-client-store.ts'
import { agentRefreshSeconds, agentResource, agentTokenSeconds, isAgentResource } from './agent-grant.ts'
import { beginAgentGrant, endAgentGrant } from './agent-grant-store.ts'
import {
  deleteAccessTokens,
  insertAgentToken,
  lockAgentToken,
  markAgentTokenUsed,
  successorWasUsed,
} from './agent-token-store.ts'

type Outcome = { accessToken: string; refreshToken: string } | { refused: Fault }

/** A code becomes tokens once, for the program that asked and can show what its challenge was made of. */
export async function grantAuthorizationCode(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await knownClient(context, request)
  const code = requiredText(request.body, 'code')
  const verifier = requiredText(request.body, 'code_verifier')
  const redirectUri = optionalText(request.body, 'redirect_uri')
  demandResource(context, request, { isRequired: true })
  return await answered(context, async (trx) => {
    const held = await lockAgentToken(trx, code, 'code')
    if (!held) return { refused: invalidCode('Cannot decrypt the authorization code') }
    if (held.clientId !== client.id) return { refused: invalidCode('Authorization code was not issued to this client') }
    if (held.used) {
      // Somebody has seen it: what the first one got is closed as well.
      await endAgentGrant(trx, held.grantId)
      return { refused: invalidCode('Authorization code has been revoked') }
    }
    if (held.expired) return { refused: invalidCode('Authorization code has expired') }
    if (redirectUri !== null && redirectUri !== held.redirectUri)
      return { refused: invalidCode('Invalid redirect URI') }
    if (!proves(verifier, held.challenge ?? '')) return { refused: invalidCode('Failed to verify `code_verifier`.') }
    if (held.ended || !(await holdActiveUser(trx, held.userId))) {
      return { refused: invalidCode('Authorization code has been revoked') }
    }
    context.say?.({ clientId: client.id, userId: held.userId })
    await markAgentTokenUsed(trx, held.id)
    await beginAgentGrant(trx, held.grantId)
    return await newPair(trx, held.grantId)
  })
}

/** Each works once. One that comes again later was stolen, or its successor was: the grant ends. */
export async function grantAgentRefresh(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await knownClient(context, request)
  const secret = requiredText(request.body, 'refresh_token')
  demandResource(context, request, { isRequired: false })
  return await answered(context, async (trx) => {
    const held = await lockAgentToken(trx, secret, 'refresh')
    if (!held) return { refused: invalidRefreshToken('Cannot decrypt the refresh token') }
    if (held.clientId !== client.id) return { refused: invalidRefreshToken('Token is not linked to client') }
    context.say?.({ clientId: client.id, userId: held.userId })
    if (held.used) {
      const isHarmless = held.usedJustNow && !(await successorWasUsed(trx, held))
      if (!isHarmless) await endAgentGrant(trx, held.grantId)
      return { refused: invalidRefreshToken('Token has been revoked') }
    }
    if (held.expired) return { refused: invalidRefreshToken('Token has expired') }
    if (held.ended || !(await holdActiveUser(trx, held.userId))) {
      return { refused: invalidRefreshToken('Token has been revoked') }
    }
    await markAgentTokenUsed(trx, held.id)
    await deleteAccessTokens(trx, held.grantId)
    await announce(trx, 'agent', held.grantId)
    return await newPair(trx, held.grantId)
  })
}

async function knownClient(context: Context, { body }: TokenRequest): Promise<AgentClient> {
  const client = await findAgentClient(context.db, clientId(body) ?? '')
  if (!client) throw invalidClient()
  context.say?.({ clientId: client.id })
  return client
}

function demandResource({ publicUrl }: Context, { body }: TokenRequest, { isRequired }: { isRequired: boolean }): void {
  const resource = optionalText(body, 'resource')
  if (resource === null ? isRequired : !isAgentResource(publicUrl, resource)) {
    throw invalidTarget(agentResource(publicUrl))
  }
}

function proves(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return digestEquals(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'))
}

async function newPair(trx: Db, grantId: number): Promise<Outcome> {
  const accessToken = await insertAgentToken(trx, { grantId, kind: 'access', seconds: agentTokenSeconds })
  const refreshToken = await insertAgentToken(trx, { grantId, kind: 'refresh', seconds: agentRefreshSeconds })
  return { accessToken, refreshToken }
}

/** A refusal is thrown only once what it found out has been committed. */
async function answered(context: Context, work: (trx: Db) => Promise<Outcome>): Promise<TokenAnswer> {
  const outcome = await context.transaction(work)
  if ('refused' in outcome) throw outcome.refused
  return {
    token_type: 'Bearer',
    expires_in: agentTokenSeconds,
    access_token: outcome.accessToken,
    refresh_token: outcome.refreshToken,
  }
}
