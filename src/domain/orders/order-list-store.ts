import { invalidField } from '../../lib/fault.ts'
import { type PersonSought, wordsOfPerson } from '../../lib/sealing/person-words.ts'
import { blindWord } from '../../lib/sealing/record-box.ts'
import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import { type ListPlan, type PageOf, type PageQuery, paginate, type Reader } from '../../runtime/db/lists/paginate.ts'
import { type CountedScope, paginateBuckets } from '../../runtime/db/lists/paginate-buckets.ts'
import { countedTotal } from '../../runtime/db/lists/row-counters.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import { isOrderStatus, type Order, type OrderStatus, orderStatuses } from './order.ts'
import { acknowledgedOrders, allOrders, openOrders, ordersWith, sandboxOrders } from './order-counts.ts'
import { orderColumns } from './order-store.ts'
import { type Sealed, unsealOrders } from './privacy/private-part.ts'

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

/** Over many integrations, in the order in which they were received; nothing of what is sealed. */
export const ordersAcross: AcrossPlan = {
  name: 'orders-across',
  from: 'orders',
  columns: `integration_id, id, remote_id, number, status, remote_status, payment_status, fulfillment_status, currency, total,
    placed_at, ship_by, acknowledged_at, created_at, updated_at`,
  where: 'deleted_at is null',
  keys: [{ column: 'id', type: 'bigint' }],
  filters: {
    status: { column: 'status', type: 'text' },
    number: { column: 'number', type: 'text' },
    remote_status: { column: 'remote_status', type: 'text', match: 'caseless' },
  },
}

/** The same by when they were placed, which is how those of a time are found. */
export const ordersPlacedAcross: AcrossPlan = {
  ...ordersAcross,
  name: 'orders-placed-across',
  where: 'deleted_at is null and placed_at is not null',
  keys: [{ column: 'placed_at', type: 'timestamptz' }, ...ordersAcross.keys],
  filters: {
    ...ordersAcross.filters,
    placed_since: { column: 'placed_at', type: 'timestamptz', match: 'from' },
    placed_until: { column: 'placed_at', type: 'timestamptz', match: 'to' },
  },
}

/**
 * The orders of an integration. Without a filter this is the queue: what has not been acknowledged yet. Who names a
 * status (ours, or the shop's own), a number, a remote id or a person is looking for certain orders and finds them wherever they stand; `acknowledged`
 * (true, false or all) decides it outright.
 */
export async function listOrders<Row extends Order = Order>(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
  plan: ListPlan = orderList,
): Promise<PageOf<Row>> {
  const page = await listOrderRows<Sealed<Row>>(reader, integrationId, query, plan)
  return { rows: await unsealOrders<Row>(reader, page.rows), total: page.total }
}

/** The same in whatever columns, as the database has them. */
export async function listOrderRows<Row>(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
  plan: ListPlan,
): Promise<PageOf<Row>> {
  const { status: statuses, ...filter } = query.filter
  const named = await namedIn(reader, integrationId, filter)
  const which = whichOrders(query.filter)
  if (named) return await listNamed<Row>(reader, integrationId, { ...query, filter }, { plan, statuses, named })
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

/** Somebody is looked for by these: in the index of hashed words, so that they are no columns of the list. */
const personFilters = ['email', 'phone', 'name'] as const

/** Lists of hashed words of which an order must have one each; null where nobody is looked for. */
async function namedIn(reader: Reader, integrationId: number, filter: PageQuery['filter']): Promise<number[][] | null> {
  if (personFilters.every((field) => filter[field] === undefined)) return null
  const key = (await keysForOpening(reader, [integrationId])).get(integrationId)
  const hashed = (sought: PersonSought) => (key ? wordsOfPerson(sought).map((word) => blindWord(key, word)) : [])
  const { email, phone, name } = filter
  return [
    ...(email ? [email.flatMap((one) => hashed({ email: one }))] : []),
    ...(phone ? [phone.flatMap((one) => hashed({ phone: one }))] : []),
    // Every word of it. A comma parts words here, as in "Weber, Anna"; without any word nobody is meant.
    ...(name ? eachOf(hashed({ name: name.join(' ') })) : []),
  ]
}

const eachOf = (words: readonly number[]): number[][] => (words.length > 0 ? words.map((word) => [word]) : [[]])

async function listNamed<Row>(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
  { plan, statuses, named }: { plan: ListPlan; statuses: readonly string[] | undefined; named: number[][] },
): Promise<PageOf<Row>> {
  const { key, sql, params } = scopeOf(integrationId, whichOrders(query.filter))
  const words = named.map(() => 'n.private_words && ?::bigint[]').join(' and ')
  // Looked up by itself and first: orders are few to which the words apply, and none is walked over to find them.
  const found = `id = any(array(select n.id from orders n where n.integration_id = ? and ${words}))`
  const status = statuses ? ' and status = any(?::text[])' : ''
  const scope = {
    key: `${key}-named-${named.length}${statuses ? '-statuses' : ''}`,
    sql: `${sql} and ${found}${status}`,
    params: [...params, integrationId, ...named, ...(statuses ? [statuses.map(knownStatus)] : [])],
  }
  return await paginate<Row>(reader, plan, scope, query)
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
  const page = await paginateBuckets<Sealed<Order>>(reader, orderList, scope, query)
  return { rows: await unsealOrders<Order>(reader, page.rows), total: page.total }
}

type Which = 'all' | 'open' | 'acknowledged'

function whichOrders(filter: PageQuery['filter']): Which {
  const asked = filter['acknowledged']?.at(-1)
  if (asked === 'all') return 'all'
  if (asked === 'true' || asked === '1') return 'acknowledged'
  if (asked === 'false' || asked === '0') return 'open'
  const certain = ['status', 'remote_status', 'number', 'remote_id', ...personFilters].some(
    (name) => filter[name] !== undefined,
  )
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
