import { sumOf } from '../../amounts.ts'
import { day, type Moment, toSecond } from '../../clock.ts'
import type { Recorder } from '../../http/route.ts'
import { type Fields, fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { customersOf, type ShopCustomer } from '../../shop/customers.ts'
import type { Variant } from '../../shop/goods.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import {
  type Address,
  customStatusOf,
  type OrderLine,
  type Parcel,
  type ShopOrder,
  type Stage,
} from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { isWithin, notFound, optionsIn, pageAmong, spanIn } from './lists.ts'

/** Ids are numbers, written as text; parts of an order, and articles, are numbered behind it. */
export const idOf = (index: number): string => String(index + 1)
export const partId = (index: number, part: number): string => String((index + 1) * 100 + part)
export const variantId = ({ product, position }: Pick<Variant, 'product' | 'position'>) => partId(product, position)
export const indexOf = (id: unknown): number => (/^\d{1,12}$/.test(String(id)) ? Number(id) - 1 : -1)
/** The order or product that a part belongs to, and which of it. */
export const partIn = (id: unknown): readonly [index: number, part: number] =>
  /^\d{1,12}$/.test(String(id)) ? [Math.floor(Number(id) / 100) - 1, Number(id) % 100] : [-1, 0]

/** Whole seconds, as on SQLite. */
export const timeOf = (moment: Moment): string => new Date(toSecond(moment) / 1000).toISOString()

const states: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'PaymentAuthorized', held: 'Modifying', paid: 'PaymentSettled', part_sent: 'PartiallyShipped' },
  ...{ sent: 'Shipped', delivered: 'Delivered', part_refunded: 'Delivered', refunded: 'Delivered' },
  cancelled: 'Cancelled',
}

/** Servers may have states of their own; this one has if it is asked to. */
export const ownState = 'AwaitingPickup'
export const stateOf = (index: number, stage: Stage, own: boolean): string =>
  own && customStatusOf(index, stage) !== null ? ownState : states[stage]

/** An order's own time stays behind while payments are settled and parcels sent: these leave traces in its history. */
export const ownTime = (stage: Stage, placedAt: Moment, updatedAt: Moment): Moment =>
  toSecond(stage === 'cancelled' ? updatedAt : placedAt)

export function orderView(order: ShopOrder, own: boolean): Fields {
  const { index, stage, buyer, placedAt, total: amount } = order
  const lines = order.lines.map((line) => lineView(order, line))
  const shipping = stage === 'cancelled' ? 0 : order.shipping
  const goodsTotal = sumOf(lines, (line) => line.proratedLinePriceWithTax)
  const tax = sumOf(lines, (line) => line.lineTax)
  const refunds = order.refunds.map(({ refund, amount: back, reason, at, lines: parts }) => ({
    ...{ id: idOf(index * 10 + refund), state: 'Settled', total: back, reason, createdAt: timeOf(at) },
    lines: parts.map(({ line, quantity }) => ({ orderLineId: lines[line - 1]?.id, quantity })),
  }))
  const placed = timeOf(placedAt)
  return {
    ...{ __typename: 'Order', id: idOf(index), code: codeOf(order), type: 'Regular', active: false },
    ...{ state: stateOf(index, stage, own), createdAt: placed, orderPlacedAt: placed },
    updatedAt: timeOf(ownTime(stage, placedAt, order.updatedAt)),
    ...{ currencyCode: order.currency, subTotalWithTax: goodsTotal, shippingWithTax: shipping },
    ...{ total: goodsTotal + shipping - tax, totalWithTax: goodsTotal + shipping, couponCodes: [], surcharges: [] },
    customer: {
      ...{ id: idOf(buyer.id ?? 1_000_000 + index), firstName: buyer.firstName, lastName: buyer.lastName },
      ...{ emailAddress: buyer.email, phoneNumber: buyer.phone },
      user: buyer.id === null ? null : { id: idOf(buyer.id) },
    },
    shippingAddress: addressView(order.shipTo),
    // Nothing in it where it is that of shipping.
    billingAddress: order.billTo === order.shipTo ? {} : addressView(order.billTo),
    shippingLines: [{ shippingMethod: { name: order.shippingMethod } }],
    // In no order that could be relied on.
    lines: index % 2 === 0 ? lines : lines.toReversed(),
    payments: [{ id: idOf(index), state: stage === 'unpaid' ? 'Authorized' : 'Settled', amount, refunds }],
    fulfillments: order.parcels.map((parcel) => parcelView(order, parcel)),
    history: (args: Fields) => historyOf(order, args),
  }
}

export const codeOf = ({ index }: ShopOrder): string => `HARBOUR${String(index + 1).padStart(9, '0')}`

/** What was cancelled is taken off a line; how many there were when the order was placed is kept beside it. */
function lineView({ index, taxIncluded, taxRate }: ShopOrder, line: OrderLine) {
  const { position, sku, title, variantTitle, quantity, unitPrice } = line
  const product = line.product ?? 0
  const unlessGone = (number: number) => Math.round((number * (quantity - line.cancelled)) / quantity)
  const name = variantTitle === 'Default Title' ? title : `${title} ${variantTitle}`
  return {
    ...{ id: partId(index, line.line), quantity: unlessGone(quantity), orderPlacedQuantity: quantity },
    unitPriceWithTax: taxIncluded ? unitPrice : Math.round((unitPrice * (100 + taxRate)) / 100),
    linePriceWithTax: unlessGone(line.total + line.discount),
    ...{ proratedLinePriceWithTax: unlessGone(line.total), lineTax: unlessGone(line.tax) },
    productVariant: { id: variantId({ product, position }), sku, name, product: { id: idOf(product) } },
  }
}

const addressView = ({ firstName, lastName, company, extra, city, country, countryCode, ...address }: Address) => ({
  ...{ fullName: `${firstName} ${lastName}`, company: company ?? '', streetLine1: address.street },
  ...{ streetLine2: extra ?? '', city, province: address.region, postalCode: address.zip, country, countryCode },
  phoneNumber: address.phone,
})

export const parcelView = ({ index }: ShopOrder, parcel: Parcel): Fields => ({
  ...{ __typename: 'Fulfillment', id: partId(index, parcel.parcel), method: parcel.carrier },
  state: parcel.packed ? 'Pending' : parcel.delivered ? 'Delivered' : 'Shipped',
  ...{ trackingCode: parcel.trackingNumber, createdAt: timeOf(parcel.sentAt), updatedAt: timeOf(parcel.sentAt) },
  lines: parcel.lines.map(({ line, quantity }) => ({ orderLineId: partId(index, line), quantity })),
})

/** An entry for each change, the newest first. Notes are written whenever somebody likes, and mean nothing. */
function historyOf({ placedAt, updatedAt, notes, cancelledAt, cancelReason, version, index }: ShopOrder, args: Fields) {
  const entry = (type: string, at: Moment, data: Fields = {}) => ({ type, createdAt: timeOf(at), data })
  const entries = [
    ...(index % 7 === 0 ? [entry('ORDER_NOTE', updatedAt + day, { note: 'Call back.' })] : []),
    ...notes.map((note) => entry('ORDER_NOTE', updatedAt, { note })),
    ...(cancelledAt === null ? [] : [entry('ORDER_CANCELLATION', cancelledAt, { reason: cancelReason })]),
    ...Array.from({ length: version }, () => entry('ORDER_STATE_TRANSITION', updatedAt)),
    entry('ORDER_STATE_TRANSITION', placedAt),
  ]
  const { filter, take } = fieldsOf(args['options'])
  const found = entries.filter(({ type }) => isWithin(fieldsOf(filter), () => type))
  return { totalItems: found.length, items: found.slice(0, Number(take ?? found.length)) }
}

const customerView = ({ address, createdAt, updatedAt, ...buyer }: ShopCustomer): Fields => ({
  ...{ id: idOf(buyer.id), firstName: buyer.firstName, lastName: buyer.lastName, emailAddress: buyer.email },
  ...{ phoneNumber: buyer.phone, user: { id: idOf(buyer.id) } },
  ...{ createdAt: timeOf(createdAt), updatedAt: timeOf(updatedAt) },
  addresses: [{ ...addressView(address), country: { code: address.countryCode, name: address.country } }],
})

/** Refusals are data. `ItemsAlreadyFulfilledError` has the code `ITEMS_ALREADY_FULFILLED_ERROR`. */
export function refusal(__typename: string, message?: string): Fields {
  const errorCode = __typename.replaceAll(/(?<=[a-z])[A-Z]/g, (sign) => `_${sign}`).toUpperCase()
  return { __typename, errorCode, message: message ?? `errorResult.${errorCode}` }
}

export function createOrders(world: World) {
  const { clock } = world
  const { book, work } = world.shop
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
      const worked = work.callOff(order, partsIn(lines))
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
    const worked = work.refund(order, what)
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
    const worked = work.send(order, {
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
    if (state === 'Cancelled') {
      record.effect('shipment.cancel', String(id))
      work.takeBack(order, parcel)
      return { ...parcelView(order, parcel), state: 'Cancelled' }
    }
    const worked = state === 'Shipped' ? work.dispatch(order, parcel) : null
    if (!worked?.ok) return refusal('FulfillmentStateTransitionError')
    record.effect('shipment.amend', String(id))
    return parcelView(order, worked.value)
  }

  function addNoteToOrder({ input }: Fields, record: Recorder): Fields {
    const { id, note } = fieldsOf(input)
    const found = at(indexOf(id), 'Order', id)
    record.effect('order.annotate', String(id))
    return viewOf(work.note(found, String(note)))
  }

  const customers = (args: Fields) =>
    pageAmong(customersOf(book), args, {
      view: customerView,
      read: ({ id, createdAt, updatedAt }, name) =>
        name === 'id' ? idOf(id) : toSecond(name === 'updatedAt' ? updatedAt : createdAt),
    })
  const customer = ({ id }: Fields): Fields | null => {
    const found = customersOf(book).find((one) => idOf(one.id) === id)
    return found ? customerView(found) : null
  }

  const order = ({ id }: Fields): Fields | null => {
    const found = book.get(indexOf(id))
    return found && viewOf(found)
  }
  return {
    ...{ orders, order, customers, customer, cancelOrder, refundOrder, settlePayment, addNoteToOrder },
    ...{ addFulfillmentToOrder, transitionFulfillmentToState },
  }
}
