import { momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders } from '../../shop/list-orders.ts'
import type { Address, ShopOrder } from '../../shop/order.ts'
import { orderFrom } from '../../shop/place-order.ts'
import { addressReader } from '../../shop/received.ts'
import { ordersOn, type World } from '../../world.ts'
import { lineId, orderId, orderIndex, orderView, shipmentView } from './views.ts'

export const refuse = (status: number, error: string): Answer => answer(status, { error })

/** At most 250, 50 by default. */
export const limitIn = ({ query }: Call): number => Math.min(250, Math.max(1, wholeOf(query.get('limit')) ?? 50))

export const listAnswer = (items: readonly unknown[], next: string | null = null, total = items.length): Answer =>
  answer(200, { items, next, total })

export function createOrders(world: World) {
  const { book, stockroom, work } = world.shop
  const ofOrder = forOne((id) => book.get(orderIndex(id)), refuse(404, 'There is no such order.'))

  function list(call: Call): Answer {
    const [at, index] = (call.query.get('cursor') ?? '').split('|')
    const query = {
      sort: 'changed' as const,
      changed: { from: momentOf(call.query.get('updated_since') ?? '') },
      limit: limitIn(call),
      after: index === undefined ? null : { at: Number(at), index: Number(index) },
    }
    const total = countOrders(book, query)
    const page = listOrders(book, query)
    const items = ordersOn(world, page)
    const last = items.at(-1)
    return listAnswer(items.map(orderView), page.more && last ? `${last.updatedAt}|${last.index}` : null, total)
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const reference = textOf(input['reference'])
    const known = reference === null ? null : book.byReference(reference)
    const same = known === null ? null : book.get(known)
    if (same) return answer(200, orderView(same))
    const buyer = fieldsOf(input['customer'])
    const base = orderFrom(stockroom, {
      ...{ currency: input['currency'], reference, note: input['note'], email: buyer['email'] },
      ...{ firstName: buyer['first_name'], lastName: buyer['last_name'] },
      shipTo: addressFrom(input['shipping_address']),
      billTo: addressFrom(input['billing_address'] ?? input['shipping_address']),
      ...{ shipping: input['shipping_total'], shippingMethod: input['shipping_method'] },
      ...{ tax: input['tax_total'], taxIncluded: input['prices_include_tax'] !== false },
      lines: rowsOf(input['lines']).map(({ sku, title, quantity, unit_price }) => {
        const named = textOf(sku)
        // What the shop does not sell is called by its number.
        const unknown = named !== null && !stockroom.bySku(named) ? named : null
        return { sku, title: title ?? unknown, quantity: wholeOf(quantity) ?? 1, unitPrice: unit_price ?? null }
      }),
    })
    if (typeof base === 'string') return refuse(422, base)
    const order = book.add(base, input['paid'] === false ? 'unpaid' : 'paid')
    record.effect('order.create', orderId(order.index), reference, reference)
    return answer(201, orderView(order))
  }

  function acknowledge(call: Call, record: Recorder): Answer {
    const known = listOf(call.fields()['orders']).flatMap((id) => book.get(orderIndex(String(id))) ?? [])
    const accepted = known.filter((order) => {
      const worked = work.acknowledge(order)
      if (worked.ok && worked.changed) record.effect('order.acknowledge', orderId(order.index))
      return worked.ok
    })
    return listAnswer(accepted.map(({ index }) => orderId(index)))
  }

  function cancel(order: ShopOrder, call: Call, record: Recorder): Answer {
    const worked = work.cancel(order, textOf(call.fields()['reason']))
    if (!worked.ok) return refuse(422, worked.why)
    if (worked.changed) record.effect('order.cancel', orderId(order.index))
    return answer(200, orderView(worked.value))
  }

  function ship(order: ShopOrder, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const trackingNumber = textOf(input['tracking_number'])
    const carrier = textOf(input['carrier'])
    if (trackingNumber === null || carrier === null) return refuse(422, 'A parcel has a tracking number and a carrier.')
    const same = order.parcels.find((parcel) => parcel.trackingNumber === trackingNumber)
    if (same) return answer(200, shipmentView(order, same))
    const lines = partsIn(order, input['lines'], 'order_line_remote_id')
    const worked = work.send(order, {
      ...{ carrier, trackingNumber, trackingUrl: textOf(input['tracking_url']) },
      sentAt: momentOf(textOf(input['shipped_at']) ?? '') ?? world.clock.now(),
      lines: lines.length === 0 ? null : lines,
    })
    if (!worked.ok) return refuse(422, worked.why)
    record.effect('shipment.create', orderId(order.index), null, `${order.index} ${trackingNumber}`)
    return answer(201, shipmentView(order, worked.value))
  }

  /** Who carries it, its number and its link; what is in it stays. */
  function amend(order: ShopOrder, call: Call, record: Recorder, [, id]: readonly string[]): Answer {
    const parcel = order.parcels.find((one) => shipmentView(order, one).id === id)
    if (!parcel) return refuse(404, 'There is no such shipment.')
    const input = call.fields()
    const worked = work.amend(order, parcel, {
      carrier: textOf(input['carrier']) ?? parcel.carrier,
      trackingNumber: textOf(input['tracking_number']) ?? parcel.trackingNumber,
      trackingUrl: textOf(input['tracking_url']),
    })
    if (!worked.ok) return refuse(422, worked.why)
    if (worked.changed) record.effect('shipment.amend', orderId(order.index))
    return answer(200, shipmentView(order, worked.value))
  }

  const partsIn = (order: ShopOrder, lines: unknown, name = 'line') =>
    rowsOf(lines).map((part) => {
      const known = order.lines.find((one) => lineId(order, one.line) === part[name])
      return { line: known?.line ?? 0, quantity: wholeOf(part['quantity']) ?? 0 }
    })

  /** In the smallest coin, or by lines. */
  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { amount, lines, reason, restock } = call.fields()
    const parts = partsIn(order, lines)
    const how = { amount: wholeOf(amount), reason: textOf(reason) ?? '', returned: restock === true }
    const worked = work.refund(order, { ...how, lines: parts })
    if (!worked.ok) return refuse(422, worked.why)
    record.effect('refund.create', orderId(order.index))
    const after = book.get(order.index)
    return after ? answer(201, orderView(after)) : refuse(404, 'There is no such order.')
  }

  function cancelLines(order: ShopOrder, call: Call, record: Recorder): Answer {
    const worked = work.callOff(order, partsIn(order, call.fields()['lines']))
    if (!worked.ok) return refuse(422, worked.why)
    record.effect('order.cancel_lines', orderId(order.index))
    return answer(200, orderView(worked.value))
  }

  const withdraw = (order: ShopOrder, _: Call, record: Recorder, [, id]: readonly string[]): Answer => {
    const parcel = order.parcels.find((one) => shipmentView(order, one).id === id)
    if (!parcel) return refuse(404, 'There is no such shipment.')
    record.effect('shipment.cancel', `${id}`)
    return answer(200, orderView(work.takeBack(order, parcel)))
  }
  function annotate({ index, notes, tags }: ShopOrder, call: Call, record: Recorder): Answer {
    const { note, add_tags: add, remove_tags: remove } = call.fields()
    const kept = [...new Set([...tags, ...listOf(add).map(String)])].filter((tag) => !listOf(remove).includes(tag))
    const written = textOf(note) === null || notes.includes(String(note)) ? notes : [...notes, String(note)]
    record.effect('order.annotate', orderId(index))
    return answer(200, orderView(book.change(index, { extra: { notes: written, tags: kept } })))
  }
  const moved =
    (name: string, move: typeof work.hold) =>
    (order: ShopOrder, _: Call, record: Recorder): Answer => {
      const worked = move(order)
      if (!worked.ok) return refuse(422, worked.why)
      record.effect(name, orderId(order.index))
      return answer(200, orderView(worked.value))
    }

  /** In the smallest coin, or all of it. */
  function capture(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { amount } = call.fields()
    const worked = work.capture(order, amount === undefined ? undefined : (wholeOf(amount) ?? 0))
    if (!worked.ok) return refuse(422, worked.why)
    record.effect('order.capture', `${orderId(order.index)} ${order.captured}`)
    return answer(200, orderView(worked.value))
  }

  const routes: readonly RouteRow[] = [
    ['GET', '/orders', 'orders.list', list],
    ['POST', '/orders', 'orders.create', create],
    ['POST', '/orders/acknowledge', 'orders.acknowledge', acknowledge],
    ['GET', '/orders/:id', 'orders.get', ofOrder((order) => answer(200, orderView(order)))],
    ['POST', '/orders/:id/cancel', 'orders.cancel', ofOrder(cancel)],
    ['POST', '/orders/:id/refunds', 'refunds.create', ofOrder(refund)],
    ['POST', '/orders/:id/cancel-lines', 'orders.cancelLines', ofOrder(cancelLines)],
    ['POST', '/orders/:id/shipments', 'shipments.create', ofOrder(ship)],
    ['PUT', '/orders/:id/shipments/:shipment', 'shipments.amend', ofOrder(amend)],
    ['DELETE', '/orders/:id/shipments/:shipment', 'shipments.cancel', ofOrder(withdraw)],
    ['POST', '/orders/:id/annotate', 'orders.annotate', ofOrder(annotate)],
    ['POST', '/orders/:id/hold', 'orders.hold', ofOrder(moved('order.hold', work.hold))],
    ['POST', '/orders/:id/release', 'orders.release', ofOrder(moved('order.release', work.release))],
    // Its money is only reserved while it is held.
    ['POST', '/orders/:id/capture', 'orders.capture', ofOrder(capture)],
  ]
  return { routes }
}

const told = addressReader({
  ...{ firstName: 'first_name', lastName: 'last_name', street: 'line1', city: 'city', zip: 'postal_code' },
  countryCode: 'country_code',
})

/** Whoever tells a name as a whole has the first word taken for the first name. */
function addressFrom(value: unknown): Partial<Address> {
  const [firstName = '', ...rest] = (textOf(fieldsOf(value)['name']) ?? '').split(' ')
  return { firstName, lastName: rest.join(' '), ...told(value) }
}
