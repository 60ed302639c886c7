import type { Db } from '../../runtime/db/connection.ts'
import { lockIntegration } from '../integrations/integration-store.ts'
import { uninstall } from '../integrations/uninstall-integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { dropUninstallCleanup } from './uninstall-cleanup-store.ts'

/**
 * The merchant has removed us there: there is nothing to clean up there, and our credentials are worth nothing any longer.
 * False where that was before the shop was connected anew. Part of a transaction.
 */
export async function leftByMerchant(trx: Db, id: number, at: string): Promise<boolean> {
  const integration = await lockIntegration(trx, id)
  const since = integration.installed_at
  if (integration.status === 'UNINSTALLED' || (since !== null && Date.parse(at) < Date.parse(since))) return false
  await uninstall(trx, integration)
  await dropUninstallCleanup(trx, id)
  await appendLog(trx, id, {
    level: 'info',
    event: 'webhooks.uninstalled',
    words: logWords('webhooks.uninstalled', { shop: integration.shop }),
  })
  return true
}
