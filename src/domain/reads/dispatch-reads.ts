import { Type } from 'typebox'
import { offers } from '../../commerce/action.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { type Node, onEachNode } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { askedSeconds, catalogueEvery, nextByShare, nextRead, readingOf, wishOf } from '../integrations/reading.ts'
import { queueRun } from '../runs/queue-run.ts'
import { unfinishedRuns } from '../schedules/step-store.ts'
import { sharingShops } from '../stock/pool-store.ts'
import { type DueRead, hasDueReads, type NextRead, setNextReads, takeDueReads } from './due-reads-store.ts'
import { catalogueMinutesIn, plansFor, type ReadPlan, shareIn } from './plan-reads.ts'

type Needs = Pick<Context, 'db' | 'transaction' | 'keys' | 'connectors' | 'record' | 'log'>

const atOnce = 100
/** Until it is looked again whether a service still wants none of its shops asked. */
const lookAgainMinutes = 60
/** Until it is looked again whether what was under way is over. */
const waitMinutes = 5

/** Asks every connected shop for news, without anybody's making a schedule. Any number of workers may do so at a time. */
export const dispatchReads = job({
  name: 'dispatch-reads',
  input: Type.Object({}),
  retry: { attempts: 1 },
  maxRunSeconds: 120,
  hasWork: ({ db }: Needs) => hasDueReads(db),
  run: async (context: Needs, _input, { signal }) => {
    await onEachNode(context, async (node) => {
      while (!signal.aborted && (await dispatchBatch(context, node)) === atOnce);
    })
  },
})

/** Runs and the next time in one transaction: a crash repeats all or nothing. */
const dispatchBatch = (context: Needs, node: Node): Promise<number> =>
  context.transaction(async (trx) => {
    const due = await takeDueReads(trx, atOnce, node)
    if (due.length === 0) return 0
    const unfinished = await unfinishedRuns(
      trx,
      due.map(({ id }) => id),
    )
    const busy = new Map(unfinished.map((run) => [`${run.integration_id} ${run.resource}`, run.status]))
    const shared = await sharingShops(
      trx,
      due.map(({ id }) => id),
    )
    const planFor = await plansFor(context, trx, due)
    const reads: NextRead[] = []
    for (const one of due)
      reads.push(await start(context, trx, one, { busy, sharing: shared.get(one.id), plan: planFor(one) }))
    await setNextReads(trx, reads)
    return due.length
  })

const allOfIt = ['sync_orders', 'sync_products', 'sync_inventory'] as const

async function start(
  context: Needs,
  trx: Db,
  due: DueRead,
  {
    busy,
    sharing,
    plan,
  }: { busy: ReadonlyMap<string, string>; sharing: { isSelling: boolean } | undefined; plan: ReadPlan | undefined },
): Promise<NextRead> {
  const connector = connectorFor(context.connectors, due)
  const reading = readingOf(due, connector)
  const { minutes, isSelling } = wishOf(reading, sharing)
  // Something was missed: that is asked for even where nobody wants to be asked by the clock.
  const catchesUp = due.catalogue_age === null
  const withCatalogue =
    due.catalogue_age === null ||
    (reading.minutes !== null &&
      due.catalogue_age >= Math.max(catalogueEvery(reading.minutes), catalogueMinutesIn(plan)))
  // What is being read just now may be past what was missed, and nobody reads it again by the clock: then all of it waits, but for orders.
  const waits = minutes === null && catchesUp && allOfIt.some((name) => busy.get(`${due.id} ${name}`) === 'running')
  const kinds = withCatalogue && !waits ? allOfIt : allOfIt.slice(0, 1)
  const wanted = minutes === null && !catchesUp ? [] : kinds
  for (const resource of wanted) {
    if (!connector || !offers(connector, resource) || busy.has(`${due.id} ${resource}`)) continue
    await queueRun(context, trx, due.id, { resource, input: {}, automatic: true })
  }
  // A service may change its mind; an owner who does sets the time as well.
  const again = minutes ?? (waits ? waitMinutes : due.read_every_minutes === 0 ? null : lookAgainMinutes)
  const share = minutes === null ? null : shareIn(plan, { minutes, isSelling })
  const isSlower = minutes !== null && share !== null && share.every_seconds > askedSeconds(minutes)
  const now = new Date(due.now)
  const next = isSlower
    ? nextByShare(due.id, share.every_seconds, now)
    : again === null
      ? null
      : nextRead(due.id, again, now)
  return { id: due.id, nextReadAt: next && toTimestamp(next), catalogue: withCatalogue && !waits, share }
}
