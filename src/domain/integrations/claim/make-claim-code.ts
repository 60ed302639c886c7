import { invalidField } from '../../../lib/fault.ts'
import { codeHashOf, newOneTimeCode } from '../../../lib/identity/one-time-code.ts'
import type { Context } from '../../context.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import type { UserTenant } from '../../tenant.ts'
import { lockIntegration } from '../integration-store.ts'
import { saveClaimCode } from './claim-code-store.ts'

const minutes = 10

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
    const code = newOneTimeCode()
    const expires_at = await saveClaimCode(trx, integrationId, { codeHash: codeHashOf(code), minutes })
    await appendLog(trx, integrationId, {
      level: 'info',
      event: 'integration.claim_code_made',
      words: logWords('integration.claim_code_made'),
      context: { user_id: userId },
    })
    return { code, expires_at }
  })
