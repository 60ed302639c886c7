import { force } from '../../../commerce/action.ts'
import { notifyCustomer } from '../../../commerce/shipment.ts'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { acknowledgeOrders } from '../../../domain/orders/acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from '../../../domain/orders/cancel-order.ts'
import { isKnownToShop, type Order, ownItem } from '../../../domain/orders/order.ts'
import { listOrderRows, listSandboxOrders, orderList } from '../../../domain/orders/order-list-store.ts'
import { orderRecords } from '../../../domain/orders/order-record-store.ts'
import { changeOrder, findOrder, keptHere } from '../../../domain/orders/order-store.ts'
import { placeOrder } from '../../../domain/orders/place-order.ts'
import { deleteOrder } from '../../../domain/orders/privacy/delete-order-store.ts'
import { invalid } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import {
  flag,
  freeObject,
  id,
  integer,
  list,
  logged,
  maybe,
  object,
  optional,
  partial,
  type Shape,
  text,
} from '../../../lib/validation/fields.ts'
import { listOf, nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { pageOfRecords } from '../../v2/shop-data.ts'
import { acknowledgementSchema, orderSchema, orderView } from '../views/order.ts'
import { gateway } from './group.ts'
import { currency, money, toDecimal } from './money-field.ts'

const item = object({
  sku: logged(text()),
  name: maybe(text()),
  quantity: integer({ minimum: 1, maximum: 1_000_000 }),
  price: money(),
})

const fields = {
  number: maybe(text({ description: 'Order number' })),
  currency: currency(),
  total: money(),
  customer: maybe(freeObject()),
  billing_address: maybe(freeObject()),
  shipping_address: maybe(freeObject()),
  items: list(item, { min: 1, max: 500 }),
  placed_at: maybe(text({ format: 'date-time' })),
}

const newOrder = object({
  remote_id: maybe(logged(text({ description: 'Generated if missing; unique within the integration' }))),
  sandbox: optional(flag('Shows the order among the sandbox orders')),
  ...fields,
})

const orderChanges = partial(object(fields))

const example = {
  remote_id: '1001',
  number: '#1001',
  currency: 'EUR',
  total: '33.25',
  customer: { name: 'Ada', email: 'ada@example.com' },
  items: [{ sku: 'A-1', name: 'Kettle', quantity: 1, price: '33.25' }],
}

const toItem = ({ sku, name, quantity, price }: Shape<typeof item>) =>
  ownItem({ sku, name: name ?? null, quantity, price: toDecimal(price) })

function toInput({ customer, ...body }: Shape<typeof newOrder>) {
  return { ...body, customer: customer ?? {}, total: toDecimal(body.total), items: body.items.map(toItem) }
}

function toChanges({ customer, total, items, ...body }: Shape<typeof orderChanges>) {
  return {
    ...body,
    ...(customer !== undefined && { customer: customer ?? {} }),
    ...(total !== undefined && { total: toDecimal(total) }),
    ...(items && { items: items.map(toItem) }),
  }
}

/** The money and the goods of an order are as the shop says. */
function assertOurs(body: Shape<typeof orderChanges>): void {
  const theirs = Object.keys(body).filter((name) => !keptHere.some((kept) => kept === name))
  if (theirs.length === 0) return
  throw invalid(
    Object.fromEntries(theirs.map((name) => [name, [`The ${name.replaceAll('_', ' ')} field is the shop’s.`]])),
  )
}

interface Finding {
  context: Context
  admitted: Integration
  params: { order: string }
}

const find = ({ context, admitted, params }: Finding) => findOrder(context.db, admitted.id, recordId(params.order))

const sort = ['id', 'created_at', 'updated_at', 'placed_at', 'number', 'status']

const listAll = endpoint({
  group: gateway,
  method: 'GET',
  path: '/orders',
  right: 'read-order',
  summary: 'List orders',
  description:
    'Without a filter: the orders that have not been acknowledged. Choose with `acknowledged=all`, `true` or `false`; filtering by status, number or remote id searches all orders.',
  query: listQuery({
    filter: ['status', 'payment_status', 'fulfillment_status', 'number', 'remote_id', 'sandbox', 'acknowledged'],
    sort,
  }),
  returns: page(orderSchema),
  handle: ({ context, admitted, query }) => pageOfRecords(context, admitted.id, query, orders),
})

/** Fewer columns than there are, and without a filter the queue. */
const orders = {
  ...orderRecords,
  list: listOrderRows,
  plan: orderList,
  name: 'orders-1.0',
  view: (found: readonly Order[]) => found.map(orderView),
}

const listSandbox = endpoint({
  group: gateway,
  method: 'GET',
  path: '/sandbox/orders',
  right: 'read-order',
  summary: 'List sandbox orders',
  query: listQuery({ filter: ['number', 'remote_id'], sort }),
  returns: page(orderSchema),
  handle: async ({ context, admitted, query }) => {
    const { rows, total } = await listSandboxOrders(context.reader, admitted.id, query)
    return { rows: rows.map(orderView), total }
  },
})

const get = endpoint({
  group: gateway,
  method: 'GET',
  path: '/orders/{order}',
  permission: 'read-order',
  summary: 'Get an order',
  find,
  returns: record(orderSchema),
  handle: async ({ found }) => orderView(found),
})

const create = endpoint({
  group: gateway,
  method: 'POST',
  path: '/orders',
  permission: 'create-order',
  summary: 'Create an order',
  description:
    'In the shop, where its service can create orders; `number` is then its reference there, and the shop calculates the total. An order with a `remote_id`, a `placed_at` or `sandbox` is kept here only. `origin` says where it lives.',
  body: newOrder,
  example,
  returns: record(orderSchema),
  handle: async ({ context, admitted, body }) => orderView(await placeOrder(context, admitted, toInput(body))),
})

const update = endpoint({
  group: gateway,
  method: 'PUT',
  path: '/orders/{order}',
  permission: 'update-order',
  summary: 'Update an order',
  description:
    'Fields that are left out keep their values. Of an order from the shop, number, customer and addresses can be changed; they are kept here, and no sync takes them back. The status changes by acknowledging, shipping and cancelling.',
  find,
  body: orderChanges,
  example: { number: '#1001-B' },
  returns: record(orderSchema),
  handle: async ({ context, admitted, found, body }) => {
    if (isKnownToShop(found)) assertOurs(body)
    const changes = toChanges(body)
    return orderView(await context.transaction((trx) => changeOrder(trx, admitted.id, { id: found.id, changes })))
  },
})

const remove = endpoint({
  group: gateway,
  method: 'DELETE',
  path: '/orders/{order}',
  permission: 'delete-order',
  summary: 'Delete an order',
  description:
    'Deletes it here, for good, and at once whatever says who bought it. The shop keeps the order, and no sync brings it back.',
  find,
  returns: nothing,
  handle: ({ context, admitted, found }) => context.transaction((trx) => deleteOrder(trx, admitted.id, found.id)),
})

const acknowledge = endpoint({
  group: gateway,
  method: 'POST',
  path: '/orders/acknowledge',
  right: 'update-order',
  summary: 'Acknowledge orders',
  description:
    'Acknowledged orders leave the default list. Each order has a result of its own; repeating it is harmless.',
  status: 200,
  body: object({ orders: list(id(), { min: 1, max: 1000 }) }),
  example: { orders: [1, 2] },
  returns: listOf(acknowledgementSchema),
  handle: async ({ context, admitted, body }) => {
    const results = await acknowledgeOrders(context, admitted, body.orders)
    return results.map(({ order, error }) => ({
      id: order.id,
      remote_id: order.remote_id,
      status: order.status,
      acknowledged: order.acknowledged_at !== null,
      acknowledged_at: order.acknowledged_at,
      error,
    }))
  },
})

const cancel = endpoint({
  group: gateway,
  method: 'PUT',
  path: '/orders/{order}/cancel',
  right: 'update-order',
  summary: 'Cancel an order',
  description:
    'Also in the shop, where the service can do that. The shop is asked first: an order that has been shipped or refunded there is 422, unless `force` is set.',
  find,
  body: object({ reason: maybe(text()), notify_customer: notifyCustomer, force }),
  example: { reason: 'out of stock' },
  returns: record(orderSchema),
  handle: async ({ context, admitted, found, body }) =>
    orderView(
      await cancelOrder(context, admitted, {
        order: found,
        reason: body.reason ?? null,
        notifyCustomer: body.notify_customer,
        force: body.force,
      }),
    ),
})

export const gatewayOrders = [listAll, acknowledge, listSandbox, get, create, update, remove, cancel]
