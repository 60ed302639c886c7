import { randomUUID } from 'node:crypto'
import { isCredentialsRefusal } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { because, Fault } from '../../../lib/fault.ts'
import { textOf, type Wording } from '../../../lib/words/wording.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { type Integration, isRunning } from '../../integrations/integration.ts'
import { integrationIfAny } from '../../integrations/integration-store.ts'
import { reportFailure } from '../../integrations/move-integration.ts'
import { followLevels } from '../../levels/inventory-store.ts'
import { appendLog } from '../../logs/log-store.ts'
import { logWords } from '../../logs/log-words.ts'
import { type OpenShop, openShop } from '../../shop/open-remote.ts'
import { poolOfShop } from '../pool-store.ts'
import { aimAt } from '../targets.ts'
import { lookAt } from './look-at.ts'
import { type Answer, send } from './send.ts'
import { type Failed, settleFailed, settleShown, settleTold, type Told } from './settle-store.ts'
import { claimShop, isDue, leaseSeconds, putOff, releaseShop, type Telling, takeDue, turns } from './tell-store.ts'
import { waitAfter, waitAfterNo } from './wait.ts'

/** In one request, where the platform takes several. Some take one article at a time: what is scarce must not wait behind many of them. */
const atOnce = 25
/** Until it is looked again whether a shop that rests has been woken. */
const restSeconds = 60
/** Then others of the same process have their turn. */
const patienceMs = 20_000

/**
 * Tells a shop what it is to show: the values that stand at this moment, what is about to run out first, within the shop's
 * limits, and looks afterwards whether it does. One worker at a time; `more` while something is left that may be told now.
 */
export async function tellShop(context: Context, integrationId: number, signal: AbortSignal): Promise<'more' | 'done'> {
  const holder = randomUUID()
  if (!(await claimShop(context.db, integrationId, holder))) return 'done'
  const renewing = setInterval(() => {
    claimShop(context.db, integrationId, holder).catch(() => undefined)
  }, leaseSeconds * 250)
  const until = performance.now() + patienceMs
  try {
    const integration = await integrationIfAny(context.db, integrationId)
    if (!integration || !isRunning(integration)) {
      await putOff(context.db, integrationId, restSeconds, say('not_active').text)
      return 'done'
    }
    const open = opening(context, integration)
    let told: Told[] = []
    for (let round = 1; !signal.aborted && performance.now() < until; round++) {
      if (round > 1 && !(await isStillTold(context, integrationId, holder))) break
      const due = await context.transaction((trx) => takeDue(trx, integrationId, holder, atOnce))
      // Nothing that is about to run out waits for a look at what was told.
      if (due[0]?.turn !== turns.scarce && told.length > 0) {
        await confirm(context, open, told)
        told = []
      }
      if (due.length === 0) break
      told.push(...(await tell(context, integration, open, due)))
      await dealOn(context, integrationId, due)
    }
    if (told.length > 0) await confirm(context, open, told)
  } finally {
    clearInterval(renewing)
    await releaseShop(context.db, integrationId, holder)
  }
  // What was announced while it was ours has been passed over by everybody else.
  return !signal.aborted && (await isDue(context.db, integrationId)) ? 'more' : 'done'
}

/** Telling may take long, and somebody may switch the stock off or pause the shop meanwhile: then what is on its way is the last. */
async function isStillTold(context: Context, integrationId: number, holder: string): Promise<boolean> {
  if (!(await claimShop(context.db, integrationId, holder))) return false
  const integration = await integrationIfAny(context.db, integrationId)
  return integration !== null && isRunning(integration)
}

/** Pieces that were taken from this shop may be offered in another, now that it is known to show less. */
async function dealOn(context: Context, integrationId: number, due: readonly Telling[]): Promise<void> {
  // Each time: last pieces may be dealt out since the shop began to be told.
  const pool = await poolOfShop(context.db, integrationId)
  if (pool === null || pool.deal_below === 0) return
  const articleIds = due.filter(({ wanted }) => wanted < pool.deal_below).map((one) => one.article_id)
  if (articleIds.length > 0) await context.transaction((trx) => aimAt(trx, pool.id, { articleIds }))
}

/** A shop that is told something stays open for so long: what connectors ask once for each opening they need not ask again. */
const keptMs = 30_000
const kept = new WeakMap<Context, Map<number, { opened: Promise<OpenShop>; version: string; until: number }>>()

/**
 * Opened only where something is to be told, and kept for a while. It waits for the shop's limits beside orders, not behind them: who reads many of them is
 * not to keep the others from being told.
 */
function opening(context: Context, integration: Integration): () => Promise<OpenShop> {
  return () => {
    const { id, updated_at: version } = integration
    const shops = kept.get(context) ?? new Map()
    kept.set(context, shops)
    const now = performance.now()
    for (const [other, { until }] of shops) if (until < now) shops.delete(other)
    const held = shops.get(id)
    if (held?.version === version) return held.opened
    const opened = openShop(context, integration, { lane: 'orders' })
    shops.set(id, { opened, version, until: now + keptMs })
    opened.catch(() => shops.delete(id))
    return opened
  }
}

/** What the shop has accepted, and nobody has seen it show yet. */
async function tell(
  context: Context,
  integration: Integration,
  open: () => Promise<OpenShop>,
  due: readonly Telling[],
): Promise<Told[]> {
  const failAll = (trx: Db, error: string, againSeconds: number) =>
    settleFailed(
      trx,
      due.map((telling): Failed => ({ telling, error, againSeconds })),
    )
  try {
    const opened = await open()
    if (!opened.connector.inventory?.set) {
      await context.transaction((trx) => failAll(trx, 'The platform takes no stock levels.', restSeconds))
      return []
    }
    const answer = await send(opened, due)
    await context.transaction((trx) => settleAnswer(trx, opened, answer))
    return answer.told.filter(({ unsent }) => !unsent)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (isCredentialsRefusal(error))
      await reportFailure(context, integration.id, { reason: 'credentials_rejected', why: because(error) })
    const attempts = Math.max(...due.map((one) => one.attempts))
    // A platform that names no time is soon asked again, at first.
    const again = Math.min(error.retryAfterSeconds ?? Number.POSITIVE_INFINITY, waitAfter(attempts))
    await context.transaction(async (trx) => {
      await failAll(trx, wordsOf(error), again)
      await logRefusals(
        trx,
        integration.id,
        due.map((telling) => ({ telling, said: because(error) })),
      )
    })
    return []
  }
}

/** Yes is not enough: what the shop shows now, where a request answers for many. */
async function confirm(context: Context, open: () => Promise<OpenShop>, told: readonly Told[]): Promise<void> {
  const last = [...new Map(told.map((one) => [one.id, one])).values()]
  const found = await lookAt(await open(), last)
  const shown = last.flatMap(({ id, telling_id, sent_at }, n) => {
    const level = found[n] ?? null
    return level === null ? [] : [{ id, telling_id, sent_at, found: level }]
  })
  await context.transaction((trx) => settleShown(trx, shown))
}

async function settleAnswer(trx: Db, { integrationId, connector }: OpenShop, answer: Answer): Promise<void> {
  const { settle, told, stale, refused } = answer
  await settle(trx)
  await settleTold(trx, told, { tells: connector.inventory?.levelsNow !== undefined })
  await settleFailed(trx, [
    ...stale.map((telling) => ({ telling, error: null, againSeconds: waitAfter(telling.attempts) })),
    ...refused.map(({ telling }) => ({
      ...{ telling, error: 'The shop rejected the level.', againSeconds: waitAfterNo(telling.attempts) },
    })),
  ])
  await logRefusals(trx, integrationId, refused)
  // Our copy shows what the shop does; it is no news of the shop.
  const shown = [...told, ...stale.map((one) => ({ ...one, quantity: one.expected ?? one.quantity }))]
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
  refused: readonly { telling: Telling; said: string | Wording | null }[],
): Promise<void> {
  const first = refused.filter(({ telling: { attempts } }) => attempts === 0)
  if (first.length === 0) return
  const what =
    first.length === 1 ? logWords('stock.not_told_one') : logWords('stock.not_told', { articles: first.length })
  const reason = reasonOfAll(first.flatMap((refusal) => refusal.said ?? []))
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'stock.not_told',
    words: what,
    context: { skus: first.map(({ telling }) => telling.sku) },
    ...(reason !== '' && { said: { words: logWords('stock.not_told_because', { what, reason }) } }),
  })
}

/** Ours where there is one only; several are told as they are. */
function reasonOfAll(said: readonly (string | Wording)[]): string | Wording {
  const [only = '', ...others] = new Map(said.map((one) => [textOf(one), one])).values()
  return others.length === 0 ? only : [only, ...others].map((one) => textOf(one)).join(' ')
}
