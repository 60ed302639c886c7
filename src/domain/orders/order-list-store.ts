import { invalidField } from '../../lib/fault.ts'
import { type ListPlan, type PageOf, type PageQuery, paginate, type Reader } from '../../runtime/db/lists/paginate.ts'
import { type CountedScope, paginateBuckets } from '../../runtime/db/lists/paginate-buckets.ts'
import { countedTotal } from '../../runtime/db/lists/row-counters.ts'
import { isOrderStatus, type Order, type OrderStatus, orderStatuses } from './order.ts'
import { acknowledgedOrders, allOrders, openOrders, ordersWith, sandboxOrders } from './order-counts.ts'
import { orderColumns } from './order-store.ts'

export const orderList: ListPlan = {
  name: 'orders',
  from: 'orders',
  columns: orderColumns.join(', '),
  filters: {
    number: { column: 'number', type: 'text' },
    remote_id: { column: 'remote_id', type: 'text' },
    sandbox: { column: 'sandbox', type: 'boolean' },
    remote_status: { column: 'remote_status', type: 'text', match: 'caseless' },
    payment_status: { column: 'payment_status', type: 'text', match: 'caseless' },
    fulfillment_status: { column: 'fulfillment_status', type: 'text', match: 'caseless' },
  },
  sorts: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    placed_at: 'placed_at',
    number: 'number',
    status: 'status',
  },
}

/**
 * The orders of an integration. Without a filter this is the queue: what has not been acknowledged yet. Who names a
 * status (ours, or the shop's own), a number or a remote id is looking for certain orders and finds them wherever they stand; `acknowledged`
 * (true, false or all) decides it outright.
 */
export async function listOrders<Row = Order>(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
  plan: ListPlan = orderList,
): Promise<PageOf<Row>> {
  const { status: statuses, ...filter } = query.filter
  const which = whichOrders(query.filter)
  if (!statuses) return await paginateBuckets(reader, plan, scopeOf(integrationId, which), { ...query, filter })
  const known = statuses.map(knownStatus)
  const [only] = known
  if (which === 'all' && only !== undefined && known.length === 1) {
    return await paginateBuckets(reader, plan, statusScope(integrationId, only), { ...query, filter })
  }
  const scope = scopeOf(integrationId, which)
  return await paginate(
    reader,
    plan,
    {
      key: `${scope.key}-statuses`,
      sql: `${scope.sql} and status = any(?::text[])`,
      params: [...scope.params, known],
      ...(which === 'all' && { total: countedTotal(integrationId, [...new Set(known)].map(ordersWith)) }),
    },
    { ...query, filter },
  )
}

/** In capitals or not. */
function knownStatus(word: string): OrderStatus {
  const status = word.toUpperCase()
  if (isOrderStatus(status)) return status
  throw invalidField('status', `The selected status is invalid. Allowed: ${orderStatuses.join(', ')}.`)
}

/** Orders that no customer has placed: those of the sandbox service, and those made with `sandbox`. */
export async function listSandboxOrders(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
): Promise<PageOf<Order>> {
  const scope = {
    key: 'sandbox',
    sql: 'integration_id = ? and deleted_at is null and sandbox',
    params: [integrationId],
    integrationId,
    kind: sandboxOrders,
  }
  return await paginateBuckets(reader, orderList, scope, query)
}

type Which = 'all' | 'open' | 'acknowledged'

function whichOrders(filter: PageQuery['filter']): Which {
  const asked = filter['acknowledged']?.at(-1)
  if (asked === 'all') return 'all'
  if (asked === 'true' || asked === '1') return 'acknowledged'
  if (asked === 'false' || asked === '0') return 'open'
  const certain = ['status', 'remote_status', 'number', 'remote_id'].some((name) => filter[name] !== undefined)
  return certain ? 'all' : 'open'
}

const conditions: Record<Which, { kind: string; sql: string }> = {
  all: { kind: allOrders, sql: '' },
  open: { kind: openOrders, sql: ' and acknowledged_at is null' },
  acknowledged: { kind: acknowledgedOrders, sql: ' and acknowledged_at is not null' },
}

const scopeOf = (integrationId: number, which: Which): CountedScope => ({
  key: which,
  sql: `integration_id = ? and deleted_at is null${conditions[which].sql}`,
  params: [integrationId],
  integrationId,
  kind: conditions[which].kind,
})

const statusScope = (integrationId: number, status: OrderStatus): CountedScope => ({
  key: 'status',
  sql: 'integration_id = ? and deleted_at is null and status = ?',
  params: [integrationId, status],
  integrationId,
  kind: ordersWith(status),
})
