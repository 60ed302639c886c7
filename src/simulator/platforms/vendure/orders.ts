import { toSecond } from '../../clock.ts'
import type { Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { dispatchParcel, sendParcel } from '../../shop/work-on-order.ts'
import { disturb, type World } from '../../world.ts'
import { isWithin, notFound, optionsIn, spanIn } from './lists.ts'
import { codeOf, type Goods, indexOf, orderId, orderView, ownTime, parcelView, partIn, stateOf } from './order-view.ts'

const refusal = (__typename: string, errorCode: string, message = `errorResult.${errorCode}`): Fields => ({
  ...{ __typename, errorCode, message },
})

export function createOrders(world: World, goods: Goods) {
  const { book } = world.shop
  const own = world.settings.variant['states'] === 'own'
  const viewOf = (order: ShopOrder): Fields => orderView(order, goods, own)
  const at = (index: number, what: string, id: unknown): ShopOrder => {
    const order = book.get(index)
    if (!order) throw notFound(what, id)
    return order
  }
  const read = (index: number) => (name: string) => {
    const stage = book.stageAt(index)
    if (name === 'active') return false
    if (name === 'id') return orderId(index)
    if (name === 'state') return stateOf(index, stage, own)
    return name === 'updatedAt'
      ? ownTime(stage, book.placedAt(index), book.updatedAt(index))
      : toSecond(book.placedAt(index))
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
    const { createdAt, active, ...rest } = filter
    const ids = fieldsOf(filter['id'])['in']
    const shown = (indexes: readonly number[]) => indexes.flatMap((index) => book.get(index) ?? []).map(viewOf)
    if (ids !== undefined) {
      const found = listOf(ids)
        .map(indexOf)
        .filter((index) => book.get(index) && isWithin(filter, read(index)))
      return { totalItems: found.length, items: shown(found.slice(skip, skip + take)) }
    }
    const others = carts(filter)
    if (fieldsOf(active)['eq'] === true) return { totalItems: others.length, items: others.slice(skip, skip + take) }
    const query: OrderQuery = {
      ...{ sort: 'placed', ...spanIn(createdAt), limit: take, offset: skip },
      test: Object.keys(rest).length === 0 ? null : (index) => isWithin(rest, read(index)),
    }
    const page = listOrders(book, query)
    const items = [...shown(page.indexes), ...(page.more ? [] : others)].slice(0, take)
    const totalItems = countOrders(book, query) + others.length
    disturb(world, page)
    return { totalItems, items }
  }

  function cancelOrder({ input }: Fields, record: Recorder): Fields {
    const { orderId: id, reason } = fieldsOf(input)
    const order = at(indexOf(id), 'Order', id)
    if (order.stage === 'cancelled')
      return refusal(
        'EmptyOrderLineSelectionError',
        'EMPTY_ORDER_LINE_SELECTION_ERROR',
        'At least one OrderLine must be specified',
      )
    // Even what has been sent can be.
    book.change(order.index, { stage: 'cancelled', extra: { cancelReason: textOf(reason), parcels: order.parcels } })
    record.effect('order.cancel', String(id))
    return viewOf(at(order.index, 'Order', id))
  }

  /** A second time is no error. */
  function settlePayment({ id }: Fields, record: Recorder): Fields {
    const order = at(indexOf(id), 'Payment', id)
    if (order.stage === 'unpaid') {
      book.change(order.index, { stage: 'paid' })
      record.effect('order.update', orderId(order.index))
    }
    return { __typename: 'Payment', id, state: 'Settled', amount: order.total, refunds: [] }
  }

  function addFulfillmentToOrder({ input }: Fields, record: Recorder): Fields {
    const { lines, handler } = fieldsOf(input)
    const wanted = listOf(lines).map((line) => fieldsOf(line))
    const first = wanted[0]?.['orderLineId']
    const order = at(partIn(first)[0], 'OrderLine', first)
    const { code, arguments: given } = fieldsOf(handler)
    if (code !== 'manual-fulfillment')
      return refusal('InvalidFulfillmentHandlerError', 'INVALID_FULFILLMENT_HANDLER_ERROR')
    const said = Object.fromEntries(listOf(given).map((one) => [fieldsOf(one)['name'], fieldsOf(one)['value']]))
    const trackingNumber = textOf(said['trackingCode']) ?? ''
    const worked = sendParcel(book, order, {
      ...{ carrier: textOf(said['method']) ?? '', trackingNumber, trackingUrl: null, sentAt: world.clock.tick() },
      ...{ packed: true, beforePaid: true },
      lines: wanted.map(({ orderLineId, quantity }) => ({
        line: partIn(orderLineId)[1],
        quantity: wholeOf(quantity) ?? 0,
      })),
    })
    if (!worked.ok) {
      const said = 'One or more OrderItems are already part of a Fulfillment'
      return refusal('ItemsAlreadyFulfilledError', 'ITEMS_ALREADY_FULFILLED_ERROR', said)
    }
    record.effect('shipment.create', orderId(order.index), null, `${order.index} ${trackingNumber}`)
    return parcelView(order, worked.value)
  }

  function transitionFulfillmentToState({ id, state }: Fields, record: Recorder): Fields {
    const [index, part] = partIn(id)
    const order = at(index, 'Fulfillment', id)
    const parcel = order.parcels.find((one) => one.parcel === part)
    if (!parcel) throw notFound('Fulfillment', id)
    const worked = state === 'Shipped' ? dispatchParcel(book, order, parcel, { sentAt: world.clock.tick() }) : null
    if (!worked?.ok) return refusal('FulfillmentStateTransitionError', 'FULFILLMENT_STATE_TRANSITION_ERROR')
    record.effect('shipment.amend', String(id))
    return parcelView(order, worked.value)
  }

  const order = ({ id }: Fields): Fields | null => {
    const found = book.get(indexOf(id))
    return found && viewOf(found)
  }
  return { orders, order, cancelOrder, settlePayment, addFulfillmentToOrder, transitionFulfillmentToState }
}
