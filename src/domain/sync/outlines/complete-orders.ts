import { Type } from 'typebox'
import { Fault } from '../../../lib/fault.ts'
import { type Job, job } from '../../../runtime/jobs/job.ts'
import type { Lane } from '../../budgets/budget.ts'
import type { Context } from '../../context.ts'
import { isRunning } from '../../integrations/integration.ts'
import { readIntegration } from '../../integrations/integration-store.ts'
import { connectorOf, type OpenShop, openShop } from '../../shop/open-remote.ts'
import { inShare } from '../../shop/shares/share.ts'
import type { ShopReads } from '../kind.ts'
import { kinds } from '../kinds.ts'
import { quarantine } from '../quarantine/quarantine-store.ts'
import { notStored, setAside } from '../quarantine/why-set-aside.ts'
import { isPlainRefusal } from '../reading/fetch-page.ts'
import { readRecords, textOf } from '../reading/read-records.ts'
import { secondsAfter } from '../reading/seconds-after.ts'
import { markCompared } from '../rechecking/recheck-store.ts'
import { isRefusal } from '../store-batch.ts'
import { giveUpRest, incompleteOrders } from './outline-store.ts'

interface Input {
  integrationId: number
}

/**
 * Asks for the rest of orders of which a list or an index shows a part. Each costs a call of its own: so it happens beside what is new,
 * which pays first, and stops where the platform's limits do.
 */
export const completeOrders: Job<Input, Context> = job({
  name: 'complete-orders',
  input: Type.Object({ integrationId: Type.Integer() }),
  oneAtATime: ({ integrationId }) => `complete-orders:${integrationId}`,
  run: (context: Context, input, { signal }) =>
    inShare(context, completeOrders, input, async () => {
      const { integrationId } = input
      const seconds = await completeSome(context, integrationId, signal)
      if (seconds !== null) await queueCompletion(context, integrationId, seconds)
    }),
})

export const queueCompletion = (
  context: Pick<Context, 'transaction' | 'enqueue'>,
  integrationId: number,
  startAfterSeconds = 0,
): Promise<void> =>
  context.transaction((trx) =>
    context.enqueue(trx, completeOrders, { integrationId }, { key: `${integrationId}`, startAfterSeconds }),
  )

/** What may still have to be sent pays before what is only history. */
const laneOf = (isOver: boolean): Lane => (isOver ? 'catalogue' : 'inventory')
const readAtOnce = 25
/** Before others have their turn. */
const askedInATurn = 100

/** When it should go on, in seconds; null when nothing is left that could be asked for. */
async function completeSome(context: Context, integrationId: number, signal: AbortSignal): Promise<number | null> {
  const integration = await readIntegration(context.db, integrationId)
  const reads = kinds.orders.reads(connectorOf(context, integration))
  if (!isRunning(integration) || !reads?.get) return null
  const asked: string[] = []
  const open = new Map<Lane, OpenShop>()
  const some = () => incompleteOrders(context.db, integrationId, { without: asked, limit: readAtOnce })
  for (let part = await some(); part.length > 0; part = await some()) {
    for (const { key, isOver } of part) {
      if (asked.length >= askedInATurn || signal.aborted) return 0
      const lane = laneOf(isOver)
      const way = open.get(lane) ?? (await openShop(context, integration, { lane, maxWaitSeconds: 0 }))
      open.set(lane, way)
      const failure = await complete(context, way, { reads, get: reads.get, key })
      if (failure) return secondsAfter(failure)
      asked.push(key)
    }
  }
  return null
}

/** The answer is why the shop could not be asked. */
async function complete(
  context: Context,
  { integrationId, shop }: OpenShop,
  { reads, get, key }: { reads: ShopReads; get: NonNullable<ShopReads['get']>; key: string },
): Promise<Fault | null> {
  let raw: unknown = null
  try {
    raw = await get(shop, key)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (!isPlainRefusal(error)) return error
  }
  const { records, quarantined } = await readRecords(reads, raw === null ? [] : [raw], shop)
  const about = { integrationId, kind: 'orders' as const, runId: noRun }
  try {
    await context.transaction(async (trx) => {
      const rows = records.map(({ row }) => row)
      if (rows.length > 0) await kinds.orders.store(trx, integrationId, { ids: [], rows, runId: null })
      await giveUpRest(trx, integrationId, key)
      await markCompared(trx, integrationId, { kind: 'orders', keys: [key] })
      await quarantine(trx, about, quarantined)
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await context.transaction(async (trx) => {
      await giveUpRest(trx, integrationId, key)
      await quarantine(trx, about, [setAside(key, notStored(error), textOf(raw))])
    })
  }
  return null
}

/** Records are quarantined by runs; this is none. */
const noRun = 0
