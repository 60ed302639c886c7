import type { Connector } from '../../commerce/connector.ts'
import type { ShopFacts } from '../../commerce/shop.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { comparedColumns, rawOrdersBefore, type StoredOrder } from '../orders/privacy/raw-order-store.ts'
import { syncedOrder } from '../orders/synced-order.ts'
import { factsOf } from '../shop/shop-remote.ts'
import { type Counting, countDifferences, type Differences } from './differences.ts'

const ordersAtOnce = 500
interface Comparing {
  /** What would count from now on. */
  next: Connector
  /** What counts now; left out, what is stored stands for it: the work of an earlier version. */
  present?: Connector
  /** So many orders at most, the newest first. */
  max: number
}

/**
 * Runs a changed translator over the records of the shop that are stored here, beside the present one. No shop is asked,
 * and nothing is stored.
 */
export async function countInto(
  counting: Counting,
  context: Pick<Context, 'db'>,
  integration: Integration,
  { next, present, max }: Comparing,
): Promise<void> {
  const facts = factsOf(next, integration)
  let [before, left] = [Number.MAX_SAFE_INTEGER, max]
  while (left > 0) {
    const stored = await rawOrdersBefore(context.db, integration.id, { before, limit: Math.min(ordersAtOnce, left) })
    await inTurns(stored, (order) => compareOne(counting, { next, present, facts }, order))
    const last = stored.at(-1)
    if (last === undefined) break
    before = last.id
    left -= stored.length
  }
}

export async function compareOrders(
  context: Pick<Context, 'db'>,
  integration: Integration,
  comparing: Comparing,
): Promise<Differences> {
  const counting = countDifferences()
  await countInto(counting, context, integration, comparing)
  return counting.result()
}

interface Side {
  next: Connector
  present: Connector | undefined
  facts: ShopFacts
}

function compareOne(counting: Counting, { next, present, facts }: Side, order: StoredOrder): void {
  const { remote_id: remoteId, remote_payload: raw } = order
  const after = read(next, facts, raw)
  const before: Reading = present ? read(present, facts, raw) : { row: order.row }
  if ('row' in before && 'row' in after) {
    counting.add(remoteId, before.row, present ? after.row : likeStored(after.row))
    return
  }
  counting.fail(remoteId, failureOf(before, after))
}

/** Whoever did not understand it before either has lost nothing. */
export function failureOf(before: Reading, after: Reading): string {
  if ('reason' in after) {
    return `${'reason' in before ? 'Neither understands it' : 'Would no longer be understood'}: ${after.reason}`
  }
  return `Would be understood from now on; now: ${'reason' in before ? before.reason : ''}`
}

export type Reading = { row: object } | { reason: string }

export function read(connector: Connector, facts: ShopFacts, raw: unknown): Reading {
  try {
    const { remote_payload: _, ...row } = syncedOrder(connector, Object(connector.orders?.translate(raw, facts)))
    return { row }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    return { reason: error.message }
  }
}

/** What is stored apart, sealed, is not compared with what an earlier version left: see `orders/privacy/raw-order-store.ts`. */
export function likeStored(row: object): object {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (!comparedColumns.some((column) => column === name)) return []
      return [[name, name === 'items' && Array.isArray(value) ? value.map(withoutAttributes) : value]]
    }),
  )
}

const withoutAttributes = (line: unknown) => {
  const { attributes: _, ...rest } = Object(line)
  return rest
}
