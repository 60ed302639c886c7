import { randomUUID } from 'node:crypto'
import type { LevelToSet } from '../../../commerce/inventory.ts'
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
import { type OpenShop, openShop } from '../../shop/open-remote.ts'
import { lookAt } from './look-at.ts'
import {
  claimShop,
  type Failed,
  releaseShop,
  type Stale,
  settleFailed,
  settleStale,
  settleTold,
  type Telling,
  type Told,
  takeDue,
} from './tell-store.ts'

/** In one request, where the platform takes several. */
const atOnce = 100
const renewEveryMs = 10_000
const maxWaitSeconds = 600
/** A shop that sells all the time may be told so often without a pause. */
const staleAtOnce = 3

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
    const isStale = await tell(context, integration, due)
    return isStale || due.length === atOnce ? 'more' : 'done'
  } finally {
    clearInterval(renewing)
    await releaseShop(context.db, integrationId, holder)
  }
}

/** Whether the shop showed something else than was expected, and is to be told again at once. */
async function tell(context: Context, integration: Integration | null, due: readonly Telling[]): Promise<boolean> {
  const failAll = (trx: Db, error: string, againSeconds: number) =>
    settleFailed(
      trx,
      due.map((telling): Failed => ({ telling, error, againSeconds })),
    )
  const fail = async (error: string, againSeconds: number) => {
    await context.transaction((trx) => failAll(trx, error, againSeconds))
    return false
  }
  if (!integration || !isRunning(integration)) return await fail('The integration is not active.', maxWaitSeconds)
  try {
    const opened = await openShop(context, integration, { lane: 'inventory' })
    if (!opened.connector.inventory?.set) return await fail('The platform takes no stock levels.', maxWaitSeconds)
    const answer = await send(opened, due)
    await context.transaction((trx) => settleAnswer(trx, integration.id, answer))
    return answer.stale.some(({ againSeconds }) => againSeconds === 0)
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
    return false
  }
}

interface Answer {
  settle(trx: Db): Promise<void>
  told: readonly Told[]
  /** Not told: the shop shows something else than was expected. */
  stale: readonly Stale[]
  refused: readonly { telling: Telling; said: string | null }[]
}

/**
 * Platforms that compare set nothing where they show something else than expected. The others are looked at just before: what they have sold in
 * between is then seen as well, but for the moment of the request itself.
 */
async function send({ write, connector, shop }: OpenShop, due: readonly Telling[]): Promise<Answer> {
  const { set, compares = false } = connector.inventory ?? {}
  if (!set) throw new Error('Nothing can be set.')
  const before = compares ? [] : await lookAt({ connector, shop }, due)
  const seen = due.flatMap((telling, n) => staleBy(telling, before[n]))
  // What is so already, and not by a sale that nobody knows of, need not be sent.
  const same = due.flatMap((telling, n): Told[] =>
    before[n] === telling.quantity && staleBy(telling, before[n]).length === 0
      ? [{ ...telling, shown: telling.quantity, unsent: true }]
      : [],
  )
  const known = new Set([...same, ...seen].map(({ id }) => id))
  const left = due.filter(({ id }) => !known.has(id))
  if (left.length === 0) return { settle: async () => undefined, told: same, stale: seen, refused: [] }
  const settings = left.map((telling) => settingOf(telling, compares))
  const { result, settle } = await write({ kind: 'set_inventory', key: fingerprint(settings), input: settings }, set)
  const accepted = left.filter((_, n) => result[n]?.ok)
  const after = await lookAt({ connector, shop }, accepted)
  return {
    settle,
    told: [...same, ...accepted.map((telling, n) => ({ ...telling, shown: after[n] ?? null }))],
    stale: [...seen, ...left.flatMap((telling, n) => staleBy(telling, result[n]?.found))],
    refused: left.flatMap((telling, n) =>
      result[n]?.ok || result[n]?.found !== undefined ? [] : [{ telling, said: result[n]?.error ?? null }],
    ),
  }
}

function staleBy(telling: Telling, found: number | null | undefined): Stale[] {
  if (found == null || telling.expected === null || found === telling.expected) return []
  const againSeconds = telling.attempts < staleAtOnce ? 0 : waitAfter(telling.attempts - staleAtOnce)
  return [{ ...telling, found, againSeconds }]
}

async function settleAnswer(trx: Db, integrationId: number, answer: Answer): Promise<void> {
  const { settle, told, stale, refused } = answer
  await settle(trx)
  await settleTold(trx, told)
  await settleStale(trx, stale)
  await settleFailed(
    trx,
    refused.map(({ telling }) => ({
      telling,
      error: 'The shop rejected the level.',
      againSeconds: waitAfter(telling.attempts + 4),
    })),
  )
  await logRefusals(trx, integrationId, refused)
  // Our copy shows what the shop does, or was told where nobody has looked; it is no news of the shop.
  const shown = [
    ...told.map((one) => ({ ...one, quantity: one.shown ?? one.quantity })),
    ...stale.map((one) => ({ ...one, quantity: one.found })),
  ]
  await followLevels(
    trx,
    integrationId,
    shown.map(({ sku, quantity, location, remote_id: remoteId }) => ({ sku, quantity, location, remoteId })),
  )
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
const settingOf = ({ sku, remote_id: id, quantity, location, expected }: Telling, compares: boolean): LevelToSet => ({
  sku,
  ...(id !== sku && { variant_remote_id: id }),
  quantity,
  location: location === '' ? null : location,
  ...(compares && expected !== null && { expected }),
})

/** A second, two, four … */
const waitAfter = (attempts: number): number => Math.min(maxWaitSeconds, 2 ** Math.min(attempts, 16))
