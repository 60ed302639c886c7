import type { AnyFields } from '../../commerce/shop.ts'
import type { Context } from '../context.ts'
import { saveCredentials } from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { emitIntegration } from '../integrations/integration-events.ts'
import { changeIntegration, lockIntegration, markInstalled, setGranted } from '../integrations/integration-store.ts'
import { appendLog } from '../logs/log-store.ts'
import { destroyStates } from './install-state-store.ts'

/** Credentials that the shop has taken: they are kept, and the integration is connected. */
export async function activateIntegration(
  context: Pick<Context, 'transaction' | 'keys' | 'record'>,
  id: number,
  opened: {
    credentials: AnyFields
    expiresAt: string | null
    settings?: AnyFields
    granted: readonly string[] | null
  },
): Promise<Integration> {
  return await context.transaction(async (trx) => {
    const integration = await lockIntegration(trx, id)
    // The way back from UNINSTALLED leads through PENDING, as the table of moves says.
    if (integration.status === 'UNINSTALLED') await changeIntegration(trx, id, { status: 'PENDING' })
    await saveCredentials(trx, context.keys, integration, opened)
    await setGranted(trx, id, opened.granted)
    if (opened.settings) {
      await changeIntegration(trx, id, { settings: { ...Object(integration.settings), ...opened.settings } })
    }
    await destroyStates(trx, id)
    await appendLog(trx, id, {
      level: 'info',
      event: integration.installed_at === null ? 'integration.installed' : 'integration.reconnected',
      message: `Connected to ${integration.shop}.`,
    })
    await context.record(trx, 'integration.installed', { integrationId: id })
    const installed = await markInstalled(trx, id)
    await emitIntegration(trx, { integration: installed, was: integration.status, type: 'integration.installed' })
    return installed
  })
}
