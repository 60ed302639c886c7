import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { Handle, RouteRow } from '../../http/route-table.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { cancelOrder, dispatchParcel, sendParcel } from '../../shop/work-on-order.ts'
import { answer, type World } from '../../world.ts'
import { ids, locationOf, orderIndexOf, partIn } from './ids.ts'
import { ordersList, paymentsList } from './list-orders.ts'
import { orderView } from './order-view.ts'
import { invalid, notAllowed, notFound } from './query.ts'
import { selectFields } from './select-fields.ts'

export function orderRoutes(world: World): readonly RouteRow[] {
  const { book } = world.shop
  const found =
    (use: (order: ShopOrder, call: Call, record: Recorder, part: string) => Answer): Handle =>
    (call, record, [id, part]) => {
      const order = book.get(orderIndexOf(id))
      return order ? use(order, call, record, part) : notFound(`Order id not found: ${id}`)
    }
  /** Answers to changes leave the status of fulfilment out. */
  const changed = ({ index }: ShopOrder): Answer => {
    const order = book.get(index)
    return answer(200, { order: order && { ...orderView(order), fulfillment_status: undefined } })
  }

  function cancel(order: ShopOrder, _: Call, record: Recorder): Answer {
    const id = ids.order(order.index)
    if (order.stage === 'cancelled') return invalid(`Order with id ${id} has been canceled.`)
    const worked = cancelOrder(book, order, null)
    if (!worked.ok) return notAllowed('All fulfillments must be canceled before canceling an order')
    record.effect('order.cancel', id)
    return changed(order)
  }

  /** The goods are made up; they go with `ship`. */
  function fulfil(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { items, location_id, metadata } = call.fields()
    const id = ids.order(order.index)
    if (order.stage === 'cancelled') return invalid(`Order with id ${id} has been canceled.`)
    const lines = listOf(items).map((item) => {
      const { id: line, quantity } = fieldsOf(item)
      return { line: partIn('ordli', order.index, textOf(line) ?? ''), quantity: wholeOf(quantity) ?? 0 }
    })
    const notes = fieldsOf(metadata)
    const worked = sendParcel(book, order, {
      ...{ carrier: '', trackingNumber: '', trackingUrl: null, sentAt: world.clock.tick(), lines },
      ...{ packed: true, beforePaid: true },
      place: Math.max(0, locationOf(textOf(location_id) ?? '')),
      reference: JSON.stringify(notes),
    })
    if (!worked.ok) return invalid(`No stock reservation found for item ${textOf(fieldsOf(listOf(items)[0])['id'])}`)
    const known = textOf(notes['tracking_number'])
    record.effect('shipment.create', id, null, known === null ? null : `${id} ${known}`)
    return changed(order)
  }

  function ship(order: ShopOrder, call: Call, record: Recorder, part: string): Answer {
    const parcel = order.parcels.find((one) => one.parcel === partIn('ful', order.index, part))
    if (!parcel) return notFound(`Fulfillment with id: ${part} was not found`)
    const label = fieldsOf(listOf(call.fields()['labels'])[0])
    const worked = dispatchParcel(book, order, parcel, {
      sentAt: world.clock.tick(),
      trackingNumber: textOf(label['tracking_number']) ?? '',
      trackingUrl: textOf(label['tracking_url']),
    })
    if (!worked.ok) return notAllowed('Shipment has already been created')
    record.effect('shipment.amend', part)
    return changed(order)
  }

  const get = (order: ShopOrder, { query }: Call) =>
    answer(200, { order: selectFields(orderView(order), query.get('fields')) })
  const base = '/admin/orders'
  return [
    ['GET', base, 'orders.list', (call) => ordersList(world, call)],
    ['GET', `${base}/:id`, 'orders.get', found(get)],
    ['POST', `${base}/:id/cancel`, 'orders.cancel', found(cancel)],
    ['POST', `${base}/:id/fulfillments`, 'fulfillments.create', found(fulfil)],
    ['POST', `${base}/:id/fulfillments/:part/shipments`, 'shipments.create', found(ship)],
    ['GET', '/admin/payments', 'payments.list', (call) => paymentsList(world, call)],
  ]
}
