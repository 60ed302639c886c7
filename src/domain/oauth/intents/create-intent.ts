import { type FieldErrors, forbidden, invalid, invalidField, notFound, unauthenticated } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { ClientCaller } from '../../tenant.ts'
import { findLiveAccount, type LiveAccount } from '../account-store.ts'
import { underCeiling } from '../clients/client.ts'
import { findClientForLogin, holdClient } from '../clients/client-store.ts'
import { expandAccountScopes, isAccountScope } from '../scope-grants.ts'
import { isTokenOpen } from '../token-store.ts'
import { insertIntent } from './intent-store.ts'

export interface CreatedIntent {
  token: string
  scopes: string[]
  expires_in: number
  expires_at: string
  account: { id: number; remote_id: string }
}

const lifetimeSeconds = 600

/** The account an intent is for, looked up inside the caller's app: anything else is not found. */
export async function findIntentAccount(
  context: Pick<Context, 'db'>,
  caller: ClientCaller,
  remoteId: string,
): Promise<LiveAccount> {
  // From the console there is no client to whom the token would belong; it needs none.
  if (caller.appId === null || caller.onBehalfOf !== undefined) throw forbidden()
  const account = await findLiveAccount(context.db, caller.appId, remoteId)
  if (!account) throw notFound()
  if (!account.active) throw forbidden()
  return account
}

/** A token that a browser may exchange once for an account token with these scopes. */
export async function createIntent(
  context: Context,
  caller: ClientCaller,
  input: { account: LiveAccount; scopes: readonly string[] },
): Promise<CreatedIntent> {
  const { account } = input
  if (account.app_id !== caller.appId) throw forbidden()
  const errors = scopeErrors(input.scopes)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const client = await findClientForLogin(context.db, caller.clientId)
  const scopes = underCeiling(expandAccountScopes(input.scopes), client?.scopes ?? null)
  if (scopes.length === 0) throw invalidField('scopes', 'The selected scopes is invalid.')
  const { token, expiresAt } = await context.transaction(async (trx) => {
    // Whoever takes the client over ends what it had been given: this would come too late to be seen.
    const isHeld = client !== undefined && (await holdClient(trx, client)) && (await isTokenOpen(trx, caller.tokenId))
    if (!isHeld) throw unauthenticated()
    return await insertIntent(trx, {
      appId: account.app_id,
      accountId: account.id,
      clientId: caller.clientId,
      scopes,
      lifetimeSeconds,
    })
  })
  return {
    token,
    scopes,
    expires_in: lifetimeSeconds,
    expires_at: expiresAt,
    account: { id: account.id, remote_id: account.remote_id },
  }
}

function scopeErrors(scopes: readonly string[]): FieldErrors {
  const errors: FieldErrors = {}
  for (const [index, scope] of scopes.entries()) {
    const known = isAccountScope(scope) || scope === '*' || scope === 'webcomponent:*'
    if (!known) errors[`scopes.${index}`] = [`The selected scopes.${index} is invalid.`]
  }
  return errors
}
