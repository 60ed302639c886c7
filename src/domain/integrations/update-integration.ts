import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { originsOf } from '../../commerce/rules/shop-facts.ts'
import { forbidden } from '../../lib/fault.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { checkShopInput } from './check-install-input.ts'
import { destroyCredentials } from './credentials-store.ts'
import type { Integration } from './integration.ts'
import { emitIntegration } from './integration-events.ts'
import { changeIntegration, lockIntegration } from './integration-store.ts'
import { nextRead, readingOf } from './reading.ts'

/** What its owner may say; the rest is set by installations and runs. */
export interface IntegrationUpdate {
  name?: string | undefined
  description?: string | null | undefined
  settings?: Record<string, unknown> | undefined
  active?: boolean | undefined
  read_every_minutes?: number | null | undefined
}

export async function updateIntegration(
  context: Pick<Context, 'transaction' | 'connectors'>,
  integration: Pick<Integration, 'id' | 'type' | 'definition' | 'shop'>,
  { settings, ...changes }: IntegrationUpdate,
): Promise<Integration> {
  const connector = connectorFor(context.connectors, integration)
  const checked = settings && checkShopInput(connector, { shop: integration.shop, settings }).settings
  return await context.transaction(async (trx) => {
    const before = mutable(await lockIntegration(trx, integration.id))
    const moved = checked !== undefined && leadsElsewhere(connector, before, { ...before, settings: checked })
    const updated = await changeIntegration(trx, integration.id, {
      ...changes,
      ...(checked ? { settings: checked } : {}),
      ...('read_every_minutes' in changes && { next_read_at: firstRead(integration.id, changes.read_every_minutes) }),
    })
    await emitIntegration(trx, { integration: updated, was: updated.status, type: 'integration.updated' })
    return moved ? await closeUntilProved(trx, connector, updated) : updated
  })
}

/** Whether calls would go to another place than those that its credentials were given for. */
const leadsElsewhere = (connector: Connector | undefined, before: Integration, after: Integration): boolean =>
  connector !== undefined && originsOf(connector, before) !== originsOf(connector, after)

/**
 * Keys stay where they were given: whoever may change settings must not be able to have them sent to a place of their
 * own. So they are destroyed, and the shop has to be connected again at its new address.
 */
async function closeUntilProved(trx: Db, connector: Connector | undefined, integration: Integration) {
  const { id, status } = integration
  const held = await destroyCredentials(trx, id)
  if (!held || status === 'UNINSTALLED') return integration
  await appendLog(trx, id, {
    level: 'warning',
    event: 'integration.address_changed',
    words: logWords('integration.address_changed'),
    context: { from: status, to: 'PENDING' },
  })
  const reason = connector?.auth.kind === 'keys' ? 'awaiting_credentials' : 'awaiting_authorization'
  const closed = await changeIntegration(trx, id, { status: 'PENDING', status_reason: reason })
  await emitIntegration(trx, { integration: closed, was: status })
  return closed
}

/** When a shop is asked after its owner has said how often; the default begins as often as any. */
function firstRead(id: number, chosen: number | null | undefined): string | null {
  const { minutes } = readingOf(
    { read_every_minutes: chosen ?? null, service_read_minutes: null, messages: 'none' },
    undefined,
  )
  return minutes === null ? null : toTimestamp(nextRead(id, minutes, new Date()))
}

/** What comes with us as an example stays as it is. */
export function mutable(integration: Integration): Integration {
  if (!integration.mutable) throw forbidden()
  return integration
}

/** For `storeLogo`: puts the name on the integration and gives back the one before. */
export const setIntegrationLogo =
  (id: number) =>
  async (trx: Db, logo: string): Promise<string | null> => {
    const before = mutable(await lockIntegration(trx, id))
    await changeIntegration(trx, id, { logo })
    return before.logo
  }
