import { toSecond } from '../../clock.ts'
import type { Recorder } from '../../http/route.ts'
import { type Fields, fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { callOff, dispatchParcel, refundOrder as payBack, sendParcel } from '../../shop/work-on-order.ts'
import { ordersOn, type World } from '../../world.ts'
import { isWithin, notFound, optionsIn, spanIn } from './lists.ts'
import { codeOf, idOf, indexOf, orderView, ownTime, parcelView, partIn, stateOf } from './order-view.ts'

/** Refusals are data. `ItemsAlreadyFulfilledError` has the code `ITEMS_ALREADY_FULFILLED_ERROR`. */
export function refusal(__typename: string, message?: string): Fields {
  const errorCode = __typename.replaceAll(/(?<=[a-z])[A-Z]/g, (sign) => `_${sign}`).toUpperCase()
  return { __typename, errorCode, message: message ?? `errorResult.${errorCode}` }
}

export function createOrders(world: World) {
  const { clock } = world
  const { book } = world.shop
  const own = world.settings.variant['states'] === 'own'
  const viewOf = (order: ShopOrder): Fields => orderView(order, own)
  const at = (index: number, what: string, id: unknown): ShopOrder => {
    const order = book.get(index)
    if (!order) throw notFound(what, id)
    return order
  }
  const read = (index: number) => (name: string) => {
    const stage = book.stageAt(index)
    if (name === 'id') return idOf(index)
    if (name === 'active') return false
    if (name === 'state') return stateOf(index, stage, own)
    const placedAt = book.placedAt(index)
    return name === 'updatedAt' ? ownTime(stage, placedAt, book.updatedAt(index)) : toSecond(placedAt)
  }

  /** Carts are in the same list: two, of people who went away. */
  const carts = (filter: Fields): Fields[] =>
    [0, 1].flatMap((index) => {
      const order = book.get(index)
      const facts: Fields = { active: true, state: 'AddingItems', id: String(900_000_000 + index), orderPlacedAt: null }
      const fits = order && isWithin(filter, (name) => facts[name] ?? toSecond(order.placedAt))
      return fits ? [{ ...viewOf(order), ...facts, code: `CART${codeOf(order)}` }] : []
    })

  function orders(args: Fields) {
    const { take, skip, filter } = optionsIn(args)
    const { createdAt, active: _, ...rest } = filter
    const ids = fieldsOf(filter['id'])['in']
    if (ids !== undefined) {
      const found = listOf(ids).flatMap((id) => book.get(indexOf(id)) ?? [])
      const items = found.filter(({ index }) => isWithin(filter, read(index))).map(viewOf)
      return { totalItems: items.length, items: items.slice(skip, skip + take) }
    }
    const query: OrderQuery = {
      ...{ sort: 'placed', placed: spanIn(createdAt), limit: take, offset: skip },
      test: Object.keys(rest).length === 0 ? null : (index) => isWithin(rest, read(index)),
    }
    const others = carts(filter)
    const totalItems = countOrders(book, query) + others.length
    const page = listOrders(book, query)
    const items = [...ordersOn(world, page).map(viewOf), ...(page.more ? [] : others)]
    return { totalItems, items: items.slice(0, take) }
  }

  function cancelOrder({ input }: Fields, record: Recorder): Fields {
    const { orderId: id, reason, lines } = fieldsOf(input)
    const order = at(indexOf(id), 'Order', id)
    if (order.stage === 'cancelled')
      return refusal('EmptyOrderLineSelectionError', 'At least one OrderLine must be specified')
    if (lines !== undefined) {
      const worked = callOff(book, order, partsIn(lines))
      if (!worked.ok) return refusal('QuantityTooGreatError')
      record.effect('order.cancel_lines', String(id))
      return viewOf(worked.value)
    }
    record.effect('order.cancel', String(id))
    // Even what has been sent can be.
    const extra = { cancelReason: textOf(reason), parcels: order.parcels }
    return viewOf(book.change(order.index, { stage: 'cancelled', extra }))
  }

  const partsIn = (lines: unknown) =>
    listOf(lines).map((one) => {
      const { orderLineId: id, quantity } = fieldsOf(one)
      return { line: partIn(id)[1], quantity: wholeOf(quantity) ?? 0 }
    })

  function refundOrder({ input }: Fields, record: Recorder): Fields {
    const { paymentId: id, amount, lines, reason } = fieldsOf(input)
    const order = at(indexOf(id), 'Payment', id)
    const what = { amount: wholeOf(amount), lines: partsIn(lines), reason: textOf(reason) ?? '', returned: false }
    const worked = payBack(world.shop, order, what)
    if (!worked.ok) return refusal('RefundAmountError')
    record.effect('refund.create', idOf(order.index))
    const { refund, amount: total, at: createdAt } = worked.value
    return { __typename: 'Refund', id: idOf(order.index * 10 + refund), state: 'Settled', total, createdAt, lines: [] }
  }

  /** A second time is no error. */
  function settlePayment({ id }: Fields, record: Recorder): Fields {
    const { index, stage, total: amount } = at(indexOf(id), 'Payment', id)
    if (stage === 'unpaid') {
      book.change(index, { stage: 'paid' })
      record.effect('order.update', idOf(index))
    }
    return { __typename: 'Payment', id, state: 'Settled', amount, refunds: [] }
  }

  function addFulfillmentToOrder({ input }: Fields, record: Recorder): Fields {
    const { lines: wanted, handler } = fieldsOf(input)
    const lines = rowsOf(wanted)
    const first = lines[0]?.['orderLineId']
    const order = at(partIn(first)[0], 'OrderLine', first)
    const { code, arguments: given } = fieldsOf(handler)
    if (code !== 'manual-fulfillment') return refusal('InvalidFulfillmentHandlerError')
    const { trackingCode = '', method = '' } = Object.fromEntries(
      rowsOf(given).map(({ name, value }) => [name, String(value)]),
    )
    const worked = sendParcel(book, order, {
      ...{ carrier: method, trackingNumber: trackingCode, trackingUrl: null, sentAt: clock.tick() },
      ...{ packed: true, beforePaid: true },
      lines: lines.map(({ orderLineId: id, quantity }) => ({ line: partIn(id)[1], quantity: wholeOf(quantity) ?? 0 })),
    })
    if (!worked.ok)
      return refusal('ItemsAlreadyFulfilledError', 'One or more OrderItems are already part of a Fulfillment')
    record.effect('shipment.create', idOf(order.index), null, `${order.index} ${trackingCode}`)
    return parcelView(order, worked.value)
  }

  function transitionFulfillmentToState({ id, state }: Fields, record: Recorder): Fields {
    const [index, part] = partIn(id)
    const order = at(index, 'Fulfillment', id)
    const parcel = order.parcels.find((one) => one.parcel === part)
    if (!parcel) throw notFound('Fulfillment', id)
    const worked = state === 'Shipped' ? dispatchParcel(book, order, parcel, { sentAt: clock.tick() }) : null
    if (!worked?.ok) return refusal('FulfillmentStateTransitionError')
    record.effect('shipment.amend', String(id))
    return parcelView(order, worked.value)
  }

  const order = ({ id }: Fields): Fields | null => {
    const found = book.get(indexOf(id))
    return found && viewOf(found)
  }
  return { orders, order, cancelOrder, refundOrder, settlePayment, addFulfillmentToOrder, transitionFulfillmentToState }
}
