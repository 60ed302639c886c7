import { connectorFor } from '../../commerce/connectors.ts'
import { forbidden } from '../../lib/fault.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { checkShopInput } from './check-install-input.ts'
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
    mutable(await lockIntegration(trx, integration.id))
    const updated = await changeIntegration(trx, integration.id, {
      ...changes,
      ...(checked ? { settings: checked } : {}),
      ...('read_every_minutes' in changes && { next_read_at: firstRead(integration.id, changes.read_every_minutes) }),
    })
    await emitIntegration(trx, { integration: updated, was: updated.status, type: 'integration.updated' })
    return updated
  })
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
