import { randomUUID } from 'node:crypto'
import type { InventoryResult, InventorySetting } from '../../../commerce/inventory.ts'
import { isCredentialsRefusal } from '../../../commerce/remote.ts'
import { Fault } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import { type Integration, isRunning } from '../../integrations/integration.ts'
import { readIntegration } from '../../integrations/integration-store.ts'
import { reportFailure } from '../../integrations/move-integration.ts'
import { followLevels } from '../../levels/inventory-store.ts'
import { fingerprint } from '../../operations/operation.ts'
import { openShop } from '../../shop/open-remote.ts'
import { claimShop, type Failed, releaseShop, settleFailed, settleTold, type Telling, takeDue } from './tell-store.ts'

/** In one request, where the platform takes several. */
const atOnce = 100
const renewEveryMs = 10_000
const maxWaitSeconds = 600

/**
 * Tells a shop what it is to show: the values that stand at this moment, what is about to run out first, within the shop's
 * limits. One worker at a time; `more` while something is left that may be told now.
 */
export async function tellShop(context: Context, integrationId: number, signal: AbortSignal): Promise<'more' | 'done'> {
  const holder = randomUUID()
  if (!(await claimShop(context.db, integrationId, holder))) return 'done'
  const renewing = setInterval(() => {
    claimShop(context.db, integrationId, holder).catch(() => undefined)
  }, renewEveryMs)
  try {
    const integration = await readIntegration(context.db, integrationId).catch(() => null)
    const due = await context.transaction((trx) => takeDue(trx, integrationId, holder, atOnce))
    if (due.length === 0 || signal.aborted) return 'done'
    await tell(context, integration, due)
    return due.length === atOnce ? 'more' : 'done'
  } finally {
    clearInterval(renewing)
    await releaseShop(context.db, integrationId, holder)
  }
}

async function tell(context: Context, integration: Integration | null, due: readonly Telling[]): Promise<void> {
  const fail = (error: string, againSeconds: number) =>
    context.transaction((trx) =>
      settleFailed(
        trx,
        due.map((telling): Failed => ({ telling, error, againSeconds })),
      ),
    )
  if (!integration || !isRunning(integration)) return await fail('The integration is not active.', maxWaitSeconds)
  try {
    const { write, connector } = await openShop(context, integration, { lane: 'inventory' })
    const set = connector.inventory?.set
    if (!set) return await fail('The platform takes no stock levels.', maxWaitSeconds)
    const settings = due.map(settingOf)
    const { result, settle } = await write({ kind: 'set_inventory', key: fingerprint(settings), input: settings }, set)
    const refusals = due.map((telling, n) => ({ telling, error: errorIn(result[n]) }))
    const told = refusals.flatMap(({ telling, error }) => (error === null ? [telling] : []))
    await context.transaction(async (trx) => {
      await settle(trx)
      await settleTold(trx, told)
      await settleFailed(
        trx,
        refusals.flatMap(({ telling, error }) =>
          error === null ? [] : [{ telling, error, againSeconds: waitAfter(telling.attempts + 4) }],
        ),
      )
      // Our copy shows what the shop was told; it is no news of the shop.
      await followLevels(
        trx,
        integration.id,
        told.map(({ sku, quantity, location, remote_id: remoteId }) => ({ sku, quantity, location, remoteId })),
      )
    })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (isCredentialsRefusal(error))
      await reportFailure(context, integration.id, { reason: 'credentials_rejected', message: error.message })
    await fail(error.message, error.retryAfterSeconds ?? waitAfter(Math.max(...due.map(({ attempts }) => attempts))))
  }
}

/** Always the level itself, never a difference: told twice, it does no harm. */
const settingOf = ({ sku, remote_id: id, quantity, location }: Telling): InventorySetting => ({
  sku,
  ...(id !== sku && { variant_remote_id: id }),
  quantity,
  location: location === '' ? null : location,
})

const errorIn = (result: InventoryResult | undefined): string | null =>
  result?.ok ? null : (result?.error ?? 'The shop rejected the level.')

/** A second, two, four … */
const waitAfter = (attempts: number): number => Math.min(maxWaitSeconds, 2 ** Math.min(attempts, 16))
