import { type Static, Type } from 'typebox'
import { force } from '../../../commerce/action.ts'
import type { AcknowledgementClock } from '../../../commerce/connector/parts.ts'
import { lineCancellationFields, refundFields } from '../../../commerce/refund.ts'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { clockOf } from '../../../domain/orders/acknowledgement/acknowledge-by.ts'
import { acknowledgeOrders } from '../../../domain/orders/acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from '../../../domain/orders/cancel-order.ts'
import { fetchOrder } from '../../../domain/orders/fetch-order.ts'
import {
  findOrderRecord,
  type OrderRecord,
  orderRecords,
  rawOrders,
} from '../../../domain/orders/order-record-store.ts'
import { historyOfOrders } from '../../../domain/orders/privacy/history-store.ts'
import { cancelOrderLines, refundOrder } from '../../../domain/orders/refunds/refund-order.ts'
import { shipmentsOfOrders } from '../../../domain/shipments/shipment-list-store.ts'
import { invalidField } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import { list, maybe, object } from '../../../lib/validation/fields.ts'
import { pageOrChanges, type RequestFacts, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { ofOneIntegration, readRecords, type ShopRead, shopList } from '../shop-data.ts'
import { workKeyOf } from '../views/action.ts'
import { historySchema, historyView, orderSchema, orderView } from '../views/order.ts'
import { shipmentSchema, shipmentView } from '../views/shipment.ts'

const include = ['shipments', 'history', 'raw']

const orderWithIncludesSchema = Type.Object({
  ...orderSchema.properties,
  shipments: Type.Optional(Type.Array(shipmentSchema)),
  history: Type.Optional(Type.Array(historySchema, { description: 'Oldest first' })),
  raw: Type.Optional(Type.Unsafe<unknown>({ description: 'The original record of the shop' })),
})

type OrderWithIncludes = Static<typeof orderWithIncludesSchema>

export const orderList = {
  method: 'GET',
  path: '/orders',
  right: 'read-order',
  summary: 'List orders',
  ...shopList({
    filter: [
      'status',
      'payment_status',
      'fulfillment_status',
      'remote_status',
      'number',
      'remote_id',
      'email',
      'phone',
      'name',
      'sandbox',
      'acknowledged',
      'placed_since',
      'placed_until',
    ],
    sort: ['id', 'created_at', 'updated_at', 'placed_at', 'number', 'status'],
    include,
  }),
  returns: pageOrChanges(orderWithIncludesSchema),
  handle({ context, found, query }: ShopRead<Integration>) {
    const clock = clockOf(context, found)
    return readRecords<OrderRecord, OrderWithIncludes>(context, found.id, query, {
      ...orderRecords,
      name: 'orders',
      shownBy: clock,
      view: (orders) => viewOrders(context, { id: found.id, clock }, orders, query.include),
    })
  },
} as const

interface FoundOrder {
  integration: Integration
  order: OrderRecord
}

export const findOrderOf = async ({ db }: Context, integration: Integration, order: string): Promise<FoundOrder> => ({
  integration,
  order: await findOrderRecord(db, integration.id, recordId(order)),
})

export const oneOrder = {
  method: 'GET',
  path: '/orders/{order}',
  right: 'read-order',
  summary: 'Get an order',
  extension: true,
  query: listQuery({ required: ofOneIntegration, sort: [], include }),
  returns: record(orderWithIncludesSchema),
  async handle({ context, found, query }: ShopRead<FoundOrder>): Promise<OrderWithIncludes> {
    const { integration, order } = found
    const [view] = await viewOrders(context, withClock(context, integration), [order], query.include)
    return view ?? orderView(order, clockOf(context, integration))
  },
} as const

/** What changes an order answers with the order as it is then. */
export const changedOrder = {
  method: 'POST',
  right: 'update-order',
  resumes: () => true,
  changesElsewhere: () => true,
  extension: true,
  query: listQuery({ required: ofOneIntegration, sort: [] }),
  returns: record(orderSchema),
} as const

export interface OrderWrite<Body> {
  context: Context
  found: FoundOrder
  body: Body
  caller: { subject: string; keysOf?: string }
  request: RequestFacts
}

export const shownNow = async (
  context: Context,
  { integration, order }: FoundOrder,
): Promise<Static<typeof orderSchema>> =>
  orderView(await findOrderRecord(context.db, integration.id, order.id), clockOf(context, integration))

const noBody = object({})

export const orderFetch = {
  ...changedOrder,
  right: 'run-action',
  changesElsewhere: () => false,
  path: '/orders/{order}/fetch',
  summary: 'Fetch an order from the shop again',
  description:
    'Whatever the date of its last change says: what the shop has of it now is stored here. Answers with the order.',
  status: 200,
  body: noBody,
  example: {},
  handle: async ({ context, found }: OrderWrite<Static<typeof noBody>>) => {
    await fetchOrder(context, found.integration, found.order)
    return await shownNow(context, found)
  },
} as const

export const orderAcknowledge = {
  ...changedOrder,
  path: '/orders/{order}/acknowledge',
  summary: 'Acknowledge an order',
  description:
    'Takes it out of the queue of those that nobody has taken yet (`acknowledged=false`). A platform that expects it is told first; what it refuses is 422, and the order stays in the queue. Doing it twice changes nothing. Answers with the order.',
  status: 200,
  body: noBody,
  example: {},
  handle: async ({ context, found }: OrderWrite<Static<typeof noBody>>) => {
    const [result] = await acknowledgeOrders(context, found.integration, [found.order.id])
    if (result?.error) throw invalidField('order', result.error)
    return await shownNow(context, found)
  },
} as const

const refundBody = object({ ...refundFields, force })

export const orderRefund = {
  ...changedOrder,
  path: '/orders/{order}/refunds',
  summary: 'Refund an order in the shop',
  description:
    'An `amount`, or `lines` with quantities, for which the amount is worked out; what the platform can do is in the capabilities of the service (`refund_by`, `refund_restock`). The shop is asked first: an unpaid or refunded order, a line that it does not have and more than is left to refund are 422. Send an `Idempotency-Key`: the same request pays back once. Answers with the order.',
  body: refundBody,
  example: { lines: [{ order_line_remote_id: '1001-1', quantity: 1 }], restock: true, reason: 'damaged' },
  handle: async ({ context, found, body, caller, request }: OrderWrite<Static<typeof refundBody>>) => {
    const { force, ...draft } = body
    const workKey = workKeyOf(caller, request)
    await refundOrder(context, found.integration, { order: found.order, draft, force, workKey })
    return await shownNow(context, found)
  },
} as const

const cancelBody = object({
  ...lineCancellationFields,
  lines: maybe(list(lineCancellationFields.lines.items, { max: 500, description: 'The whole order without them.' })),
  force,
})

export const orderCancel = {
  ...changedOrder,
  path: '/orders/{order}/cancel',
  summary: 'Cancel an order, or lines of it, in the shop',
  description:
    'The shop is asked first: an order that has been shipped or refunded there is 422 unless `force` is set, and so is more of a line than is left to cancel, always. Single lines can be cancelled where the capabilities of the service say so (`cancel_lines`). Answers with the order.',
  status: 200,
  body: cancelBody,
  example: { lines: [{ order_line_remote_id: '1001-1', quantity: 1 }], reason: 'out of stock' },
  handle: async ({ context, found, body, caller, request }: OrderWrite<Static<typeof cancelBody>>) => {
    const { force, lines, reason = null, notify_customer } = body
    const { integration, order } = found
    if (lines && lines.length > 0) {
      const draft = { lines, reason, ...(notify_customer !== undefined && { notify_customer }) }
      await cancelOrderLines(context, integration, { order, draft, force, workKey: workKeyOf(caller, request) })
    } else {
      await cancelOrder(context, integration, { order, reason, notifyCustomer: notify_customer, force })
    }
    return await shownNow(context, found)
  },
} as const

const withClock = (context: Context, integration: Integration) => ({
  id: integration.id,
  clock: clockOf(context, integration),
})

/** One read for each kind of related record, however many orders there are. */
export async function viewOrders(
  { db }: Pick<Context, 'db'>,
  { id: integrationId, clock }: { id: number; clock: AcknowledgementClock | null },
  orders: readonly OrderRecord[],
  wanted: ReadonlySet<string>,
): Promise<OrderWithIncludes[]> {
  const ids = orders.map(({ id }) => id)
  const [shipments, history, raw] = await Promise.all([
    wanted.has('shipments') ? shipmentsOfOrders(db, integrationId, ids) : null,
    wanted.has('history') ? historyOfOrders(db, integrationId, ids) : null,
    wanted.has('raw') ? rawOrders(db, integrationId, ids) : null,
  ])
  const shipmentsOf = shipments && Map.groupBy(shipments, (shipment) => shipment.order_id)
  const historyOf = history && Map.groupBy(history, (entry) => entry.order_id)
  const rawOf = raw && new Map(raw.map(({ id, remote_payload }) => [id, remote_payload]))
  return orders.map((order) => ({
    ...orderView(order, clock),
    ...(shipmentsOf && { shipments: (shipmentsOf.get(order.id) ?? []).map(shipmentView) }),
    ...(historyOf && { history: (historyOf.get(order.id) ?? []).map(historyView) }),
    ...(rawOf && { raw: rawOf.get(order.id) ?? null }),
  }))
}
