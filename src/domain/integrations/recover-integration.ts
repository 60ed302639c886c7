import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { forgetFailures } from './credentials-store.ts'
import type { Integration } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { changeIntegration } from './integration-store.ts'

/**
 * The shop accepts the credentials again. Nothing happens to an integration that is in an error state for another reason. Part
 * of a transaction that holds the integration.
 */
export async function recoverIntegration(
  context: Pick<Context, 'record'>,
  trx: Db,
  integration: Integration,
): Promise<void> {
  const { id, status, status_reason: reason, shop } = integration
  if (status !== 'ERROR' || (reason !== 'credentials_rejected' && reason !== 'missing_rights')) return
  await forgetFailures(trx, id)
  await appendLog(trx, id, {
    level: 'info',
    event: 'integration.recovered',
    words: logWords('integration.recovered', { shop }),
    context: { from: status, to: 'ACTIVE' },
  })
  await context.record(trx, 'integration.recovered', { integrationId: id })
  const recovered = await changeIntegration(trx, id, { status: 'ACTIVE', status_reason: null })
  await emitIntegration(trx, { integration: recovered, was: status, type: 'integration.recovered' })
}
