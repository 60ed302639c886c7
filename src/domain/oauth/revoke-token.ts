import type { Context } from '../context.ts'
import { verifyAccessToken } from './access-token.ts'
import { endAgentGrant } from './agents/agent-grant-store.ts'
import { grantOfToken, isAgentToken } from './agents/agent-token-store.ts'
import { authenticateClient, clientId } from './clients/authenticate-client.ts'
import { commandLineName, findCommandLine } from './device/device-store.ts'
import { invalidClient } from './oauth-faults.ts'
import { optionalText, requiredText, type TokenRequest } from './token-request.ts'
import { findAccessToken, findRefreshToken, lockFamily, revokeAccessToken, revokeFamily } from './token-store.ts'

/**
 * RFC 7009. A token that is unknown, dead or another client's is none of this client's business, and the answer does
 * not reveal which it was. A refresh token takes its whole family along.
 */
export async function revokeToken(context: Context, request: Pick<TokenRequest, 'body' | 'basic'>): Promise<void> {
  const agentToken = optionalText(request.body, 'token')
  if (agentToken !== null && isAgentToken(agentToken)) return await endAgent(context, agentToken)
  const client = await clientOf(context, request)
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

/** The command line keeps no secret: that it has the token is proof enough for ending it. */
async function clientOf(
  context: Pick<Context, 'db' | 'say'>,
  request: Pick<TokenRequest, 'body' | 'basic'>,
): Promise<{ id: number }> {
  if (clientId(request.body) !== commandLineName) return await authenticateClient(context, request)
  const client = await findCommandLine(context.db)
  if (!client) throw invalidClient()
  context.say?.({ clientId: client.id })
  return client
}

/** Programs of agents keep no secret: whoever holds the token may end what it opens, and whoever found it should. */
async function endAgent(context: Context, token: string): Promise<void> {
  const found = await grantOfToken(context.db, token)
  if (found) await context.transaction((trx) => endAgentGrant(trx, found.grantId))
}
