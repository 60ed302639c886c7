import { setTimeout as sleep } from 'node:timers/promises'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Remote } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import type { Lane } from '../budgets/budget.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { openShop } from '../shop/open-remote.ts'
import { estimateFrom, type Look } from './estimate-from.ts'
import type { LongAction } from './perform-action.ts'

/** An estimate takes no longer than this. */
const patienceMs = 3000
const pageSize = 1000

type Part = 'orders' | 'products' | 'inventory'

const parts: Readonly<Record<LongAction, readonly Part[]>> = {
  sync_orders: ['orders'],
  sync_products: ['products'],
  sync_inventory: ['inventory'],
  reconcile: ['orders', 'products', 'inventory'],
}
const laneOf: Readonly<Record<Part, Exclude<Lane, 'interactive'>>> = {
  orders: 'orders',
  products: 'catalogue',
  inventory: 'inventory',
}

/**
 * How long a long action will take, estimated before it begins: the first page is read for it, which shows how many records
 * there are, how many come at once, what that costs and how long it takes. Null where that is not worth the asking (what
 * changed lately is little), or where it is unknown.
 */
export async function estimateRun(
  context: Context,
  integration: Integration,
  { name, input }: { name: LongAction; input: Readonly<Record<string, unknown>> },
): Promise<number | null> {
  const since = typeof input['updated_since'] === 'string' ? input['updated_since'] : null
  if (name !== 'reconcile' && input['mode'] !== 'full' && since === null) return null
  const asked = Array.isArray(input['resources']) ? input['resources'] : parts[name]
  const looking = lookAt(
    context,
    integration,
    parts[name].filter((part) => asked.includes(part)),
    since,
  )
  // Whatever is wrong with the shop is for the run to find out.
  return await Promise.race([looking.catch(() => null), sleep(patienceMs, null, { ref: false })])
}

async function lookAt(
  context: Context,
  integration: Integration,
  wanted: readonly Part[],
  since: string | null,
): Promise<number | null> {
  const { connector, shop } = await openShop(context, integration)
  let seconds = 0
  for (const part of wanted) {
    const reads = connector[part]
    if (!reads) continue
    const look = await lookAtPage(shop, since, reads.list)
    const estimate = look && estimateFrom(connector, laneOf[part], look)
    if (estimate === null) return null
    seconds += estimate
  }
  return Math.ceil(seconds)
}

async function lookAtPage(
  shop: Shop,
  since: string | null,
  list: (shop: Shop, query: ReadQuery) => Promise<RawPage>,
): Promise<Look | null> {
  const costs = new Map<string, number>()
  const remote: Remote = {
    request(asked) {
      const { budget = 'default', cost = 1 } = asked
      costs.set(budget, (costs.get(budget) ?? 0) + cost)
      return shop.remote.request(asked)
    },
  }
  const begun = performance.now()
  const { items, next, total } = await list(
    { ...shop, remote },
    { updatedSince: since, statuses: [], cursor: null, limit: pageSize },
  )
  const seconds = (performance.now() - begun) / 1000
  const all = next === null ? items.length : total
  return all === null ? null : { total: all, size: Math.max(1, items.length), seconds, costs }
}
