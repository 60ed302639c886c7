import type { Context } from '../context.ts'
import { clientId, numericId } from './clients/authenticate-client.ts'
import { underCeiling } from './clients/client.ts'
import { findIntent, useIntent } from './intents/intent-store.ts'
import { invalidIntentToken } from './oauth-faults.ts'
import { narrowScopes } from './scope-grants.ts'
import { accountTokenSeconds, tokenAnswer } from './token-answer.ts'
import { requestedScopes, requiredText, type TokenAnswer, type TokenRequest } from './token-request.ts'
import { insertAccessToken } from './token-store.ts'

/** A browser exchanges the intent that the app's server gave it. The intent itself is the proof: there is no secret. */
export async function grantIntentToken(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const secret = requiredText(request.body, 'intent_token')
  const asked = requestedScopes(request.body)
  const client = clientId(request.body)
  const intent = await findIntent(context.db, secret)
  if (!intent) throw invalidIntentToken('Cannot decrypt the intent token')
  context.say?.({ clientId: intent.clientId, appId: intent.appId, accountId: intent.accountId })
  if (client !== null && numericId(client) !== intent.clientId) {
    throw invalidIntentToken('Token is not linked to client')
  }
  if (intent.expired) throw invalidIntentToken('Token has expired')
  if (intent.used || !intent.live) throw invalidIntentToken('Token has been revoked')
  const scopes = underCeiling(narrowScopes(asked, intent.scopes), intent.ceiling)

  const token = await context.transaction(async (trx) => {
    if (!(await useIntent(trx, intent.id))) throw invalidIntentToken('Token has been revoked')
    return await insertAccessToken(trx, {
      kind: 'account',
      clientId: intent.clientId,
      appId: intent.appId,
      accountId: intent.accountId,
      scopes,
      lifetimeSeconds: accountTokenSeconds,
    })
  })
  return await tokenAnswer(context, token, { showScopes: true })
}
