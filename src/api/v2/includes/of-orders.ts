import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { clockOf } from '../../../domain/orders/acknowledge-by.ts'
import {
  findOrderRecord,
  historyOfOrders,
  listOrderRecords,
  type OrderRecord,
  orderChanges,
  rawOrders,
} from '../../../domain/orders/order-record-store.ts'
import { shipmentsOfOrders } from '../../../domain/shipments/shipment-list-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { pageOrChanges, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { ofOneIntegration, readShop, type ShopRead, shopList } from '../shop-data.ts'
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
  summary: 'List orders',
  ...shopList({
    filter: [
      'status',
      'payment_status',
      'fulfillment_status',
      'number',
      'remote_id',
      'sandbox',
      'acknowledged',
      'placed_since',
      'placed_until',
    ],
    sort: ['id', 'created_at', 'updated_at', 'placed_at', 'number', 'status'],
    include,
  }),
  returns: pageOrChanges(orderWithIncludesSchema),
  handle: ({ context, found, query }: ShopRead<Integration>) =>
    readShop<OrderRecord, OrderWithIncludes>(context, found.id, query, {
      page: listOrderRecords,
      changes: orderChanges,
      view: (orders) => viewOrders(context, found, orders, query.include),
    }),
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
  summary: 'Get an order',
  extension: true,
  query: listQuery({ required: ofOneIntegration, sort: [], include }),
  returns: record(orderWithIncludesSchema),
  async handle({ context, found, query }: ShopRead<FoundOrder>): Promise<OrderWithIncludes> {
    const { integration, order } = found
    const [view] = await viewOrders(context, integration, [order], query.include)
    return view ?? orderView(order, clockOf(context, integration))
  },
} as const

/** One read for each kind of related record, however many orders there are. */
async function viewOrders(
  context: Context,
  integration: Integration,
  orders: readonly OrderRecord[],
  wanted: ReadonlySet<string>,
): Promise<OrderWithIncludes[]> {
  const { db } = context
  const integrationId = integration.id
  const clock = clockOf(context, integration)
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
