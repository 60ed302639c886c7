import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import { hoursAfter } from '../../lib/timestamp.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { countRows, lockCounted } from '../../runtime/db/lists/row-counters.ts'
import { keyForSealing } from '../../runtime/db/vault/vault.ts'
import {
  type HistorySource,
  type Order,
  type OrderInput,
  type OrderItem,
  type OrderStatus,
  withoutPrivate,
} from './order.ts'
import { countOrder, type OrderPlace } from './order-counts.ts'
import { type EventOrder, emitOrders, eventOrderColumns } from './order-events.ts'
import { addHistory } from './privacy/history-store.ts'
import { type Sealed, sealPart, unsealOrder, unsealOrders } from './privacy/private-part.ts'

/** Orders of one integration. Every statement names the integration: it is the tenant, and the key of the shard. */

/** What only a shop can say. */
export const orderDetailColumns = [
  'payment_status',
  'fulfillment_status',
  'hold_reason',
  'subtotal',
  'discount_total',
  'shipping_total',
  'tax_total',
  'fee_total',
  'refunded_total',
  'prices_include_tax',
  'shipping_method',
  'note',
  'admin_url',
  'ship_by',
  'service_level',
  'fulfilled_by',
  'sales_channel',
  'presentment',
  'purchase_order',
  'tax_ids',
  'attributes',
  'tags',
  'cancel_requested',
  'incomplete',
  'fees',
  'refunds',
  'returns',
] as const

export const orderColumns = [
  'integration_id',
  'id',
  'remote_id',
  'number',
  'status',
  'currency',
  'total',
  'customer',
  'billing_address',
  'shipping_address',
  'items',
  ...orderDetailColumns,
  'sandbox',
  'remote_version',
  'private',
  'placed_at',
  'acknowledged_at',
  'cancelled_at',
  'created_at',
  'updated_at',
] as const

const everyOrderOf = (db: Db, integrationId: number) =>
  db.selectFrom('orders').select(orderColumns).where('integration_id', '=', integrationId).$castTo<Sealed<Order>>()

const ordersOf = (db: Db, integrationId: number) => everyOrderOf(db, integrationId).where('deleted_at', 'is', null)

export const findOrder = async (db: Db, integrationId: number, id: number): Promise<Order> =>
  await unsealOrder(db, await ordersOf(db, integrationId).where('id', '=', id).executeTakeFirstOrThrow(notFound))

export const orderByRemoteId = async (db: Db, integrationId: number, remoteId: string): Promise<Order> =>
  await unsealOrder(
    db,
    await ordersOf(db, integrationId).where('remote_id', '=', remoteId).executeTakeFirstOrThrow(notFound),
  )

/** Those of the ids that are orders of this integration. */
export const ordersByIds = async (db: Db, integrationId: number, ids: readonly number[]): Promise<Order[]> =>
  await unsealOrders<Order>(
    db,
    await ordersOf(db, integrationId)
      .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
      .execute(),
  )

/** Deleted or not. */
export async function anyOrdersByIds(db: Db, integrationId: number, ids: readonly number[]): Promise<Order[]> {
  if (ids.length === 0) return []
  const rows = await everyOrderOf(db, integrationId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
  return await unsealOrders<Order>(db, rows)
}

/** Null if the remote id is taken, even by an order that was deleted here: the shop may still report that one. */
export async function insertOrder(
  trx: Db,
  integrationId: number,
  input: OrderInput & { id: number; remote_id: string },
): Promise<Order | null> {
  if ((await lockCounted(trx, integrationId)) === null) throw notFound()
  const { customer, billing_address, shipping_address, items, ...rest } = input
  const key = await keyForSealing(trx, integrationId)
  const whole = {
    ...withoutPrivate({ items, refunds: [], returns: [] }),
    ...{ items, customer: customer ?? {} },
    ...{ billing_address: billing_address ?? null, shipping_address: shipping_address ?? null },
  }
  const row = await trx
    .insertInto('orders')
    .values({
      ...rest,
      ...{ integration_id: integrationId, status: 'PENDING', items: JSON.stringify(withoutPrivate(whole).items) },
      ...sealPart(key, { integrationId, remoteId: input.remote_id }, whole),
    })
    .onConflict((conflict) => conflict.columns(['integration_id', 'remote_id']).doNothing())
    .returning(orderColumns)
    .$castTo<Sealed<Order>>()
    .executeTakeFirst()
  if (!row) return null
  const order = await unsealOrder(trx, row)
  await countRows(trx, integrationId, countOrder(null, placeOf(order)))
  await addHistory(trx, integrationId, [{ order_id: order.id, status: order.status, source: 'api' }])
  await emitOrders(trx, integrationId, [order], () => ({ order, was: null }))
  return order
}

/** What may be changed here of an order that came from the shop: no sync takes it back. The rest is the shop's. */
export const keptHere = ['number', 'customer', 'billing_address', 'shipping_address'] as const

export type OrderChanges = Partial<Omit<OrderInput, 'remote_id'>>

export async function changeOrder(
  trx: Db,
  integrationId: number,
  input: { id: number; changes: OrderChanges },
): Promise<Order> {
  const { sandbox: _fixed, customer, billing_address, shipping_address, items, ...rest } = input.changes
  const kept = keptHere.filter((column) => input.changes[column] !== undefined)
  const { orders } = await lockOrders(trx, integrationId, [input.id])
  const [held] = orders
  if (!held) throw notFound()
  const whole = {
    ...held,
    ...(customer !== undefined && { customer }),
    ...(billing_address !== undefined && { billing_address }),
    ...(shipping_address !== undefined && { shipping_address }),
    ...(items !== undefined && { items: withGone(items, held.items) }),
  }
  const key = await keyForSealing(trx, integrationId)
  const row = await trx
    .updateTable('orders')
    .set({
      ...rest,
      ...clearColumns(whole),
      ...sealPart(key, { integrationId, remoteId: held.remote_id }, whole),
      kept_here: sql<string[]>`array(select distinct unnest(kept_here || ${kept}::text[]))`,
      updated_at: sql<string>`now()`,
    })
    .where('integration_id', '=', integrationId)
    .where('id', '=', input.id)
    .where('deleted_at', 'is', null)
    .returning(orderColumns)
    .$castTo<Sealed<Order>>()
    .executeTakeFirstOrThrow(notFound)
  const order = await unsealOrder(trx, row)
  await emitOrders(trx, integrationId, [order], () => ({ order, was: order.status }))
  return order
}

/** Whoever writes lines anew says nothing of what has left of an article: that stays with it. */
function withGone(items: readonly OrderItem[], before: readonly OrderItem[]): OrderItem[] {
  const gone = new Map<string | null, number>()
  for (const { sku, quantity_fulfilled: count } of before) gone.set(sku, (gone.get(sku) ?? 0) + count)
  return items.map((item) => {
    const count = Math.min(item.quantity, gone.get(item.sku) ?? 0)
    gone.set(item.sku, (gone.get(item.sku) ?? 0) - count)
    return { ...item, quantity_fulfilled: count }
  })
}

/** The columns beside the sealed part, without anything of it. */
function clearColumns(whole: Pick<Order, 'items' | 'refunds' | 'returns'>) {
  const { items, refunds, returns, ...rest } = withoutPrivate(whole)
  const empty = { tax_ids: '[]', attributes: '[]', tags: '[]' }
  return {
    ...rest,
    items: JSON.stringify(items),
    refunds: JSON.stringify(refunds),
    returns: JSON.stringify(returns),
    ...empty,
  }
}

/** How far an order has been sent, as its parcels say; what the shop has said beyond that stays. */
export async function setFulfillment(
  trx: Db,
  integrationId: number,
  input: {
    order: Order
    status: 'unfulfilled' | 'partial' | 'fulfilled'
    items: readonly OrderItem[]
    quietly: boolean
  },
): Promise<void> {
  const { order, items } = input
  const isOpen = order.fulfillment_status === null || openFulfillment.includes(order.fulfillment_status)
  const status = isOpen ? input.status : order.fulfillment_status
  if (status === order.fulfillment_status && JSON.stringify(items) === JSON.stringify(order.items)) return
  const clear = JSON.stringify(withoutPrivate({ ...order, items }).items)
  const changed = await trx
    .updateTable('orders')
    .set({
      fulfillment_status: status,
      // What the buyer asked for with a line is sealed, by the place of the line.
      items: sql<string>`case when private is null then ${JSON.stringify(items)}::jsonb else ${clear}::jsonb end`,
      updated_at: sql<string>`now()`,
    })
    .where('integration_id', '=', integrationId)
    .where('id', '=', order.id)
    .returning(eventOrderColumns)
    .$castTo<EventOrder>()
    .executeTakeFirstOrThrow(notFound)
  if (!input.quietly) await emitOrders(trx, integrationId, [changed], () => ({ order: changed, was: changed.status }))
}

const openFulfillment: readonly string[] = ['unfulfilled', 'partial']

/** Long enough for feeds that a platform works on by and by. */
const hoursUnderWay = 1

export interface OrderMove {
  id: number
  status: OrderStatus
  /** Whether the shop has been notified, and so will show it. A status that it cannot be notified of stays ours. */
  inShop: boolean
  acknowledge?: boolean
  note?: string | null
  source: HistorySource
}

/** Moves orders that `lockOrders` has read in the same transaction. The caller has checked that the moves are legal. */
export async function moveOrders(
  trx: Db,
  integrationId: number,
  held: HeldOrders,
  moves: readonly OrderMove[],
): Promise<Order[]> {
  if (moves.length === 0) return []
  const wanted = moves.map(({ id, status, inShop, acknowledge = false }) => ({
    id,
    status,
    inshop: inShop,
    acknowledge,
  }))
  const { rows } = await sql<Sealed<Order>>`
    update orders o
    set status = r.status,
      acknowledged_at = case when r.acknowledge then coalesce(o.acknowledged_at, ${held.at}::timestamptz) else o.acknowledged_at end,
      cancelled_at = case when r.status = 'CANCELLED' then coalesce(o.cancelled_at, ${held.at}::timestamptz) else o.cancelled_at end,
      moved_here_until = case when r.status = o.status then o.moved_here_until
        when r.inshop then ${hoursAfter(held.at, hoursUnderWay)}::timestamptz else 'infinity' end,
      updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) r(id bigint, status text, inshop boolean, acknowledge boolean)
    where o.integration_id = ${integrationId} and o.id = r.id and o.deleted_at is null
    returning ${sql.raw(orderColumns.map((column) => `o.${column}`).join(', '))}`.execute(trx)
  const moved = await unsealOrders<Order>(trx, rows)
  const before = new Map(held.orders.map((order) => [order.id, order]))
  const changes = moved.map((order) => ({ order, was: before.get(order.id) }))
  await countRows(
    trx,
    integrationId,
    changes.flatMap(({ order, was }) => (was ? countOrder(placeOf(was), placeOf(order)) : [])),
  )
  const byId = new Map(moves.map((move) => [move.id, move]))
  await addHistory(
    trx,
    integrationId,
    changes.flatMap(({ order, was }) => {
      const move = byId.get(order.id)
      if (!move || was?.status === order.status) return []
      return [{ order_id: order.id, status: order.status, source: move.source, note: move.note ?? null }]
    }),
  )
  await emitOrders(trx, integrationId, changes, ({ order, was }) => ({
    order,
    was: was?.status ?? order.status,
    acknowledged: was?.acknowledged_at === null && order.acknowledged_at !== null,
  }))
  return moved
}

export interface HeldOrders {
  orders: Order[]
  /** The transaction's time. */
  at: string
}

/** The orders as they are, and nobody else changes them until the transaction ends. */
export async function lockOrders(trx: Db, integrationId: number, ids: readonly number[]): Promise<HeldOrders> {
  const at = await lockCounted(trx, integrationId)
  if (at === null) throw notFound()
  return { orders: await ordersByIds(trx, integrationId, ids), at }
}

export const placeOf = (order: Order): OrderPlace => ({
  id: order.id,
  status: order.status,
  acknowledged: order.acknowledged_at !== null,
  sandbox: order.sandbox,
  deleted: false,
})
