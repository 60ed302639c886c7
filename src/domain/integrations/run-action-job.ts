import { Type } from 'typebox'
import type { RawPage, ReadQuery } from '../../commerce/connector.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import { job, type Running } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { isRunning } from './integration.ts'
import { readIntegration, touchLastRun } from './integration-store.ts'
import { reportFailure } from './move-integration.ts'
import { type OpenShop, openShop } from './open-remote.ts'
import { checkAction, type LongAction } from './perform-action.ts'
import { findRun, reportRun, takeRun } from './run-store.ts'

const attempts = 5

/** Long work on an integration: reads the shop page by page and reports how far it is. One at a time per integration. */
export const runActionJob = job({
  name: 'run-action',
  input: Type.Object({ integrationId: Type.Integer(), runId: Type.Integer() }),
  retry: { attempts },
  oneAtATime: ({ integrationId }) => `integration:${integrationId}`,
  run: async (context: Context, { integrationId, runId }, running) => {
    const fence = await context.transaction((trx) => takeRun(trx, integrationId, runId))
    if (fence === null) return
    const report = { integrationId, id: runId, fence }
    try {
      const integration = await readIntegration(context.db, integrationId)
      if (!isRunning(integration)) throw new Fault('upstream_refused', 'The integration is not active.')
      const run = await findRun(context.db, integrationId, runId)
      const open = await openShop(context, integration)
      const counted = await readAll(open, run.resource, run.input, async (done, total) => {
        running.signal.throwIfAborted()
        if (!(await reportRun(context.db, report, { done, total }))) throw new Fault('forbidden', 'Taken over.')
      })
      await finish(context, report, { status: 'completed', result: counted })
    } catch (error) {
      await fail(context, report, error, running)
    }
  },
})

type Report = { integrationId: number; id: number; fence: number }

async function finish(
  context: Pick<Context, 'transaction'>,
  report: Report,
  outcome: { status: 'completed'; result: Record<string, unknown> } | { status: 'failed'; error: string },
): Promise<void> {
  const { integrationId, id } = report
  await context.transaction(async (trx) => {
    if (!(await reportRun(trx, report, outcome))) return
    const failed = outcome.status === 'failed'
    await appendLog(trx, integrationId, {
      level: failed ? 'error' : 'info',
      event: `run.${outcome.status}`,
      message: failed ? outcome.error : 'Done.',
      runId: id,
      ...(failed ? {} : { context: outcome.result }),
    })
    await touchLastRun(trx, integrationId)
  })
}

/** What may pass is tried again by the queue; what may not, or has been tried often enough, ends the run. */
async function fail(context: Context, report: Report, error: unknown, { attempt, signal }: Running): Promise<void> {
  const passing = !(error instanceof Fault) || error.kind === 'upstream_retryable' || error.kind === 'unavailable'
  if (signal.aborted || (passing && attempt < attempts)) throw error
  const reason = error instanceof Fault ? error.message : 'Something went wrong on our side.'
  await finish(context, report, { status: 'failed', error: reason })
  if (isCredentialsRefusal(error)) {
    await reportFailure(context, report.integrationId, { reason: 'credentials_rejected', message: reason })
  }
  if (!(error instanceof Fault)) throw error
}

interface Readable {
  list(shop: Shop, query: ReadQuery): Promise<RawPage>
  translate(raw: unknown, facts: ShopFacts): unknown
}

const partOf: Readonly<Record<LongAction, (open: OpenShop) => Readable | undefined>> = {
  sync_orders: ({ connector }) => connector.orders,
  sync_products: ({ connector }) => connector.products,
  sync_inventory: ({ connector }) => connector.inventory,
}

const isLongAction = (name: string): name is LongAction => Object.hasOwn(partOf, name)

async function readAll(
  open: OpenShop,
  resource: string,
  input: unknown,
  onPage: (done: number, total: number | null) => Promise<void>,
): Promise<{ read: number; set_aside: number }> {
  const reads = isLongAction(resource) ? partOf[resource](open) : undefined
  if (!reads || !isLongAction(resource)) throw new Fault('upstream_refused', 'The service cannot do this.')
  const { updated_since: since } = checkAction(resource, isFields(input) ? input : {})
  const counted = { read: 0, set_aside: 0 }
  let cursor: string | null = null
  do {
    const page: RawPage = await reads.list(open.shop, { updatedSince: since ?? null, statuses: [], cursor, limit: 250 })
    for (const raw of page.items) {
      counted.read++
      if (!understands(reads, raw, open.shop)) counted.set_aside++
    }
    await onPage(counted.read, page.total)
    cursor = page.next
  } while (cursor !== null)
  return counted
}

function understands(reads: Readable, raw: unknown, facts: ShopFacts): boolean {
  try {
    reads.translate(raw, facts)
    return true
  } catch {
    return false
  }
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
