import { convert, digitsOf, inCents, sumOf, unitsOf } from '../../amounts.ts'
import { type Moment, momentOf, type Span, withoutZone } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, isAnswer, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { customersOf, type ShopCustomer } from '../../shop/customers.ts'
import { countOrders, listBySecond, listOrders } from '../../shop/list-orders.ts'
import {
  type Address,
  isSent,
  type OrderLine,
  type Parcel,
  type Refund,
  type ShopOrder,
  type Stage,
} from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { type Criteria, criteriaIn, found, isFound, noEntity, offsetWithin, refusal, searchAmong } from './search.ts'
import { locationOf, sourceOf } from './sources.ts'

/** Times are of Greenwich and to the second. */
export const written = (at: Moment): string => withoutZone(at).replace('T', ' ')

export const orderIdOf = (index: number): number => index + 1
export const orderIndexOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - 1 : -1)
export const numberOf = (index: number): string => String(orderIdOf(index)).padStart(9, '0')
/** A line is two items where the article is one of several: the one that was chosen, and its article. */
export const itemIdOf = (index: number, line: number): number => orderIdOf(index) * 200 + line * 2
export const lineOf = (index: number, itemId: number): number => Math.floor((itemId - itemIdOf(index, 0)) / 2)
export const shipmentIdOf = (index: number, { parcel }: Parcel): number => orderIdOf(index) * 10 + parcel
export const productIdOf = (index: number): number => 1 + index * 10
export const variantIdOf = (index: number, position: number): number => productIdOf(index) + 1 + position

const states: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'new', held: 'holded', paid: 'processing', part_sent: 'processing', sent: 'complete' },
  ...{ delivered: 'complete', part_refunded: 'complete', refunded: 'closed', cancelled: 'canceled' },
}

/** There are eight states; the status beside it is a word that merchants choose. */
export function wordsOf({ stage, customStatus, refunded, total }: ShopOrder) {
  const state = refunded > 0 && refunded >= total ? 'closed' : states[stage]
  return { state, status: customStatus?.replace('-', '_') ?? (state === 'new' ? 'pending' : state) }
}

const addressView = (type: string, { company, street, extra, ...address }: Address, email: string) => ({
  ...{ address_type: type, email, firstname: address.firstName, lastname: address.lastName },
  ...(company === null ? {} : { company }),
  street: extra === null ? [street] : [street, extra],
  ...{ postcode: address.zip, city: address.city, region: address.region, region_code: address.regionCode },
  ...{ country_id: address.countryCode, telephone: address.phone },
})

export function orderView(order: ShopOrder, bundles?: string) {
  const { index, currency, buyer, stage } = order
  const amount = (units: number) => units / 10 ** digitsOf(currency)
  const paid = stage === 'unpaid' || stage === 'cancelled' ? 0 : order.total
  const shipTo = addressView('shipping', order.shipTo, buyer.email)
  // Cards are charged with the invoice.
  const reserved = stage === 'unpaid' && index % 2 === 0 ? { amount_authorized: amount(order.total) } : {}
  return {
    ...{ entity_id: orderIdOf(index), increment_id: numberOf(index), ...wordsOf(order), is_virtual: 0 },
    ...{ base_currency_code: 'EUR', order_currency_code: currency, base_to_order_rate: rateOf(currency) },
    ...{ base_grand_total: inCents(order.total, currency) / 100, grand_total: amount(order.total) },
    ...{ subtotal: amount(sumOf(order.lines, rowOf)), discount_amount: -amount(order.discount) },
    ...{ shipping_amount: amount(order.shipping), tax_amount: amount(order.tax), total_paid: amount(paid) },
    ...(order.refunded === 0 ? {} : { total_refunded: amount(order.refunded) }),
    ...(buyer.id === null ? { customer_is_guest: 1 } : { customer_id: buyer.id + 1, customer_is_guest: 0 }),
    ...{ customer_email: buyer.email, customer_firstname: buyer.firstName, customer_lastname: buyer.lastName },
    ...(order.note === null ? {} : { customer_note: order.note }),
    shipping_description: `${order.shippingMethod} - Fixed`,
    ...{ created_at: written(order.placedAt), updated_at: written(order.updatedAt) },
    items: order.lines.flatMap((line) => itemsOf(order, line, bundles)),
    billing_address: addressView('billing', order.billTo, buyer.email),
    payment: { account_status: '', additional_information: ['Card'], cc_last4: '', method: 'checkmo', ...reserved },
    status_histories: order.notes.map((comment, n) => ({
      ...{ comment, entity_id: orderIdOf(index) * 10 + n, parent_id: orderIdOf(index), entity_name: 'order' },
      ...{ is_customer_notified: 0, is_visible_on_front: 0, status: wordsOf(order).status },
    })),
    extension_attributes: {
      shipping_assignments: [{ shipping: { address: shipTo, method: 'flatrate_flatrate' }, items: [] }],
    },
  }
}

/** What a line costs before its discount, without tax. */
const rowOf = ({ total, tax, discount }: OrderLine): number => total - tax + discount

/** How much of a currency one euro is. */
const rateOf = (currency: string): number => convert(100, currency) / 10 ** digitsOf(currency)

/** Two pieces of an article are sold as a set, where the shop has sets: they leave together, or apart. */
const perSet = 2

function itemsOf({ index, currency, stage }: ShopOrder, line: OrderLine, bundles?: string) {
  const { product, position, title, variantTitle } = line
  const scale = 10 ** digitsOf(currency)
  const varies = product !== null && variantTitle !== 'Default Title'
  const id = itemIdOf(index, line.line)
  const counts = {
    ...{ order_id: orderIdOf(index), sku: line.sku, is_virtual: 0, qty_ordered: line.quantity },
    // Where the status said that all has left, all has.
    ...{ qty_shipped: isSent(stage) ? line.quantity : line.sent, qty_canceled: line.cancelled },
    qty_refunded: line.refunded,
  }
  const whole = {
    ...{ ...counts, item_id: id, name: title, product_type: varies ? 'configurable' : 'simple' },
    ...(product === null ? {} : { product_id: productIdOf(product) }),
    price: Number((rowOf(line) / line.quantity / scale).toFixed(4)),
    ...{ row_total: rowOf(line) / scale, discount_amount: line.discount / scale, tax_amount: line.tax / scale },
  }
  if (!varies && bundles) {
    const set = { ...whole, product_type: 'bundle', sku: `SET-${line.sku}` }
    const pieces = Object.entries(counts).map(([name, count]) => [
      name,
      name.startsWith('qty') ? Number(count) * perSet : count,
    ])
    const part = { ...Object.fromEntries(pieces), item_id: id + 1, parent_item_id: id, product_type: 'simple' }
    return [
      bundles === 'apart' ? { ...set, qty_shipped: 0 } : set,
      { ...part, name: title, price: 0, row_total: 0, product_id: whole.product_id },
    ]
  }
  if (!varies) return [whole]
  const article = {
    ...{ ...counts, qty_shipped: 0, item_id: id + 1, parent_item_id: id, product_type: 'simple' },
    ...{ name: `${title} ${variantTitle}`, product_id: variantIdOf(product, position), price: 0, row_total: 0 },
  }
  return [whole, article]
}

export function memoView({ index, currency, lines: sold }: ShopOrder, { refund, amount, at, reason, lines }: Refund) {
  const id = orderIdOf(index) * 10 + refund
  return {
    ...{ entity_id: id, order_id: orderIdOf(index), created_at: written(at) },
    grand_total: amount / 10 ** digitsOf(currency),
    items: lines.map(({ line, quantity }) => ({
      ...{ entity_id: id * 10 + line, base_cost: 0, base_price: 0, order_item_id: itemIdOf(index, line) },
      ...{ sku: sold[line - 1]?.sku, qty: quantity },
    })),
    comments:
      reason === '' ? [] : [{ parent_id: id, comment: reason, is_customer_notified: 0, is_visible_on_front: 0 }],
  }
}

/** A parcel without number is a shipment without tracks. */
export function shipmentView({ index, lines }: ShopOrder, parcel: Parcel, bundles?: string) {
  const shared = { entity_id: shipmentIdOf(index, parcel), order_id: orderIdOf(index) }
  const at = written(parcel.sentAt)
  const track = { track_number: parcel.trackingNumber, title: parcel.carrier, carrier_code: parcel.carrierCode }
  return {
    ...{ ...shared, created_at: at, updated_at: at },
    items: parcel.lines.flatMap(({ line, quantity }) => {
      const set = { order_item_id: itemIdOf(index, line), qty: quantity }
      const isApart = bundles === 'apart' && lines[line - 1]?.variantTitle === 'Default Title'
      return isApart
        ? [
            { ...set, qty: 1 },
            { order_item_id: set.order_item_id + 1, qty: quantity * perSet },
          ]
        : [set]
    }),
    tracks: [{ ...shared, parent_id: shared.entity_id, weight: 0, qty: 0, description: '', created_at: at, ...track }],
    ...{ comments: [], extension_attributes: { source_code: sourceOf(parcel.place) } },
  }
}

export function orderRoutes(world: World): readonly RouteRow[] {
  const { book, work } = world.shop
  const { bundles } = world.settings.variant

  function list(call: Call): Answer {
    const criteria = criteriaIn(call)
    if (isAnswer(criteria)) return criteria
    const byChange = criteria.sorts[0] === 'updated_at'
    const { rest, ...span } = byChange ? spanIn(criteria) : { rest: criteria.groups }
    const test = (index: number) =>
      isFound(rest, (field) => (field === 'entity_id' ? orderIdOf(index) : fieldsOf(shown(index))[field]))
    const shown = (index: number) => {
      const order = book.get(index)
      return order && orderView(order, bundles)
    }
    const query = { changed: span, test: rest.length === 0 ? null : test }
    const total = countOrders(book, { ...query, sort: 'changed' })
    const page = { ...query, offset: offsetWithin(criteria, total), limit: criteria.size }
    const read = byChange ? listBySecond(book, page) : listOrders(book, { ...page, sort: 'placed' })
    return found(
      call,
      criteria,
      ordersOn(world, read).map((order) => orderView(order, bundles)),
      total,
    )
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
  const shipments = partsOf((order) => order.parcels.map((parcel) => shipmentView(order, parcel, bundles)))
  const memos = partsOf((order) => order.refunds.map((refund) => memoView(order, refund)))

  /** What is paid back of lines comes back to stock if it is said; of none of them an amount goes back. */
  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { items, arguments: further, comment } = call.fields()
    const { adjustment_positive: amount, extension_attributes: more } = fieldsOf(further)
    const lines = rowsOf(items)
      .map(({ order_item_id: id, qty }) => ({ line: lineOf(order.index, Number(id)), quantity: wholeOf(qty) ?? 0 }))
      .filter(({ quantity }) => quantity > 0)
    const units = unitsOf((Number(amount) * rateOf(order.currency)).toFixed(2), order.currency)
    const worked = work.refund(order, {
      ...{ amount: lines.length > 0 ? null : units, lines, reason: textOf(fieldsOf(comment)['comment']) ?? '' },
      returned: fieldsOf(more)['return_to_stock_items'] !== undefined,
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
    const lines = rowsOf(items).map(({ order_item_id: id, qty }) => {
      const line = lineOf(order.index, Number(id))
      const isPart = Number(id) !== itemIdOf(order.index, line)
      const isSet = bundles !== undefined && order.lines[line - 1]?.variantTitle === 'Default Title'
      // What does not leave by itself is passed over.
      const quantity = isSet && isPart !== (bundles === 'apart') ? 0 : Number(qty)
      return { line, quantity: isSet && isPart ? quantity / perSet : quantity }
    })
    const worked = work.send(order, {
      ...{ carrier: textOf(title) ?? '', trackingNumber, trackingUrl: null, place: Math.max(0, locationOf(source)) },
      lines: Array.isArray(items) ? lines : null,
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
    const worked = work.amend(order, parcel, { carrier: textOf(title) ?? '', trackingNumber, trackingUrl: null })
    if (worked.ok && worked.changed) record.effect('shipment.amend', String(orderIdOf(order.index)))
    return answer(200, { ...fieldsOf(call.fields()['entity']), entity_id: parent_id })
  }

  /** What is paid is not cancelled any more; the platform just says no. */
  function cancel(order: ShopOrder, _: Call, record: Recorder): Answer {
    if (order.stage !== 'unpaid' || !work.cancel(order, null).ok) return answer(200, false)
    record.effect('order.cancel', String(orderIdOf(order.index)))
    return answer(200, true)
  }

  function comment(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { comment: note, status } = fieldsOf(call.fields()['statusHistory'])
    // The order takes its status from it: one without would leave it with none.
    if (textOf(status) === null || textOf(note) === null) return refusal(400, 'Validation Failed')
    work.note(order, String(note))
    record.effect('order.annotate', String(orderIdOf(order.index)))
    return answer(200, true)
  }
  const moved =
    (effect: string, move: typeof work.hold) =>
    (order: ShopOrder, _: Call, record: Recorder): Answer => {
      const worked = move(order)
      if (!worked.ok) return refusal(400, worked.why)
      record.effect(effect, String(orderIdOf(order.index)))
      return answer(200, true)
    }

  const customers = (call: Call) => searchAmong(call, customersOf(book).map(customerView), (row) => row, heldIn)
  const ofOrder = forOne((id) => book.get(orderIndexOf(id)), noEntity)
  return [
    ['GET', '/V1/customers/search', 'customers.list', customers],
    ['POST', '/V1/orders/:id/comments', 'orders.comment', ofOrder(comment)],
    ['POST', '/V1/orders/:id/hold', 'orders.hold', ofOrder(moved('order.hold', work.hold))],
    ['POST', '/V1/orders/:id/unhold', 'orders.unhold', ofOrder(moved('order.release', work.release))],
    ['POST', '/V1/order/:id/invoice', 'orders.invoice', ofOrder(moved('order.capture', work.capture))],
    ['GET', '/V1/orders', 'orders.list', list],
    ['GET', '/V1/orders/:id', 'orders.get', ofOrder((order) => answer(200, orderView(order, bundles)))],
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

/** The id is called otherwise in searches. */
const heldIn = (row: Fields, field: string): unknown => row[field === 'entity_id' ? 'id' : field]

const customerView = ({ id, email, firstName, lastName, address, createdAt, updatedAt }: ShopCustomer): Fields => ({
  ...{ id: id + 1, email, firstname: firstName, lastname: lastName, group_id: 1, store_id: 1, website_id: 1 },
  ...{ created_at: written(createdAt), updated_at: written(updatedAt), extension_attributes: { is_subscribed: false } },
  addresses: [
    {
      ...{ id: id + 1, customer_id: id + 1, firstname: address.firstName, lastname: address.lastName },
      ...{ street: address.extra === null ? [address.street] : [address.street, address.extra], city: address.city },
      ...{ postcode: address.zip, country_id: address.countryCode, telephone: address.phone, region_id: 0 },
      ...(address.company === null ? {} : { company: address.company }),
      region: { region: address.region, region_code: address.regionCode, region_id: 0 },
    },
  ],
})

/** Bounds of the last change, which the book finds by itself; and what else must hold. */
function spanIn({ groups }: Criteria): Span & { rest: Criteria['groups'] } {
  const boundIn = ([only, ...others]: Criteria['groups'][number]) => {
    const at = only?.field === 'updated_at' && others.length === 0 ? momentOf(only.value) : null
    if (at === null || (only?.condition !== 'gteq' && only?.condition !== 'lt')) return null
    return only.condition === 'lt' ? { before: at } : { from: at }
  }
  return Object.assign({ rest: groups.filter((group) => boundIn(group) === null) }, ...groups.map(boundIn))
}
