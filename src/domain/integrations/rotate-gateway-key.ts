import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import type { UserTenant } from '../tenant.ts'
import { issueGatewayKey, retireGatewayKeys } from './gateway-key-store.ts'
import { lockIntegration } from './integration-store.ts'

/** A new gateway key; the one before it works for another day, so that nobody has to be quick. */
export async function rotateGatewayKey(
  context: Pick<Context, 'transaction'>,
  user: Pick<UserTenant, 'userId'>,
  integrationId: number,
): Promise<string> {
  return await context.transaction(async (trx) => {
    await lockIntegration(trx, integrationId)
    await retireGatewayKeys(trx, integrationId)
    const key = await issueGatewayKey(trx, integrationId, user.userId)
    await appendLog(trx, integrationId, {
      level: 'info',
      event: 'integration.gateway_key_rotated',
      words: logWords('integration.gateway_key_rotated'),
    })
    return key
  })
}
