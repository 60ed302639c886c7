import type { Connector } from '../../commerce/connector.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { bucketOf, hasSharedBudget } from '../budgets/budget.ts'
import { knownLimits } from '../budgets/budget-store.ts'
import { callsPerDay, type KnownLimit, type Levels, plannable, shareOut, type Wish } from '../budgets/share-out.ts'
import type { Context } from '../context.ts'
import {
  askedSeconds,
  catalogueEvery,
  type ReadShare,
  readingOf,
  sharedMinutes,
  wishOf,
} from '../integrations/reading.ts'
import { platformClientsIn } from '../services/platform-client-store.ts'
import type { DueRead } from './due-reads-store.ts'
import { type Sharers, sharersOf } from './sharers-store.ts'

type Needs = Pick<Context, 'db' | 'keys' | 'connectors'>

/** What the clock may ask the shops of one registration with a platform. */
export interface ReadPlan {
  /** Questions for orders that one of them has a day, at most. */
  orders: Levels
  /** What another had that began to sell. */
  nextSelling: number
  /** Questions for products and stock. */
  catalogue: number
  shops: number
  callsPerDay: number
}

type Plans = (shop: Pick<DueRead, 'type' | 'service_id' | 'app_id'>) => ReadPlan | undefined

const daySeconds = 86_400
const dayMinutes = 1440

/** For how long a plan stands: who sells changes, and what is left of a day. */
const keptSeconds = 30
const kept = new WeakMap<Db, Map<string, { at: number; plans: Plans }>>()

/** Plans for those of the due shops whose limits are shared; most platforms have none. */
export async function plansFor(context: Needs, trx: Db, due: readonly DueRead[]): Promise<Plans> {
  const held = kept.get(context.db) ?? new Map<string, { at: number; plans: Plans }>()
  kept.set(context.db, held)
  for (const one of due) {
    const connector = connectorFor(context.connectors, one)
    if (!connector || !hasSharedBudget(connector)) continue
    const at = Date.parse(one.now) / 1000
    if (Math.abs(at - (held.get(one.type)?.at ?? 0)) >= keptSeconds)
      held.set(one.type, { at, plans: await planReads(context, trx, connector) })
  }
  return (shop) => held.get(shop.type)?.plans(shop)
}

/** One plan for each registration: the same may have been entered for several apps. */
async function planReads({ keys }: Needs, trx: Db, connector: Connector): Promise<Plans> {
  const clients = await platformClientsIn(trx, keys, connector.type)
  const known = new Map(clients.map(({ serviceId, appId, read }) => [`${serviceId} ${appId}`, clientIdIn(read)]))
  const applicationOf = ({ service_id: service, app_id: app }: Pick<Sharers, 'service_id' | 'app_id'>) => {
    const own = known.get(`${service} ${app}`)
    return own === undefined ? (known.get(`${service} null`) ?? null) : own
  }
  const groups = Map.groupBy(await sharersOf(trx, [connector.type]), applicationOf)
  const buckets = [...groups.keys()].flatMap((application) => sharedBuckets(connector, application))
  const limits = await knownLimits(
    trx,
    buckets.map(({ bucket }) => bucket),
  )
  const plans = new Map(
    [...groups].map(([application, sharers]) => [
      application,
      application === null ? undefined : planOf(connector, application, { sharers, limits }),
    ]),
  )
  return (shop) => plans.get(applicationOf(shop))
}

/** Null for one that cannot be opened: its shops cannot be asked either, and all others are. */
function clientIdIn(read: () => AnyFields): string | null {
  try {
    const { client_id: id } = read()
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

const sharedBuckets = (connector: Connector, application: string | null) =>
  Object.entries(connector.remote.budgets).flatMap(([name, budget]) =>
    budget.scope === 'application' && application !== null
      ? [{ budget, bucket: bucketOf(connector, { shop: '', application }, name) }]
      : [],
  )

function planOf(
  connector: Connector,
  application: string,
  { sharers, limits }: { sharers: readonly Sharers[]; limits: ReadonlyMap<string, KnownLimit> },
): ReadPlan {
  const shared = sharedBuckets(connector, application).map(({ budget, bucket }) => ({
    budget,
    known: limits.get(bucket.key),
  }))
  const most = (what: 'orders' | 'catalogue') =>
    Math.min(...shared.map(({ budget, known }) => plannable(budget, what, known)))
  const wishes = sharers.flatMap(({ shops, selling, ...by }) => {
    const reading = readingOf(by, connector)
    const { minutes, isSelling } = wishOf(reading, selling === null ? undefined : { isSelling: selling })
    if (minutes === null || reading.minutes === null) return []
    const catalogue = dayMinutes / catalogueEvery(reading.minutes)
    return [{ shops, isSelling, callsPerDay: daySeconds / askedSeconds(minutes), catalogue }]
  })
  const oneMore: Wish = { shops: 1, isSelling: true, callsPerDay: daySeconds / askedSeconds(sharedMinutes.asked) }
  const { selling, others } = shareOut(most('orders'), wishes)
  const { selling: nextSelling } = shareOut(most('orders'), [...wishes, oneMore])
  const catalogues = wishes.map(({ shops, catalogue }) => ({ shops, callsPerDay: catalogue, isSelling: false }))
  return {
    // Who begins to sell is asked by this plan until there is another.
    orders: { selling: wishes.some(({ isSelling }) => isSelling) ? selling : nextSelling, others },
    nextSelling,
    catalogue: shareOut(most('catalogue'), catalogues).others,
    shops: wishes.reduce((sum, { shops }) => sum + shops, 0),
    callsPerDay: Math.min(
      ...shared.map(({ budget, known }) =>
        budget.reads?.orders ? callsPerDay(budget, known) : Number.POSITIVE_INFINITY,
      ),
    ),
  }
}

/** What a plan means for one shop; null where it has all that it wishes for, and would have if it sold. */
export function shareIn(plan: ReadPlan | undefined, wish: { minutes: number; isSelling: boolean }): ReadShare | null {
  if (plan === undefined) return null
  const level = wish.isSelling ? plan.orders.selling : plan.orders.others
  const wished = askedSeconds(wish.minutes)
  const every = Math.max(wished, daySeconds / level)
  const soonest = askedSeconds(sharedMinutes.asked)
  const selling = wish.isSelling ? every : Math.max(soonest, daySeconds / plan.nextSelling)
  if (every === wished && selling === soonest) return null
  return {
    every_seconds: Math.ceil(every),
    selling_seconds: Math.ceil(selling),
    shops: plan.shops,
    calls_per_day: Math.floor(plan.callsPerDay),
  }
}

/** Minutes between two questions for products and stock, at least. */
export const catalogueMinutesIn = (plan: ReadPlan | undefined): number =>
  plan === undefined ? 0 : dayMinutes / plan.catalogue
