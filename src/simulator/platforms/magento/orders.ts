import { unitsOf } from '../../amounts.ts'
import { momentOf, type Span } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, isAnswer, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listBySecond, listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { amendParcel, cancelOrder, refundOrder, sendParcel } from '../../shop/work-on-order.ts'
import { ordersOn, type World } from '../../world.ts'
import { lineOf, memoView, orderIdOf, orderIndexOf, orderView, shipmentIdOf, shipmentView } from './order-views.ts'
import { type Criteria, criteriaIn, found, isFound, noEntity, offsetWithin, refusal, searchAmong } from './search.ts'
import { locationOf } from './sources.ts'

export function orderRoutes(world: World): readonly RouteRow[] {
  const { book } = world.shop

  function list(call: Call): Answer {
    const criteria = criteriaIn(call)
    if (isAnswer(criteria)) return criteria
    const byChange = criteria.sorts[0] === 'updated_at'
    const { rest, ...span } = byChange ? spanIn(criteria) : { rest: criteria.groups }
    const test = (index: number) =>
      isFound(rest, (field) => (field === 'entity_id' ? orderIdOf(index) : fieldsOf(shown(index))[field]))
    const shown = (index: number) => {
      const order = book.get(index)
      return order && orderView(order)
    }
    const query = { changed: span, test: rest.length === 0 ? null : test }
    const total = countOrders(book, { ...query, sort: 'changed' })
    const page = { ...query, offset: offsetWithin(criteria, total), limit: criteria.size }
    const read = byChange ? listBySecond(book, page) : listOrders(book, { ...page, sort: 'placed' })
    return found(call, criteria, ordersOn(world, read).map(orderView), total)
  }

  /** Asked for by their orders. */
  const partsOf =
    (rowsOf: (order: ShopOrder) => Fields[]) =>
    (call: Call): Answer => {
      const criteria = criteriaIn(call)
      if (isAnswer(criteria)) return criteria
      const named = criteria.groups.flat().find(({ field }) => field === 'order_id')?.value ?? ''
      const orders = named.split(',').flatMap((id) => book.get(orderIndexOf(id)) ?? [])
      return searchAmong(call, orders.flatMap(rowsOf), (row) => row)
    }
  const shipments = partsOf((order) => order.parcels.map((parcel) => shipmentView(order, parcel)))
  const memos = partsOf((order) => order.refunds.map((refund) => memoView(order, refund)))

  /** What is paid back of lines comes back to stock if it is said; of none of them an amount goes back. */
  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { items, arguments: further, comment } = call.fields()
    const { adjustment_positive: amount, extension_attributes: more } = fieldsOf(further)
    const lines = rowsOf(items)
      .map(({ order_item_id: id, qty }) => ({ line: lineOf(order.index, Number(id)), quantity: wholeOf(qty) ?? 0 }))
      .filter(({ quantity }) => quantity > 0)
    const worked = refundOrder(world.shop, order, {
      ...{ amount: lines.length > 0 ? null : unitsOf(amount, order.currency), lines },
      ...{
        reason: textOf(fieldsOf(comment)['comment']) ?? '',
        returned: fieldsOf(more)['return_to_stock_items'] !== undefined,
      },
    })
    if (!worked.ok) return refusal(400, 'Creditmemo Document Validation Error(s):\n%1', [worked.why])
    record.effect('refund.create', String(orderIdOf(order.index)))
    return answer(200, orderIdOf(order.index) * 10 + worked.value.refund)
  }

  /** Without items everything that is left goes. */
  function ship(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { items, tracks, arguments: further } = call.fields()
    const { title, track_number: number } = rowsOf(tracks)[0] ?? {}
    const trackingNumber = textOf(number) ?? ''
    const source = fieldsOf(fieldsOf(further)['extension_attributes'])['source_code']
    const lines = rowsOf(items).map(({ order_item_id: id, qty }) => ({
      ...{ line: lineOf(order.index, Number(id)), quantity: wholeOf(qty) ?? 0 },
    }))
    const worked = sendParcel(book, order, {
      ...{ carrier: textOf(title) ?? '', trackingNumber, trackingUrl: null, sentAt: world.clock.now() },
      ...{ place: Math.max(0, locationOf(source)), lines: Array.isArray(items) ? lines : null },
    })
    if (!worked.ok) return refusal(400, 'Shipment Document Validation Error(s):\n%1', [worked.why])
    record.effect('shipment.create', String(orderIdOf(order.index)), null, `${order.index} ${trackingNumber}`)
    return answer(200, shipmentIdOf(order.index, worked.value))
  }

  /** Another number for a shipment; the imitation keeps one, and gives it the number that came last. */
  function track(call: Call, record: Recorder): Answer {
    const { order_id, parent_id, track_number, title } = fieldsOf(call.fields()['entity'])
    const order = book.get(orderIndexOf(String(order_id)))
    const parcel = order?.parcels.find((one) => shipmentIdOf(order.index, one) === parent_id)
    const trackingNumber = textOf(track_number)
    if (!order || !parcel || trackingNumber === null) return noEntity()
    const worked = amendParcel(book, order, parcel, { carrier: textOf(title) ?? '', trackingNumber, trackingUrl: null })
    if (worked.ok && worked.changed) record.effect('shipment.amend', String(orderIdOf(order.index)))
    return answer(200, { ...fieldsOf(call.fields()['entity']), entity_id: parent_id })
  }

  /** What is paid is not cancelled any more; the platform just says no. */
  function cancel(order: ShopOrder, _: Call, record: Recorder): Answer {
    if (order.stage !== 'unpaid' || !cancelOrder(book, order, null).ok) return answer(200, false)
    record.effect('order.cancel', String(orderIdOf(order.index)))
    return answer(200, true)
  }

  const ofOrder = forOne((id) => book.get(orderIndexOf(id)), noEntity)
  return [
    ['GET', '/V1/orders', 'orders.list', list],
    ['GET', '/V1/orders/:id', 'orders.get', ofOrder((order) => answer(200, orderView(order)))],
    ['POST', '/V1/orders/:id/cancel', 'orders.cancel', ofOrder(cancel)],
    ['POST', '/V1/order/:id/ship', 'orders.ship', ofOrder(ship)],
    ['POST', '/V1/order/:id/refund', 'orders.refund', ofOrder(refund)],
    ['GET', '/V1/creditmemos', 'creditmemos.list', memos],
    ['GET', '/V1/invoices', 'invoices.list', partsOf(() => [])],
    ['GET', '/V1/shipments', 'shipments.list', shipments],
    ['POST', '/V1/shipment/track', 'tracks.create', track],
    ['DELETE', '/V1/shipment/track/:id', 'tracks.delete', () => answer(200, true)],
  ]
}

/** Bounds of the last change, which the book finds by itself; and what else must hold. */
function spanIn({ groups }: Criteria): Span & { rest: Criteria['groups'] } {
  const boundIn = ([only, ...others]: Criteria['groups'][number]) => {
    const at = only?.field === 'updated_at' && others.length === 0 ? momentOf(only.value) : null
    if (at === null || (only?.condition !== 'gteq' && only?.condition !== 'lt')) return null
    return only.condition === 'lt' ? { before: at } : { from: at }
  }
  return Object.assign({ rest: groups.filter((group) => boundIn(group) === null) }, ...groups.map(boundIn))
}
