import type { Context } from '../context.ts'
import { findLiveAccount } from './account-store.ts'
import { authenticateClient, requireGrant } from './clients/authenticate-client.ts'
import { type ClientWithSecret, holdClient } from './clients/client-store.ts'
import { invalidClient, invalidRequest } from './oauth-faults.ts'
import { grantAccountScopes, grantScopes } from './scope-grants.ts'
import { accountTokenSeconds, tokenAnswer, yearSeconds } from './token-answer.ts'
import { optionalText, requestedScopes, type TokenAnswer, type TokenRequest } from './token-request.ts'
import { type IssuedAccessToken, insertAccessToken, type NewAccessToken } from './token-store.ts'

/** For the app itself, or with `account` for one of its accounts. */
export async function grantClientCredentials(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const client = await authenticateClient(context, request)
  requireGrant(client, 'client_credentials')
  const asked = requestedScopes(request.body)
  const remoteId = optionalText(request.body, 'account')
  if (remoteId !== null) return await grantToAccount(context, client, { asked, remoteId })

  const granted = grantScopes(asked, client.scopes)
  const token = await insertFor(context, client, {
    kind: 'client',
    clientId: client.id,
    scopes: granted.scopes,
    lifetimeSeconds: yearSeconds,
  })
  return await tokenAnswer(context, token, { showScopes: granted.differs })
}

async function grantToAccount(
  context: Context,
  client: ClientWithSecret,
  { asked, remoteId }: { asked: string[] | null; remoteId: string },
): Promise<TokenAnswer> {
  const granted = grantAccountScopes(asked, client.scopes)
  const account = client.app_id === null ? undefined : await findLiveAccount(context.db, client.app_id, remoteId)
  if (!account?.active) throw invalidRequest('account')
  context.say?.({ accountId: account.id })
  const token = await insertFor(context, client, {
    kind: 'account',
    clientId: client.id,
    appId: account.app_id,
    accountId: account.id,
    scopes: granted.scopes,
    lifetimeSeconds: accountTokenSeconds,
  })
  return await tokenAnswer(context, token, { showScopes: granted.differs })
}

const insertFor = (
  context: Pick<Context, 'transaction'>,
  client: ClientWithSecret,
  token: NewAccessToken,
): Promise<IssuedAccessToken> =>
  context.transaction(async (trx) => {
    if (!(await holdClient(trx, client))) throw invalidClient()
    return await insertAccessToken(trx, token)
  })
