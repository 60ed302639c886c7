import type { AnyFields } from '../../commerce/shop.ts'
import { invalidField, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { keepConsent } from '../integrations/consent/consent-store.ts'
import { saveCredentials } from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { emitIntegration } from '../integrations/integration-events.ts'
import { changeIntegration, lockIntegration, markInstalled, setGranted } from '../integrations/integration-store.ts'
import { holdOwners } from '../integrations/place-integration.ts'
import { recoverIntegration } from '../integrations/recover-integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { destroyStates } from './install-state-store.ts'

interface OpenedAccess {
  credentials: AnyFields
  expiresAt: string | null
  settings?: AnyFields
  granted: readonly string[] | null
  consentEndsAt?: string | null
  identity?: string
}

/**
 * Credentials that the shop has taken: they are kept, and the integration is connected. `begun` is what it was before the shop was
 * asked: what somebody has ended since stays so.
 */
export const activateIntegration = (
  context: Pick<Context, 'transaction' | 'keys' | 'record'>,
  begun: Integration,
  opened: OpenedAccess,
): Promise<Integration> => context.transaction((trx) => activate(trx, context, begun, opened))

/** Part of a transaction. */
export async function activate(
  trx: Db,
  context: Pick<Context, 'keys' | 'record'>,
  begun: Integration,
  opened: OpenedAccess,
): Promise<Integration> {
  const { id } = begun
  if (!(await holdOwners(trx, begun))) throw notFound()
  const integration = await lockIntegration(trx, id)
  if (integration.status === 'UNINSTALLED' && begun.status !== 'UNINSTALLED') {
    throw invalidField('status', 'The integration was uninstalled meanwhile: nothing was connected.')
  }
  // The way back from UNINSTALLED leads through PENDING, as the table of moves says.
  if (integration.status === 'UNINSTALLED') await changeIntegration(trx, id, { status: 'PENDING' })
  await keepOpened(trx, context, integration, opened)
  await destroyStates(trx, id)
  await appendLog(trx, id, {
    level: 'info',
    event: integration.installed_at === null ? 'integration.installed' : 'integration.reconnected',
    words: logWords('integration.installed', { shop: integration.shop }),
  })
  await context.record(trx, 'integration.installed', { integrationId: id })
  const installed = await markInstalled(trx, id)
  await emitIntegration(trx, { integration: installed, was: integration.status, type: 'integration.installed' })
  return installed
}

/**
 * The platform gave new credentials for a shop that is connected: it goes on where it is, a paused one stays paused, and
 * messages are asked for anew. Part of a transaction.
 */
export async function renewAccess(
  trx: Db,
  context: Pick<Context, 'keys' | 'record'>,
  id: number,
  opened: OpenedAccess,
): Promise<void> {
  const integration = await lockIntegration(trx, id)
  await keepOpened(trx, context, integration, opened)
  await appendLog(trx, id, {
    level: 'info',
    event: 'integration.renewed',
    words: logWords('integration.renewed', { shop: integration.shop }),
  })
  if (integration.status === 'ERROR') await recoverIntegration(context, trx, integration)
  else if (integration.status === 'ACTIVE') await context.record(trx, 'integration.recovered', { integrationId: id })
}

async function keepOpened(
  trx: Db,
  { keys }: Pick<Context, 'keys'>,
  integration: Integration,
  opened: OpenedAccess,
): Promise<void> {
  // They are sealed for the address that the shop has from now on.
  const settings = { ...Object(integration.settings), ...opened.settings }
  if (opened.settings) await changeIntegration(trx, integration.id, { settings })
  await saveCredentials(trx, keys, { ...integration, settings }, opened)
  await setGranted(trx, integration.id, opened.granted)
  await keepConsent(trx, integration.id, opened)
}
