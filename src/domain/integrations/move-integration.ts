import { connectorFor } from '../../commerce/connectors.ts'
import { invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { holdsCredentials } from './credentials-store.ts'
import { type Integration, isIntegrationStatus, mayMove, reasonFor, type StatusReason } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { changeIntegration, lockIntegration } from './integration-store.ts'
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
    if (wanted === 'ACTIVE' && !(await canBeOpened(trx, context, integration))) {
      throw invalidField('status', 'The integration has no credentials yet: complete its installation first.')
    }
    if (wanted === 'UNINSTALLED') return await uninstall(trx, integration)
    await appendLog(trx, id, {
      level: 'info',
      event: 'integration.status_changed',
      message: `${status} became ${wanted}.`,
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

const failedWords: Partial<Record<StatusReason, string>> = {
  credentials_rejected: 'The shop rejected the credentials.',
  missing_rights: 'The credentials lack rights in the shop.',
}

/** We have seen that it does not work any longer. Nothing happens to one that is not ACTIVE. */
export async function reportFailure(
  context: Pick<Context, 'transaction' | 'record'>,
  id: number,
  { reason, message }: { reason: StatusReason; message: string },
): Promise<void> {
  await context.transaction(async (trx) => {
    const { status } = await lockIntegration(trx, id)
    if (status === 'ERROR' || !mayMove(status, 'ERROR', 'system')) return
    await appendLog(trx, id, {
      level: 'error',
      event: 'integration.error',
      message: failedWords[reason] ?? 'The connection failed.',
      context: { from: status, to: 'ERROR', reason },
      said: { message },
    })
    await context.record(trx, 'integration.failed', { integrationId: id, reason })
    const failed = await changeIntegration(trx, id, { status: 'ERROR', status_reason: reason })
    await emitIntegration(trx, { integration: failed, was: status, type: 'integration.error' })
  })
}
