import { unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, forOne, isAnswer, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { Parcel, ShopOrder } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { indexIn, orderIdOf, partsOf } from './ids.ts'
import {
  dateOf,
  fulfillmentIdOf,
  fulfillmentsOf,
  orderView,
  paymentIdOf,
  priceIn,
  transactionsOf,
  wordsOf,
} from './order-view.ts'
import { cursorOf, endOf, questionIn } from './query.ts'
import { invalid, missing, no } from './reply.ts'

const base = '/ecom/v1'
const most = 100
/** Without being named these are left out. */
const unnamed = ['PENDING', 'REJECTED']

export function orderRoutes({ shop, ...world }: World): readonly RouteRow[] {
  const { book, work, stockroom } = shop
  const find = (id: string) => book.get(indexIn('order', id))
  const ofOrder = forOne(find, missing('Order'))
  const still = ({ index }: ShopOrder): ShopOrder => {
    const found = book.get(index)
    if (!found) throw new RangeError('The order is gone.')
    return found
  }

  function search(call: Call): Answer {
    const question = questionIn(call.fields()['search'], { most, among: ['status'] })
    if (isAnswer(question)) return question
    const { from, limit, after, among } = question
    const wanted = among['status']
    const all = unnamed.every((status) => wanted?.includes(status))
    const isWanted = (index: number) => {
      const order = book.get(index)
      const status = order && wordsOf(order).status
      return status != null && (wanted ? wanted.includes(status) : !unnamed.includes(status))
    }
    const asked: OrderQuery = {
      ...{ sort: 'changed', limit, changed: { from }, test: all ? null : isWanted },
      after: after && { at: Number(after['at']), index: Number(after['index']) },
    }
    const page = listOrders(book, asked)
    const last = page.indexes.at(-1) ?? -1
    const next = page.more ? cursorOf(question, { at: book.updatedAt(last), index: last }) : null
    const orders = ordersOn({ shop, weather: world.weather, clock: world.clock }, page).map(orderView)
    return answer(200, { orders, metadata: endOf(orders.length, next) })
  }

  function cancel(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { customMessage, restockAllItems } = call.fields()
    if (order.stage === 'cancelled') return no(409, 'ORDER_ALREADY_CANCELED', 'Order is already canceled')
    const worked = work.cancel(order, textOf(customMessage))
    if (!worked.ok) return no(428, 'FAILED_PRECONDITION', worked.why)
    record.effect('order.cancel', orderIdOf(order.index))
    for (const { sku, quantity } of restockAllItems === true ? order.lines : []) {
      const variant = stockroom.bySku(sku)
      if (variant) stockroom.setStock(variant, 0, (variant.stock[0] ?? 0) + quantity)
    }
    return answer(200, { order: orderView(still(order)) })
  }

  const some = (call: Call): readonly ShopOrder[] | null => {
    const ids = listOf(call.fields()['orderIds']).map(String)
    return ids.length === 0 || ids.length > most ? null : ids.flatMap((id) => find(id) ?? [])
  }
  const ofSome = (show: (orders: readonly ShopOrder[]) => object) => (call: Call) => {
    const orders = some(call)
    return orders ? answer(200, show(orders)) : invalid(`orderIds must have size between 1 and ${most}`)
  }

  /** Lines without a quantity are meant whole, as far as nothing of them has been sent. */
  const linesIn = (order: ShopOrder, value: unknown): Parcel['lines'] =>
    rowsOf(value).map(({ id, quantity }) => {
      const named = partsOf('line', String(id))
      const line = order.lines.find((one) => named?.index === order.index && one.line === named.part)
      return { line: line?.line ?? -1, quantity: wholeOf(quantity) ?? (line ? line.quantity - line.sent : 1) }
    })

  function trackingIn(value: unknown) {
    const { trackingNumber, shippingProvider, trackingLink } = fieldsOf(value)
    const [number, carrier] = [textOf(trackingNumber), textOf(shippingProvider)]
    return number && carrier ? { trackingNumber: number, carrier, trackingUrl: textOf(trackingLink) } : null
  }

  function send(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { lineItems, trackingInfo } = fieldsOf(call.fields()['fulfillment'])
    const tracking = trackingIn(trackingInfo)
    if (tracking === null) return invalid('trackingNumber and shippingProvider go together')
    if (wordsOf(order).status !== 'APPROVED') return no(428, 'ORDER_NOT_APPROVED', 'Order is not approved')
    if (order.parcels.some(({ trackingNumber }) => trackingNumber === tracking.trackingNumber))
      return no(409, 'TRACKING_NUMBER_ALREADY_EXISTS', 'Tracking number already exists')
    const worked = work.send(order, { ...tracking, lines: linesIn(order, lineItems), beforePaid: true })
    if (!worked.ok) return no(400, 'INVALID_LINE_ITEMS', worked.why)
    const fulfillmentId = fulfillmentIdOf(order.index, worked.value.parcel)
    record.effect('shipment.create', fulfillmentId, null, `${order.index} ${tracking.trackingNumber}`)
    return answer(200, { orderWithFulfillments: fulfillmentsOf(still(order)), fulfillmentId })
  }

  const ofFulfillment = forOne((id, orderId) => {
    const order = find(orderId)
    const parcel = order?.parcels.find((one) => fulfillmentIdOf(order.index, one.parcel) === id)
    return order && parcel ? { order, parcel } : null
  }, missing('Fulfillment'))
  const amend = ofFulfillment(({ order, parcel }, call, record, [id]) => {
    const tracking = trackingIn(fieldsOf(call.fields()['fulfillment'])['trackingInfo'])
    if (tracking === null) return invalid('trackingNumber and shippingProvider go together')
    const worked = work.amend(order, parcel, tracking)
    if (worked.ok && worked.changed) record.effect('shipment.amend', id)
    return answer(200, { orderWithFulfillments: fulfillmentsOf(still(order)) })
  })
  const remove = ofFulfillment(({ order, parcel }, _, record, [id]) => {
    work.takeBack(order, parcel)
    record.effect('shipment.cancel', id)
    return answer(200, { orderWithFulfillments: fulfillmentsOf(still(order)) })
  })

  const refundability = (call: Call): Answer => {
    const order = find(String(call.fields()['orderId']))
    if (!order) return missing('Order')
    const price = priceIn(order.currency)
    const left = order.stage === 'unpaid' ? 0 : order.total - order.refunded
    const payment = { paymentId: paymentIdOf(order.index), monetary: { maxRefund: price(left) } }
    return answer(200, { payments: left > 0 ? [{ payment, refundable: true }] : [], lineItems: [] })
  }

  function refund(call: Call, record: Recorder): Answer {
    const { orderId, paymentRefunds, refundItems, sideEffects, customerReason } = call.fields()
    const order = find(String(orderId))
    if (!order) return missing('Order')
    const [asked, ...more] = rowsOf(paymentRefunds)
    if (!asked || more.length > 0 || asked['paymentId'] !== paymentIdOf(order.index))
      return no(404, 'PAYMENT_NOT_FOUND', 'Payment not found')
    const lines = rowsOf(fieldsOf(refundItems)['lineItems']).map(({ lineItemId, quantity }) => ({
      id: lineItemId,
      quantity,
    }))
    const amount = unitsOf(fieldsOf(asked['amount'])['amount'], order.currency)
    if (amount === null) return invalid('amount is not valid')
    const reason = textOf(customerReason) ?? ''
    const returned = rowsOf(fieldsOf(fieldsOf(sideEffects)['restock'])['lineItems']).length > 0
    const worked = work.refund(order, { amount, lines: linesIn(order, lines), reason, returned })
    if (!worked.ok) return no(428, 'FAILED_PRECONDITION', worked.why)
    record.effect('refund.create', orderIdOf(order.index))
    return answer(200, { refund: transactionsOf(still(order)).refunds.at(-1), at: dateOf(worked.value.at) })
  }

  const reads = { writes: false } as const
  const fulfillments = `${base}/fulfillments`
  return [
    ['POST', `${base}/orders/search`, 'orders.search', search, reads],
    ['GET', `${base}/orders/:id`, 'orders.get', ofOrder((order) => answer(200, { order: orderView(order) }))],
    ['POST', `${base}/orders/:id/cancel`, 'orders.cancel', ofOrder(cancel)],
    [
      ...(['POST', `${fulfillments}/list-by-ids`, 'fulfillments.list'] as const),
      ofSome((orders) => ({ ordersWithFulfillments: orders.map(fulfillmentsOf) })),
      reads,
    ],
    [
      ...(['GET', `${fulfillments}/orders/:id`, 'fulfillments.get'] as const),
      ofOrder((order) => answer(200, { orderWithFulfillments: fulfillmentsOf(order) })),
    ],
    ['POST', `${fulfillments}/orders/:id/create-fulfillment`, 'fulfillments.create', ofOrder(send)],
    ['PATCH', `${fulfillments}/:id/orders/:order`, 'fulfillments.update', amend],
    ['DELETE', `${fulfillments}/:id/orders/:order`, 'fulfillments.delete', remove],
    [
      ...(['POST', `${base}/payments/list-by-ids`, 'payments.list'] as const),
      ofSome((orders) => ({ orderTransactions: orders.map(transactionsOf) })),
      reads,
    ],
    ['POST', `${base}/order-billing/get-order-refundability`, 'billing.refundability', refundability, reads],
    ['POST', `${base}/order-billing/refund-payments`, 'billing.refund', refund],
  ]
}
