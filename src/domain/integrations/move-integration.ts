import { connectorFor } from '../../commerce/connectors.ts'
import { say } from '../../commerce/words/say.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Wording } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { holdsCredentials } from './credentials-store.ts'
import { type Integration, isIntegrationStatus, mayMove, reasonFor, type StatusReason } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { changeIntegration, lockIntegration } from './integration-store.ts'
import { holdOwners } from './place-integration.ts'
import { uninstall } from './uninstall-integration.ts'

/** Somebody wants the integration elsewhere. */
export async function moveIntegration(
  context: Pick<Context, 'transaction' | 'connectors'>,
  { id, status: wanted }: { id: number; status: string },
): Promise<Integration> {
  const illegal = invalidField('status', 'The selected status is invalid.')
  if (!isIntegrationStatus(wanted)) throw illegal
  return await context.transaction(async (trx) => {
    const integration = await lockIntegration(trx, id)
    const { status } = integration
    if (!mayMove(status, wanted, 'anybody')) throw illegal
    if (status === wanted) return integration
    if (status === 'UNINSTALLED' && !(await holdOwners(trx, integration))) throw illegal
    if (wanted === 'ACTIVE' && !(await canBeOpened(trx, context, integration))) {
      throw invalidField('status', say('no_credentials_yet'))
    }
    if (wanted === 'UNINSTALLED') return await uninstall(trx, integration)
    await appendLog(trx, id, {
      level: 'info',
      event: 'integration.status_changed',
      words: logWords('integration.status_changed', {
        from: logWords(`status_${status}`),
        to: logWords(`status_${wanted}`),
      }),
      context: { from: status, to: wanted },
    })
    const moved = await changeIntegration(trx, id, { status: wanted, status_reason: reasonFor(wanted) })
    await emitIntegration(trx, { integration: moved, was: status })
    return moved
  })
}

/** A service that is a record and nothing more needs no keys; any other shop is active only with keys that it has taken. */
async function canBeOpened(trx: Db, { connectors }: Pick<Context, 'connectors'>, integration: Integration) {
  const connector = connectorFor(connectors, integration)
  const needsKeys = connector !== undefined && Object.keys(connector.auth.credentials.properties).length > 0
  return !needsKeys || (await holdsCredentials(trx, integration.id))
}

const failedWords: Partial<Record<StatusReason, Wording>> = {
  credentials_rejected: logWords('integration.credentials_rejected'),
  missing_rights: logWords('integration.missing_rights'),
}

/** We have seen that it does not work any longer. Nothing happens to one that is not ACTIVE. */
export async function reportFailure(
  context: Pick<Context, 'transaction' | 'record'>,
  id: number,
  { reason, why }: { reason: StatusReason; why: string | Wording },
): Promise<void> {
  await context.transaction(async (trx) => {
    const { status } = await lockIntegration(trx, id)
    if (status === 'ERROR' || !mayMove(status, 'ERROR', 'system')) return
    await appendLog(trx, id, {
      level: 'error',
      event: 'integration.error',
      words: failedWords[reason] ?? logWords('integration.failed'),
      context: { from: status, to: 'ERROR', reason },
      said: { words: logWords('integration.failed_because', { reason: why }) },
    })
    await context.record(trx, 'integration.failed', { integrationId: id, reason })
    const failed = await changeIntegration(trx, id, { status: 'ERROR', status_reason: reason })
    await emitIntegration(trx, { integration: failed, was: status, type: 'integration.error' })
  })
}
