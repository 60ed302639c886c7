import { randomUUID } from 'node:crypto'
import type { InventorySetting } from '../../../commerce/inventory.ts'
import { isCredentialsRefusal } from '../../../commerce/remote.ts'
import { Fault } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { type Integration, isRunning } from '../../integrations/integration.ts'
import { readIntegration } from '../../integrations/integration-store.ts'
import { reportFailure } from '../../integrations/move-integration.ts'
import { followLevels } from '../../levels/inventory-store.ts'
import { appendLog } from '../../logs/log-store.ts'
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
  const failAll = (trx: Db, error: string, againSeconds: number) =>
    settleFailed(
      trx,
      due.map((telling): Failed => ({ telling, error, againSeconds })),
    )
  const fail = (error: string, againSeconds: number) => context.transaction((trx) => failAll(trx, error, againSeconds))
  if (!integration || !isRunning(integration)) return await fail('The integration is not active.', maxWaitSeconds)
  try {
    const { write, connector } = await openShop(context, integration, { lane: 'inventory' })
    const set = connector.inventory?.set
    if (!set) return await fail('The platform takes no stock levels.', maxWaitSeconds)
    const settings = due.map(settingOf)
    const { result, settle } = await write({ kind: 'set_inventory', key: fingerprint(settings), input: settings }, set)
    const told = due.filter((_, n) => result[n]?.ok)
    const refused = due.flatMap((telling, n) => (result[n]?.ok ? [] : [{ telling, said: result[n]?.error ?? null }]))
    await context.transaction(async (trx) => {
      await settle(trx)
      await settleTold(trx, told)
      await settleFailed(
        trx,
        refused.map(({ telling }) => ({
          telling,
          error: 'The shop rejected the level.',
          againSeconds: waitAfter(telling.attempts + 4),
        })),
      )
      await logRefusals(trx, integration.id, refused)
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
    const again = error.retryAfterSeconds ?? waitAfter(Math.max(...due.map(({ attempts }) => attempts)))
    await context.transaction(async (trx) => {
      await failAll(trx, wordsOf(error), again)
      await logRefusals(
        trx,
        integration.id,
        due.map((telling) => ({ telling, said: error.message })),
      )
    })
  }
}

/** What is kept with the level, in our own words: a shop’s may name anybody, and are in the log, sealed. */
const wordsOf = ({ kind }: Fault): string =>
  kind === 'upstream_refused' ? 'The shop rejected the level.' : 'The shop did not take the level; it is told again.'

/** Once for each level that the shop does not take, not at every attempt. */
async function logRefusals(
  trx: Db,
  integrationId: number,
  refused: readonly { telling: Telling; said: string | null }[],
): Promise<void> {
  const first = refused.filter(({ telling: { attempts } }) => attempts === 0)
  const said = [...new Set(first.flatMap((refusal) => refusal.said ?? []))].join(' ')
  if (first.length === 0) return
  const message = `The shop did not take the level of ${first.length === 1 ? 'an article' : `${first.length} articles`}.`
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'stock.not_told',
    message,
    context: { skus: first.map(({ telling }) => telling.sku) },
    ...(said !== '' && { said: { message: `${message} ${said}` } }),
  })
}

/** Always the level itself, never a difference: told twice, it does no harm. */
const settingOf = ({ sku, remote_id: id, quantity, location }: Telling): InventorySetting => ({
  sku,
  ...(id !== sku && { variant_remote_id: id }),
  quantity,
  location: location === '' ? null : location,
})

/** A second, two, four … */
const waitAfter = (attempts: number): number => Math.min(maxWaitSeconds, 2 ** Math.min(attempts, 16))
