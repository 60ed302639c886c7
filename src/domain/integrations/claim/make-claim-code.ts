import { invalidField } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import { codeHashOf, newArrivalCode } from '../../install/platform-side/arrival-code.ts'
import { codeMinutes } from '../../install/platform-side/arrival-store.ts'
import { appendLog } from '../../logs/log-store.ts'
import type { UserTenant } from '../../tenant.ts'
import { lockIntegration } from '../integration-store.ts'
import { saveClaimCode } from './claim-code-store.ts'

export interface ClaimCode {
  code: string
  expires_at: string
}

/** Whoever is given the code by the owner may claim the integration, for ten minutes. */
export const makeClaimCode = (
  context: Pick<Context, 'transaction'>,
  { userId }: Pick<UserTenant, 'userId'>,
  integrationId: number,
): Promise<ClaimCode> =>
  context.transaction(async (trx) => {
    const integration = await lockIntegration(trx, integrationId)
    if (integration.app_id !== null) throw invalidField('integration', 'The integration belongs to an app already.')
    const code = newArrivalCode()
    const expires_at = await saveClaimCode(trx, integrationId, { codeHash: codeHashOf(code), minutes: codeMinutes })
    await appendLog(trx, integrationId, {
      level: 'info',
      event: 'integration.claim_code_made',
      message: 'A code was made by which the integration can be claimed for ten minutes.',
      context: { user_id: userId },
    })
    return { code, expires_at }
  })
