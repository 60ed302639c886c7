import { sumOf, unitsOf } from '../../amounts.ts'
import { day, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { cancelOrder, refundOrder, sendParcel } from '../../shop/work-on-order.ts'
import { ordersOn, type World } from '../../world.ts'
import {
  cancelIdOf,
  lineOf,
  orderIdOf,
  orderIndexOf,
  ordersPath,
  ordersUrl,
  orderView,
  parcelIdOf,
  parcelView,
  wantsCancel,
} from './order-view.ts'
import { no, oldNo } from './reply.ts'
import { isSigned } from './signatures.ts'

const millisecond = 1000
const filterPattern = /^lastmodifieddate:\[([^\]]+Z)\.\.([^\]]*)\]$/

export function orderRoutes(world: World): readonly RouteRow[] {
  const { clock } = world
  const { book } = world.shop

  /** What changed within a time, both ends included, to the millisecond; the newest first. */
  function list({ query }: Call): Answer {
    const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)]
    const filter = query.get('filter')
    const [, after, until = ''] = filterPattern.exec(filter ?? '') ?? []
    if (limit < 1 || limit > 200) return no(400, 30_820, 'Invalid limit.')
    const from = filter === null ? clock.now() - 90 * day : momentOf(after ?? '')
    const to = until === '' ? null : momentOf(until)
    if (from === null || (until !== '' && to === null)) return no(400, 30_700, 'Invalid filter.')
    if (from < clock.now() - 730 * day) return no(400, 30_800, 'The start date is more than two years in the past.')
    const changed = { from, before: to === null ? null : to + millisecond }
    const asked: OrderQuery = { sort: 'changed', changed, backwards: true, limit, offset }
    const total = countOrders(book, asked)
    const page = listOrders(book, asked)
    const orders = ordersOn(world, page).map((order) => orderView(order, false))
    return answer(200, { total, limit, offset, orders })
  }

  /** Told twice, a parcel is written down twice, as long as there is something left to be sent. */
  function send(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { trackingNumber, shippingCarrierCode, shippedDate, lineItems } = call.fields()
    const [tracking, carrier] = [textOf(trackingNumber) ?? '', textOf(shippingCarrierCode) ?? '']
    if (!/^[A-Za-z0-9]*$/.test(tracking)) return no(400, 32_720, 'Invalid shipment tracking number.')
    if ((tracking === '') !== (carrier === '')) return no(400, 32_730, 'Tracking number and carrier go together.')
    const lines = rowsOf(lineItems).map(({ lineItemId: id, quantity }) => ({
      ...{ line: lineOf(order.index, id), quantity: wholeOf(quantity) ?? 1 },
    }))
    const worked = sendParcel(book, order, {
      ...{ carrier, trackingNumber: tracking, trackingUrl: null, lines: lines.length === 0 ? null : lines },
      sentAt: momentOf(textOf(shippedDate) ?? '') ?? clock.now(),
    })
    if (!worked.ok) return no(400, 32_110, worked.why)
    const id = orderIdOf(order.index)
    record.effect('shipment.create', id, null, `${id} ${tracking}`)
    const location = `${ordersUrl}/${id}/shipping_fulfillment/${parcelIdOf(worked.value)}`
    return answer(201, undefined, { location })
  }

  function parcels(order: ShopOrder): Answer {
    const fulfillments = order.parcels.map((parcel) => parcelView(order, parcel))
    return answer(200, { fulfillments, total: fulfillments.length })
  }

  /** Of the order as a whole, or of single lines; signed, as all that pays buyers back. */
  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    if (!isSigned(call)) return no(403, 215_001, 'The message signature is missing or could not be verified.')
    const { refundItems, orderLevelRefundAmount, comment } = call.fields()
    const items = rowsOf(refundItems)
    const lines = items.map(({ lineItemId }) => ({
      ...{ line: lineOf(order.index, lineItemId), quantity: 0 },
    }))
    const amounts = items.length > 0 ? items.map(({ refundAmount }) => refundAmount) : [orderLevelRefundAmount]
    const amount = sumOf(amounts, (one) => unitsOf(fieldsOf(one)['value'], order.currency) ?? 0)
    const worked = refundOrder(world.shop, order, { amount, lines, reason: textOf(comment) ?? '', returned: false })
    if (!worked.ok) return no(400, 34_909, worked.why)
    record.effect('refund.create', orderIdOf(order.index))
    return answer(200, { refundId: `${order.index}${worked.value.refund}`, refundStatus: 'PENDING' })
  }

  /** By the older interface, which pays the buyer back as well: the seller lives in the EU and has to sign for that. */
  function cancel(call: Call, record: Recorder, order: ShopOrder | null, reason: string | null): Answer {
    if (!isSigned(call)) return no(403, 215_001, 'The message signature is missing or could not be verified.')
    if (!order) return oldNo(404, 'The order or cancellation was not found.')
    const worked = cancelOrder(book, order, reason)
    if (!worked.ok) return oldNo(400, worked.why)
    if (worked.changed) record.effect('order.cancel', orderIdOf(order.index))
    return answer(200, { cancelId: cancelIdOf(order.index) })
  }
  function cancelNamed(call: Call, record: Recorder): Answer {
    const { legacyOrderId, cancelReason } = call.fields()
    return cancel(call, record, find(String(legacyOrderId)), textOf(cancelReason))
  }
  /** What a buyer has asked for. */
  function approve(call: Call, record: Recorder, id: string): Answer {
    const order = book.get(Number(id) - Number(cancelIdOf(0)))
    return cancel(call, record, order && wantsCancel(order) ? order : null, 'customer')
  }
  function checkCancel(call: Call): Answer {
    const { legacyOrderId } = call.fields()
    const order = find(String(legacyOrderId))
    const eligible = order !== null && order.parcels.length === 0 && order.stage !== 'cancelled'
    const failureReason = eligible ? [] : [order ? 'ORDER_ALREADY_SHIPPED' : 'INVALID_ORDER']
    return answer(200, { eligible, failureReason, legacyOrderId })
  }

  const find = (id: string): ShopOrder | null => book.get(orderIndexOf(id) ?? -1)
  /** Ids that nothing ever had are an error of another kind. */
  const ofOrder = forOne(find, (id) =>
    orderIndexOf(id) === null ? no(400, 32_100, 'Invalid order ID.') : no(404, 32_000, 'Order not found.'),
  )
  const cancellation = '/post-order/v2/cancellation'
  return [
    ['GET', ordersPath, 'orders.list', list],
    ['GET', `${ordersPath}/:id`, 'orders.get', ofOrder((order) => answer(200, orderView(order, true)))],
    ['GET', `${ordersPath}/:id/shipping_fulfillment`, 'shipments.list', ofOrder(parcels)],
    ['POST', `${ordersPath}/:id/shipping_fulfillment`, 'shipments.create', ofOrder(send)],
    ['POST', `${ordersPath}/:id/issue_refund`, 'orders.refund', ofOrder(refund)],
    ['POST', `${cancellation}/check_eligibility`, 'cancellation.check', checkCancel, { writes: false }],
    ['POST', cancellation, 'cancellation.create', cancelNamed],
    ['POST', `${cancellation}/:id/approve`, 'cancellation.approve', (call, record, [id]) => approve(call, record, id)],
  ]
}
