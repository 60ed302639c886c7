import type { Db } from '../../runtime/db/connection.ts'
import { emitOf } from '../events/emit-events.ts'
import { type EventType, type NewEvent, newEvent } from '../events/event.ts'
import { markForStock, orderMark } from '../levels/stock-mark-store.ts'
import { sayNews } from '../news-store.ts'
import type { Order, OrderStatus } from './order.ts'

/** What an event says about an order. */
export type EventOrder = Pick<Order, (typeof eventOrderColumns)[number]>

export const eventOrderColumns = [
  'integration_id',
  'id',
  'remote_id',
  'number',
  'status',
  'payment_status',
  'fulfillment_status',
  'currency',
  'total',
  'placed_at',
  'updated_at',
] as const

export interface OrderChange {
  order: EventOrder
  /** Null for an order that was not there. */
  was: OrderStatus | null
  acknowledged?: boolean
  /** The buyer wants it cancelled, and did not before. */
  cancelRequested?: boolean
  /** The buyer wants to send something back, and did not before. */
  returnRequested?: boolean
  /** More has been refunded than before. */
  refunded?: boolean
  deleted?: boolean
}

const types = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'order.cancel_requested',
  'order.return_requested',
  'order.refunded',
  'order.acknowledged',
  'order.deleted',
] as const satisfies readonly EventType[]
type OrderEvent = (typeof types)[number]

/**
 * Emits events of orders in the transaction that changed them, and marks the orders for the stock that the shop shares with
 * others; `changeOf` is asked only if anybody listens.
 */
export async function emitOrders<Row>(
  trx: Db,
  integrationId: number,
  rows: readonly Row[],
  changeOf: (row: Row) => OrderChange | null,
): Promise<void> {
  if (rows.length === 0) return
  sayNews(trx, 'orders', integrationId)
  await emitOf(trx, integrationId, types, rows, (row) => {
    const change = changeOf(row)
    return change ? typesOf(change).map((type) => orderEvent(type, change)) : []
  })
  await markForStock(trx, integrationId, () =>
    rows.flatMap((row) => {
      const change = changeOf(row)
      return change ? [orderMark(change.order.id)] : []
    }),
  )
}

/** Every change is an update; what is special about it is emitted in addition. */
function typesOf({
  order,
  was,
  acknowledged,
  cancelRequested,
  returnRequested,
  refunded,
  deleted,
}: OrderChange): OrderEvent[] {
  if (deleted) return ['order.deleted']
  const wish = cancelRequested ? (['order.cancel_requested'] as const) : []
  if (was === null) return ['order.created', ...wish]
  return [
    'order.updated',
    ...(order.status === 'CANCELLED' && was !== 'CANCELLED' ? (['order.cancelled'] as const) : []),
    ...wish,
    ...(returnRequested ? (['order.return_requested'] as const) : []),
    ...(refunded ? (['order.refunded'] as const) : []),
    ...(acknowledged ? (['order.acknowledged'] as const) : []),
  ]
}

const orderEvent = (type: OrderEvent, { order, was }: OrderChange): NewEvent =>
  newEvent(type, { integrationId: order.integration_id }, { subject: subjectOf(order), data: dataOf(order, was) })

/** Emits events of orders whose acknowledgement is due. Nothing about them has changed. */
export const emitAcknowledgementsDue = (
  trx: Db,
  integrationId: number,
  orders: readonly (EventOrder & { acknowledge_by: string })[],
): Promise<void> =>
  emitOf(trx, integrationId, ['order.acknowledgement_due'], orders, (order) => [
    newEvent(
      'order.acknowledgement_due',
      { integrationId },
      {
        subject: subjectOf(order),
        data: { ...dataOf(order, order.status), acknowledge_by: order.acknowledge_by },
      },
    ),
  ])

export const subjectOf = ({ integration_id: integrationId, id }: Pick<EventOrder, 'integration_id' | 'id'>): string =>
  `order:${integrationId}:${id}`

const dataOf = (order: EventOrder, was: OrderStatus | null) => ({
  id: order.id,
  integration_id: order.integration_id,
  remote_id: order.remote_id,
  number: order.number,
  status: order.status,
  previous_status: was,
  payment_status: order.payment_status,
  fulfillment_status: order.fulfillment_status,
  currency: order.currency,
  total: order.total,
  placed_at: order.placed_at,
  updated_at: order.updated_at,
  href: `/api/2.0/app/orders/${order.id}?integration_id=${order.integration_id}`,
})
