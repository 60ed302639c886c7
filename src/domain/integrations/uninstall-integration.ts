import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { destroyGatewayKeys } from './gateway-key-store.ts'
import type { Integration } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { changeIntegration, lockIntegration, softDeleteIntegration } from './integration-store.ts'
import { leaveShop } from './uninstall-store.ts'
import { mutable } from './update-integration.ts'

/** From here on nothing opens the shop: the credentials are gone, not only put aside. */
export const uninstallIntegration = (context: Pick<Context, 'transaction'>, id: number): Promise<Integration> =>
  context.transaction(async (trx) => await uninstall(trx, await lockIntegration(trx, id)))

/** Part of a transaction that holds the integration. */
export async function uninstall(trx: Db, integration: Integration): Promise<Integration> {
  const { id } = integration
  await leaveShop(trx, id)
  if (integration.status === 'UNINSTALLED') return integration
  await appendLog(trx, id, {
    level: 'info',
    event: 'integration.uninstalled',
    words: logWords('integration.uninstalled', { shop: integration.shop }),
  })
  const left = await changeIntegration(trx, id, { status: 'UNINSTALLED', status_reason: 'uninstalled' })
  await emitIntegration(trx, { integration: left, was: integration.status, type: 'integration.uninstalled' })
  return left
}

/** The same, and the record goes too. */
export const deleteIntegration = (context: Pick<Context, 'transaction'>, id: number): Promise<void> =>
  context.transaction(async (trx) => {
    await uninstall(trx, mutable(await lockIntegration(trx, id)))
    await destroyGatewayKeys(trx, id)
    await softDeleteIntegration(trx, id)
  })
