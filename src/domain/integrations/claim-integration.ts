import { forbidden, invalidField } from '../../lib/fault.ts'
import { digest, digestEquals } from '../../lib/secret.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import type { AppTenant } from '../tenant.ts'
import { resealCredentials } from './credentials-store.ts'
import type { Integration } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { giveIntegration, lockIntegration } from './integration-store.ts'
import { type AccountReference, referredAccount } from './place-integration.ts'

export interface ClaimInput extends AccountReference {
  id: number
  /** Proof that the claimant knows of an integration that belongs to nobody. */
  integrationKey?: string | null | undefined
}

/**
 * Takes an integration that is free: one of the app without an account, or one without an app. Of many who claim the
 * same, one gets it; whoever has it already gets it, everybody else is refused.
 */
export async function claimIntegration(
  context: Pick<Context, 'transaction' | 'keys'>,
  tenant: AppTenant,
  input: ClaimInput,
): Promise<Integration> {
  return await context.transaction(async (trx) => {
    const integration = await lockIntegration(trx, input.id)
    if (integration.app_id === null) mayTakeOrphan(integration, input.integrationKey)
    else if (integration.app_id !== tenant.appId) throw forbidden()
    const account = await referredAccount(trx, tenant, input)
    const held = integration.account_id
    if (account && held !== null && held !== account.id) throw forbidden()
    const accountId = account?.id ?? held
    if (integration.app_id === tenant.appId && accountId === held) return integration
    return await give(trx, context, integration, { app_id: tenant.appId, account_id: accountId })
  })
}

/** Ids can be counted through, the key cannot: without it anybody could take what belongs to nobody. */
function mayTakeOrphan(integration: Integration, key: string | null | undefined): void {
  if (!key) throw invalidField('integrationKey', 'The integration key field is required.')
  if (!digestEquals(digest(key.toLowerCase()), digest(integration.integration_key))) throw forbidden()
}

async function give(
  trx: Db,
  { keys }: Pick<Context, 'keys'>,
  integration: Integration,
  owner: { app_id: number; account_id: number | null },
): Promise<Integration> {
  if (integration.app_id !== owner.app_id) await resealCredentials(trx, keys, integration, owner.app_id)
  await appendLog(trx, integration.id, {
    level: 'info',
    event: 'integration.claimed',
    message: 'Claimed.',
    context: owner,
  })
  const given = await giveIntegration(trx, integration.id, owner)
  await emitIntegration(trx, { integration: given, was: given.status, type: 'integration.updated' })
  return given
}
