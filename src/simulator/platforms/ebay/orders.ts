import { day, momentOf } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { Parts } from '../../http/route-table.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { cancelOrder, sendParcel } from '../../shop/work-on-order.ts'
import { answer, disturb, type World } from '../../world.ts'
import { cancelIdOf, lineOf, orderIdOf, orderIndexOf } from './ids.ts'
import { orderView, parcelIdOf, parcelView, wantsCancel } from './order-view.ts'
import { no, oldNo } from './reply.ts'
import { isSigned } from './signatures.ts'

export const fulfillment = '/sell/fulfillment/v1'
const base = `https://api.ebay.com${fulfillment}`
const millisecond = 1000
const filterPattern = /^lastmodifieddate:\[([^\]]+Z)\.\.([^\]]*)\]$/

export function createOrders(world: World) {
  const { clock } = world
  const { book } = world.shop
  const orderOf = (id: string): ShopOrder | null => book.get(orderIndexOf(id) ?? -1)
  /** Ids that nothing ever had are an error of another kind. */
  const found = (id: string, use: (order: ShopOrder) => Answer): Answer => {
    const order = orderOf(id)
    if (order) return use(order)
    return orderIndexOf(id) === null ? no(400, 32_100, 'Invalid order ID.') : no(404, 32_000, 'Order not found.')
  }

  /** What changed within a time, both ends included, to the millisecond; the newest first. */
  function list({ query }: Call): Answer {
    const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)]
    const filter = query.get('filter')
    const [, after, until = ''] = filterPattern.exec(filter ?? '') ?? []
    if (limit < 1 || limit > 200) return no(400, 30_820, 'Invalid limit.')
    if (filter !== null && after === undefined) return no(400, 30_700, 'Invalid filter.')
    const from = after === undefined ? clock.now() - 90 * day : momentOf(after)
    const to = until === '' ? null : momentOf(until)
    if (from === null || (until !== '' && to === null)) return no(400, 30_700, 'Invalid filter.')
    if (from < clock.now() - 730 * day) return no(400, 30_800, 'The start date is more than two years in the past.')
    const span = { sort: 'changed', from, before: to === null ? null : to + millisecond } as const
    const read = listOrders(book, { ...span, backwards: true, limit, offset })
    const orders = read.indexes.flatMap((index) => book.get(index) ?? []).map((order) => orderView(order, base, false))
    const total = countOrders(book, span)
    disturb(world, read)
    return answer(200, { href: `${base}/order`, total, limit, offset, orders })
  }

  /** Told twice, a parcel is written down twice, as long as there is something left to be sent. */
  function send(call: Call, record: Recorder, [id]: Parts): Answer {
    return found(id, (order) => {
      const { trackingNumber, shippingCarrierCode, shippedDate, lineItems } = call.fields()
      const [tracking, carrier] = [textOf(trackingNumber) ?? '', textOf(shippingCarrierCode) ?? '']
      if (!/^[A-Za-z0-9]*$/.test(tracking)) return no(400, 32_720, 'Invalid shipment tracking number.')
      if ((tracking === '') !== (carrier === '')) return no(400, 32_730, 'Tracking number and carrier go together.')
      const lines = listOf(lineItems).map((value) => {
        const { lineItemId, quantity } = fieldsOf(value)
        return { line: lineOf(order.index, textOf(lineItemId) ?? ''), quantity: wholeOf(quantity) ?? 1 }
      })
      const worked = sendParcel(book, order, {
        ...{ carrier, trackingNumber: tracking, trackingUrl: null, lines: lines.length === 0 ? null : lines },
        sentAt: momentOf(textOf(shippedDate) ?? '') ?? clock.now(),
      })
      if (!worked.ok) return no(400, 32_110, worked.why)
      record.effect('shipment.create', id, null, `${id} ${tracking}`)
      const location = `${base}/order/${id}/shipping_fulfillment/${parcelIdOf(worked.value)}`
      return answer(201, undefined, { location })
    })
  }

  /** By the older interface, which pays the buyer back as well: the seller lives in the EU and has to sign for that. */
  function cancelled(call: Call, record: Recorder, order: ShopOrder | null, reason: string | null): Answer {
    if (!isSigned(call)) return no(403, 215_001, 'The message signature is missing or could not be verified.')
    if (!order) return oldNo(404, 'The order or cancellation was not found.')
    const worked = cancelOrder(book, order, reason)
    if (!worked.ok) return oldNo(400, worked.why)
    if (worked.changed) record.effect('order.cancel', orderIdOf(order.index))
    return answer(200, { cancelId: cancelIdOf(order.index) })
  }
  const orderIn = (call: Call) => orderOf(textOf(call.fields()['legacyOrderId']) ?? '')

  return {
    list,
    send,
    get: (_: Call, __: Recorder, [id]: Parts) => found(id, (order) => answer(200, orderView(order, base, true))),
    parcels: (_: Call, __: Recorder, [id]: Parts) =>
      found(id, (order) => {
        const fulfillments = order.parcels.map((parcel) => parcelView(order, parcel))
        return answer(200, { fulfillments, total: fulfillments.length })
      }),
    checkCancel(call: Call): Answer {
      const order = orderIn(call)
      const eligible = order !== null && order.parcels.length === 0 && order.stage !== 'cancelled'
      const failureReason = eligible ? [] : [order ? 'ORDER_ALREADY_SHIPPED' : 'INVALID_ORDER']
      return answer(200, { eligible, failureReason, legacyOrderId: call.fields()['legacyOrderId'] })
    },
    cancel: (call: Call, record: Recorder) =>
      cancelled(call, record, orderIn(call), textOf(call.fields()['cancelReason'])),
    approve(call: Call, record: Recorder, [id]: Parts): Answer {
      const order = book.get(Number(id) - Number(cancelIdOf(0)))
      return cancelled(call, record, order && wantsCancel(order) ? order : null, 'customer')
    },
  }
}
