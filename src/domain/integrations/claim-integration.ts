import { say } from '../../commerce/words/say.ts'
import { forbidden, invalidField, notFound } from '../../lib/fault.ts'
import { codeHashOf } from '../../lib/identity/one-time-code.ts'
import { digest, digestEquals } from '../../lib/secret.ts'
import { type Db, isDatabaseBusy } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import type { AppTenant } from '../tenant.ts'
import { takeClaimCode } from './claim/claim-code-store.ts'
import { resealCredentials } from './credentials-store.ts'
import type { Integration } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { giveIntegration, lockIntegration, readIntegration } from './integration-store.ts'
import { type AccountReference, holdOwners, referredAccount } from './place-integration.ts'

export interface ClaimInput extends AccountReference {
  id: number
  /** Which one is meant, of those that belong to nobody. It is no secret: every answer and many logs have it. */
  integrationKey?: string | null | undefined
  /** That its owner lets the claimant have it. */
  code?: string | null | undefined
}

/**
 * Takes an integration that is free: one of the app without an account, or one without an app. Of many who claim the
 * same, one gets it; whoever has it already gets it, everybody else is refused.
 */
export async function claimIntegration(
  context: Pick<Context, 'db' | 'transaction' | 'keys'>,
  tenant: AppTenant,
  input: ClaimInput,
): Promise<Integration> {
  try {
    return await claimInTurn(context, tenant, input)
  } catch (error) {
    if (!isDatabaseBusy(error)) throw error
    // So many claimed it at once that our turn never came: that it went to another app meanwhile is an answer.
    const { app_id } = await readIntegration(context.db, input.id)
    if (app_id !== null && app_id !== tenant.appId) throw forbidden()
    throw error
  }
}

const claimInTurn = (
  context: Pick<Context, 'transaction' | 'keys'>,
  tenant: AppTenant,
  input: ClaimInput,
): Promise<Integration> =>
  context.transaction(async (trx) => {
    const integration = await lockIntegration(trx, input.id)
    if (integration.app_id === null) await takeOrphan(trx, integration, input)
    else if (integration.app_id !== tenant.appId) throw forbidden()
    const account = await referredAccount(trx, tenant, input)
    const held = integration.account_id
    if (account && held !== null && held !== account.id) throw forbidden()
    const accountId = account?.id ?? held
    if (integration.app_id === tenant.appId && accountId === held) return integration
    return await give(trx, context, integration, { app_id: tenant.appId, account_id: accountId })
  })

/** Whose it is, the owner says: by a code that is good once. */
async function takeOrphan(trx: Db, integration: Integration, { integrationKey: key, code }: ClaimInput): Promise<void> {
  if (!key) throw invalidField('integrationKey', 'The integration key field is required.')
  if (!digestEquals(digest(key.toLowerCase()), digest(integration.integration_key))) throw forbidden()
  if (!code) throw invalidField('code', 'The code field is required.')
  if (!(await takeClaimCode(trx, integration.id, codeHashOf(code)))) {
    throw invalidField('code', say('code_wrong'))
  }
}

async function give(
  trx: Db,
  { keys }: Pick<Context, 'keys'>,
  integration: Integration,
  owner: { app_id: number; account_id: number | null },
): Promise<Integration> {
  if (!(await holdOwners(trx, owner))) throw notFound()
  if (integration.app_id !== owner.app_id) await resealCredentials(trx, keys, integration, owner.app_id)
  await appendLog(trx, integration.id, {
    level: 'info',
    event: 'integration.claimed',
    words: logWords('integration.claimed'),
    context: owner,
  })
  const given = await giveIntegration(trx, integration.id, owner)
  await emitIntegration(trx, { integration: given, was: given.status, type: 'integration.updated' })
  return given
}
