import type { Connector } from '../../commerce/connector.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { isRightsMissing } from '../../commerce/rules/rights.ts'
import { say } from '../../commerce/words/say.ts'
import { because, Fault } from '../../lib/fault.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import { hasSharedBudget, type Lane } from '../budgets/budget.ts'
import type { Context } from '../context.ts'
import { setGranted } from '../integrations/integration-store.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { keptOrdersDays } from '../retention/retention-store.ts'
import type { Run } from '../runs/run.ts'
import { type Claim, postponeRun, takeRun, yieldRun } from '../runs/run-store.ts'
import { readGranted } from '../shop/check-rights.ts'
import { connectorOf, type OpenShop, openShop } from '../shop/open-remote.ts'
import type { Passes } from './completeness.ts'
import { endWork } from './end-work.ts'
import type { ShopReads } from './kind.ts'
import { kinds } from './kinds.ts'
import { queueCompletion } from './outlines/complete-orders.ts'
import { type Plan, planOf } from './plan-run.ts'
import { lookAhead } from './reading/look-ahead.ts'
import { queueReturns } from './returns/read-returns.ts'
import { addTo, beginPass, type Pass, type Slot, type SyncKind, slotOf } from './sync.ts'
import { syncPass } from './sync-pass.ts'
import { isBeingRead, readCursor } from './sync-store.ts'
import { assertRunnable, startTurn, type Work } from './work.ts'

/** Claims in a row without anything stored; crashes count. */
const maxAttempts = 5
/** Times in a row that the shop may be away: about an hour in all. */
const maxWaits = 12
/** Another run has the integration at the moment. */
const lostSeconds = 5
/** Another run makes a comparison, which may take seconds or hours: the longer it has been waited for, the longer until the next look. */
const behindSeconds = ({ created_at }: Run) => {
  const waited = (Date.now() - Date.parse(created_at)) / 1000
  return Math.round(Math.min(60, Math.max(lostSeconds, waited / 4)))
}

/**
 * One turn on a run. The answer is when it should have the next one, in seconds; null when it needs none. All that it
 * has to remember is in the database: whoever has the next turn goes on from there.
 */
export async function workRun(
  context: Context,
  { integrationId, runId }: { integrationId: number; runId: number },
  signal: AbortSignal,
): Promise<number | null> {
  const taken = await context.transaction((trx) => takeRun(trx, integrationId, runId))
  if (!taken) return null
  const { claim, attempt, waits } = taken
  try {
    if (attempt > maxAttempts) throw new Fault('upstream_refused', say('no_progress'))
    const end = await work(context, taken, signal)
    if (typeof end === 'number') return end
    if (end === 'lost' || end === 'behind') {
      const seconds = end === 'lost' ? lostSeconds : behindSeconds(taken.run)
      return (await yieldRun(context.db, claim)) ? seconds : null
    }
    await endWork(context, claim, end)
    return null
  } catch (error) {
    // Given back, or no database to write to: the queue starts it again.
    if (signal.aborted || isDatabaseAway(error)) throw error
    return await afterFailure(context, claim, { error, attempt, waits })
  }
}

/** Orders must not wait for the catalogue. */
const lanes = { orders: 'orders', products: 'catalogue', inventory: 'inventory' } as const

/**
 * News wait neither for what is read again nor, where shops share a limit, for what another shop has read for the first
 * time.
 */
async function laneOf(
  { db }: Context,
  { connector, integrationId }: { connector: Connector; integrationId: number },
  { kind, slot }: { kind: SyncKind; slot: Slot },
): Promise<Lane> {
  if (slot === 'aside') return 'catalogue'
  if (kind !== 'orders' || !hasSharedBudget(connector)) return lanes[kind]
  const { watermark, pass } = await readCursor(db, integrationId, { kind, slot })
  return watermark === null && pass?.stage !== 'done' ? 'catalogue' : lanes[kind]
}

interface Worked {
  plan: Plan
  passes: Passes
}

async function work(
  context: Context,
  { claim, run }: { claim: Claim; run: Run },
  signal: AbortSignal,
): Promise<Worked | number | 'lost' | 'behind'> {
  const integration = await assertRunnable({ context, claim, signal })
  const plan = planOf(run)
  const connector = connectorOf(context, integration)
  const parts = (plan?.kinds ?? []).flatMap((name) => {
    const reads = kinds[name].reads(connector)
    return reads ? [{ kind: kinds[name], reads }] : []
  })
  if (!plan || parts.length === 0) throw new Fault('upstream_refused', say('not_supported'))
  const slot = slotOf(plan)
  if (await isBeingRead(context.db, claim, { kinds: plan.kinds, slot })) return slot === 'pass' ? 'lost' : 'behind'
  const turn = startTurn()
  const { integrationId } = claim
  const passes: [SyncKind, Pass][] = []
  let before = 0
  for (const part of parts) {
    const at = run.started_at ?? run.created_at
    const lane = await laneOf(context, { connector, integrationId }, { kind: part.kind.name, slot })
    const open = await openShop(context, integration, { lane })
    const mine: Work = { context, claim, open, signal, turn, before }
    const look = slot === 'pass' ? await lookAhead(mine, part) : null
    if (look === 'lost' || typeof look === 'number') return look
    const end = await syncPass(mine, {
      ...part,
      slot,
      begin: async (cursor) => {
        if (cursor.pass?.run === run.id) return cursor.pass
        const horizonDays = await horizonOf(context, open, part.reads)
        const keptDays = part.kind.name === 'orders' ? await keptOrdersDays(context.db, integrationId) : null
        return beginPass(cursor, { run: run.id, mode: plan.mode, since: plan.since, at, horizonDays, keptDays })
      },
    })
    if (typeof end === 'number' || end === 'lost') return end
    if (part.reads.listsInPart || part.reads.outlines) await queueCompletion(context, integrationId)
    if (part.kind.name === 'orders' && plan.mode !== 'compare')
      await queueReturns(context, integrationId, { connector, anew: plan.mode === 'full' && plan.since === null })
    const whole = look === null ? end : { ...end, tally: addTo(end.tally, look.tally) }
    passes.push([part.kind.name, whole])
    before += whole.tally.read
  }
  return { plan, passes }
}

/** How far back the shop shows anything. What was granted may have changed since it was last asked for. */
async function horizonOf(
  { db }: Context,
  { integrationId, connector, shop }: OpenShop,
  { horizon }: ShopReads,
): Promise<number | null> {
  if (!horizon) return null
  const granted = await readGranted(connector, shop)
  await setGranted(db, integrationId, granted)
  return horizon({ ...shop, granted })
}

/** What may pass is tried again later, and nothing of what was stored is lost; what may not ends the run. */
async function afterFailure(
  context: Context,
  claim: Claim,
  { error, attempt, waits }: { error: unknown; attempt: number; waits: number },
): Promise<number | null> {
  if (!(error instanceof Fault)) {
    context.log.error({ err: error, run: claim.id, integration: claim.integrationId }, 'a run failed')
    if (attempt < maxAttempts) return delay(attempt)
    await endWork(context, claim, { status: 'failed', error: say('internal_error') })
    return null
  }
  if (error.kind === 'upstream_retryable' || error.kind === 'unavailable') {
    if (waits < maxWaits) return await postpone(context, claim, { error, waits })
  }
  const status = error.kind === 'forbidden' || error.kind === 'not_found' ? 'cancelled' : 'failed'
  const why = because(error)
  await endWork(context, claim, { status, error: why })
  if (isCredentialsRefusal(error)) {
    await reportFailure(context, claim.integrationId, { reason: 'credentials_rejected', why })
  }
  if (isRightsMissing(error)) {
    await reportFailure(context, claim.integrationId, { reason: 'missing_rights', why })
  }
  return null
}

/** Never sooner than the shop has asked for, and later each time that it asks again. */
async function postpone(
  context: Context,
  claim: Claim,
  { error, waits }: { error: Fault; waits: number },
): Promise<number | null> {
  const { retryAfterSeconds: requestedSeconds } = error
  const seconds = requestedSeconds && waits === 0 ? requestedSeconds : Math.max(requestedSeconds ?? 0, delay(waits + 1))
  return await context.transaction(async (trx) => {
    if (!(await postponeRun(trx, claim))) return null
    await appendLog(trx, claim.integrationId, {
      level: 'warning',
      event: 'run.waiting',
      words: logWords('run.waiting', { seconds }),
      runId: claim.id,
    })
    return seconds
  })
}

const firstDelaySeconds = 5
const maxDelaySeconds = 900

const delay = (times: number): number => Math.min(maxDelaySeconds, firstDelaySeconds * 2 ** (times - 1))
