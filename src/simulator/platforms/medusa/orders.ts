import { sumOf, unitsOf } from '../../amounts.ts'
import { isWithin } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Parts, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { customersOf } from '../../shop/customers.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder, Stage } from '../../shop/order.ts'
import { disturb, type World } from '../../world.ts'
import { idOf, locationIdOf, numberIn, orderIdOf, partIn } from './ids.ts'
import { customerView, orderView, paymentView, waits, words } from './order-view.ts'
import { broken, invalid, notAllowed, notFound, pageAmong, pageOf, readQuery, selectFields } from './query.ts'

interface Listed {
  name: string
  kind: string
  view(order: ShopOrder): Fields
  /** Whether its own time is that of the last change; otherwise it is that at which the order was placed. */
  moves(stage: Stage): boolean
}

const orders: Listed = { name: 'orders', kind: 'order', view: orderView, moves: (stage) => !waits(stage) }
const payments: Listed = { name: 'payments', kind: 'pay', view: paymentView, moves: waits }
const statuses = ['draft', ...Object.values(words).map(([status]) => status)]

export function orderRoutes(world: World): readonly RouteRow[] {
  const { clock, shop } = world
  const { book, work } = shop

  const list =
    ({ name, kind, view, moves }: Listed) =>
    (call: Call): Answer => {
      const { anyOf, order, created, updated, offset, limit } = readQuery(call)
      const [ids, wanted] = [anyOf('id[]'), anyOf('status[]')]
      // The database stumbles over a word that it does not know.
      if (wanted && !wanted.every((word) => statuses.includes(word))) return broken()
      const show = (indexes: readonly number[], count = indexes.length) => {
        const page = indexes.slice(offset, offset + limit).flatMap((index) => book.get(index) ?? [])
        return pageOf(name, page.map(view), count, call)
      }
      if (ids) return show(ids.map((id) => numberIn(kind, id)))
      // By the time of the last change there are two rows to be merged: those whose own time moves, and those that still
      // have the time at which they were placed.
      const moving = (index: number) => moves(book.stageAt(index))
      const fits = (index: number) => !wanted || wanted.includes(words[book.stageAt(index)][0])
      const byChange = order === 'updated_at' || updated.from !== null || updated.before !== null
      const still = (index: number) => !moving(index) && fits(index) && isWithin(book.placedAt(index), created)
      const rows: Omit<OrderQuery, 'limit'>[] = byChange
        ? [
            { sort: 'changed', changed: updated, placed: created, test: (index) => moving(index) && fits(index) },
            { sort: 'placed', placed: updated, test: still },
          ]
        : [{ sort: 'placed', placed: created, test: wanted ? fits : null }]
      // Those of one second, by id: all of them are looked at, then sorted.
      const needed = byChange && order !== 'updated_at' ? Number.POSITIVE_INFINITY : offset + limit
      const pages = rows.map((row) => listOrders(book, { ...row, limit: needed }))
      const timeOf = (index: number) => (moving(index) ? book.updatedAt(index) : book.placedAt(index))
      const merged = pages
        .flatMap((page) => page.indexes)
        .sort((a, b) => (order === 'updated_at' ? timeOf(a) - timeOf(b) : 0) || a - b)
      const count = sumOf(rows, (row) => countOrders(book, row))
      const made = show(merged, count)
      if (pages[0]) disturb(world, pages[0])
      return made
    }

  /** Answers to changes leave the status of fulfilment out. */
  const changed = ({ index }: ShopOrder): Answer => {
    const order = book.get(index)
    return answer(200, { order: order && { ...orderView(order), fulfillment_status: undefined } })
  }

  function cancel(order: ShopOrder, _: Call, record: Recorder): Answer {
    const id = orderIdOf(order.index)
    if (order.stage === 'cancelled') return invalid(`Order with id ${id} has been canceled.`)
    const worked = work.cancel(order, null)
    if (!worked.ok) return notAllowed('All fulfillments must be canceled before canceling an order')
    record.effect('order.cancel', id)
    return changed(order)
  }

  /** The goods are made up; they go with `ship`. */
  function fulfil(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { items, location_id, metadata } = call.fields()
    const id = orderIdOf(order.index)
    if (order.stage === 'cancelled') return invalid(`Order with id ${id} has been canceled.`)
    const wanted = rowsOf(items)
    const worked = work.send(order, {
      ...{ carrier: '', trackingNumber: '', trackingUrl: null, sentAt: clock.tick(), packed: true, beforePaid: true },
      lines: wanted.map((item) => ({
        ...{ line: partIn('ordli', order.index, item['id']), quantity: wholeOf(item['quantity']) ?? 0 },
      })),
      place: Math.max(0, numberIn('sloc', location_id ?? locationIdOf(0))),
      reference: JSON.stringify(fieldsOf(metadata)),
    })
    if (!worked.ok) return invalid(`No stock reservation found for item ${wanted[0]?.['id']}`)
    const known = textOf(fieldsOf(metadata)['tracking_number'])
    record.effect('shipment.create', id, null, known === null ? null : `${id} ${known}`)
    return changed(order)
  }

  function ship(order: ShopOrder, call: Call, record: Recorder, [, part]: Parts): Answer {
    const parcel = order.parcels.find((one) => one.parcel === partIn('ful', order.index, part))
    if (!parcel) return notFound(`Fulfillment with id: ${part} was not found`)
    const { tracking_number: number, tracking_url: url } = rowsOf(call.fields()['labels'])[0] ?? {}
    const label = { trackingNumber: textOf(number) ?? '', trackingUrl: textOf(url) }
    const worked = work.dispatch(order, parcel, label)
    if (!worked.ok) return notAllowed('Shipment has already been created')
    record.effect('shipment.amend', part)
    return changed(order)
  }

  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { amount, note } = call.fields()
    const units = unitsOf(amount, order.currency)
    const how = { lines: [], reason: textOf(note) ?? '', returned: false }
    const worked = work.refund(order, { amount: units ?? order.total - order.refunded, ...how })
    if (!worked.ok) return invalid('You are not allowed to refund more than the captured amount')
    record.effect('refund.create', orderIdOf(order.index))
    return answer(200, { payment: paymentView(book.get(order.index) ?? order) })
  }

  function capture(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { amount } = call.fields()
    const part = amount === undefined ? undefined : (unitsOf(amount, order.currency) ?? 0)
    const worked = work.capture(order, part)
    if (!worked.ok) return invalid('The payment has been captured.')
    record.effect('order.capture', `${orderIdOf(order.index)} ${order.captured}`)
    return answer(200, { payment: paymentView(worked.value) })
  }

  const ofPayment = forOne(
    (id) => book.get(numberIn('pay', id)),
    (id) => notFound(`Payment id not found: ${id}`),
  )
  const ofOrder = forOne(
    (id) => book.get(numberIn('order', id)),
    (id) => notFound(`Order id not found: ${id}`),
  )
  const customers = (call: Call): Answer =>
    pageAmong(
      'customers',
      customersOf(book).map((one) => ({
        ...{ id: idOf('cus', one.id), created: one.createdAt, updated: one.updatedAt, skus: [] },
        view: () => customerView(one),
      })),
      call,
    )
  const ofCustomer = forOne(
    (id) => customersOf(book).find((one) => idOf('cus', one.id) === id),
    (id) => notFound(`Customer with id: ${id} was not found`),
  )
  const getCustomer = ofCustomer((one, call) => answer(200, { customer: selectFields(customerView(one), call) }))
  // By itself an order tells what belongs to it in another order than in a list.
  const turned = (view: Fields): Fields =>
    Object.fromEntries(
      Object.entries(view).map(([name, value]) => [name, Array.isArray(value) ? value.toReversed() : value]),
    )
  const get = (order: ShopOrder, call: Call) => answer(200, { order: selectFields(turned(orderView(order)), call) })
  const base = '/admin/orders'
  return [
    ['GET', base, 'orders.list', list(orders)],
    ['GET', `${base}/:id`, 'orders.get', ofOrder(get)],
    ['POST', `${base}/:id/cancel`, 'orders.cancel', ofOrder(cancel)],
    ['POST', `${base}/:id/fulfillments`, 'fulfillments.create', ofOrder(fulfil)],
    ['POST', `${base}/:id/fulfillments/:part/shipments`, 'shipments.create', ofOrder(ship)],
    ['GET', '/admin/payments', 'payments.list', list(payments)],
    ['GET', '/admin/customers', 'customers.list', customers],
    ['GET', '/admin/customers/:id', 'customers.get', getCustomer],
    ['POST', '/admin/payments/:id/refund', 'payments.refund', ofPayment(refund)],
    ['POST', '/admin/payments/:id/capture', 'payments.capture', ofPayment(capture)],
  ]
}
