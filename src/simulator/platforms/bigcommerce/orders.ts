import { decimal, unitsOf } from '../../amounts.ts'
import { inSeconds, isWithin } from '../../clock.ts'
import { type Answer, answer, below, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { customersOf } from '../../shop/customers.ts'
import { listOrders } from '../../shop/list-orders.ts'
import type { Refund, ShopOrder } from '../../shop/order.ts'
import { orderFrom } from '../../shop/place-order.ts'
import { addressReader } from '../../shop/received.ts'
import { costOf } from '../../shop/work-on-order.ts'
import { ordersOn, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf, partIdOf, partOf, variantAt } from './ids.ts'
import { addressOf, customerView, orderView, parcelView } from './order-views.ts'
import { complaint, listed, missing, pageIn, pageOf, spanIn } from './reply.ts'
import { providers, stageFor, wordsOf } from './words.ts'

export function orderRoutes(world: World, base: string): readonly RouteRow[] {
  const { book, stockroom, work } = world.shop
  const ofOrder = forOne((id) => book.get(orderIndexOf(id)), missing)
  /** By its id one that was deleted is still there. */
  const shown = forOne((id) => book.get(orderIndexOf(id)) ?? book.archived(orderIndexOf(id)), missing)
  const view = (order: ShopOrder, { query }: Call) =>
    orderView(order, base, { include: query.get('include') ?? '', archived: book.get(order.index) === null })

  function list(call: Call): Answer {
    const { query } = call
    const { limit, first } = pageIn(call)
    const [by = 'id', direction = 'asc'] = (query.get('sort') ?? 'id').split(':')
    const span = spanIn(call, 'min_date_modified', 'max_date_modified')
    if (!span || !['id', 'date_modified'].includes(by)) return complaint(400, 'A filter or sort field is invalid.')
    const sort = by === 'id' ? 'placed' : 'changed'
    const reference = query.get('external_order_id')
    const referred = reference === null ? null : book.byReference(reference)
    const read = listOrders(book, {
      ...{ sort, backwards: direction === 'desc', limit, offset: first, changed: span },
      test: reference === null ? null : (index) => index === referred,
    })
    return listed(ordersOn(world, read).map((order) => view(order, call)))
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const bill = fieldsOf(input['billing_address'])
    if (typeof bill['zip'] !== 'string') return complaint(400, "The required field 'billing_address.zip' is missing.")
    const there = fieldsOf(listOf(input['shipping_addresses'])[0] ?? bill)
    const made = orderFrom(stockroom, {
      ...{ currency: input['default_currency_code'], reference: input['external_order_id'] },
      ...{ note: input['customer_message'], email: bill['email'] },
      ...{ firstName: bill['first_name'], lastName: bill['last_name'] },
      ...{ shipTo: addressFrom(there), billTo: addressFrom(bill) },
      lines: rowsOf(input['products']).map(({ variant_id, sku, name, quantity, price_inc_tax, price_ex_tax }) => {
        const { product, position } = variantAt(wholeOf(variant_id) ?? -1)
        const known = stockroom.product(product)?.variants[position]
        return {
          ...{ sku: known?.sku ?? sku, title: name, quantity: wholeOf(quantity) ?? 0 },
          unitPrice: price_ex_tax ?? price_inc_tax ?? null,
        }
      }),
      ...{ shipping: input['shipping_cost_ex_tax'], shippingMethod: there['shipping_method'] },
      // Nothing is reckoned here: who names both sides of the total has named the tax.
      ...(input['total_inc_tax'] === undefined ? {} : { tax: taxIn(input), taxIncluded: false }),
    })
    if (typeof made === 'string') return complaint(400, made)
    const order = book.add(made, stageFor(wholeOf(input['status_id'])) ?? 'unpaid')
    record.effect('order.create', String(orderIdOf(order.index)), made.reference, made.reference)
    return answer(200, view(order, call))
  }

  /** Any status may follow any other here, and says nothing about parcels. */
  const update = ofOrder((order, call, record, [id]) => {
    const { status_id, customer_message, staff_notes } = call.fields()
    const wanted = wholeOf(status_id)
    const stage = stageFor(wanted)
    if (wanted !== null && !stage) return complaint(400, "The field 'status_id' is invalid.")
    const note = textOf(customer_message)
    const moves = stage !== null && stage !== order.stage
    const notes = textOf(staff_notes)
    if (!moves && note === null && notes === null) return answer(200, view(order, call))
    record.effect(moves && stage === 'cancelled' ? 'order.cancel' : 'order.update', id)
    const extra = {
      parcels: order.parcels,
      ...(note === null ? {} : { note }),
      ...(notes === null ? {} : { notes: [notes] }),
    }
    return answer(200, view(book.change(order.index, { ...(moves ? { stage } : {}), extra }), call))
  })

  const send = ofOrder((order, call, record, [id]) => {
    const input = call.fields()
    const { index } = order
    const carrier = carrierIn(input)
    if (carrier === undefined) return badProvider
    const address = partOf(index, wholeOf(input['order_address_id']) ?? 0)
    const lines = rowsOf(input['items']).map(({ order_product_id: id, quantity }) => ({
      ...{ line: partOf(index, wholeOf(id) ?? 0), quantity: wholeOf(quantity) ?? 0 },
    }))
    if (lines.length === 0) return complaint(400, "The required field 'items' is missing.")
    if (lines.some(({ line }) => addressOf(order, line) !== address))
      return complaint(400, "The field 'order_address_id' is invalid.")
    const trackingNumber = textOf(input['tracking_number']) ?? ''
    const worked = work.send(order, {
      carrier: carrier ?? 'None',
      ...{ trackingNumber, trackingUrl: textOf(input['tracking_link']), lines },
    })
    if (!worked.ok) return complaint(400, worked.why)
    record.effect('shipment.create', id, null, `${id} ${trackingNumber} ${address}`)
    return answer(201, parcelView(book.get(index) ?? order, worked.value))
  })

  /** What is left out stays. */
  const correct = ofOrder((order, call, record, [id, shipment]) => {
    const input = call.fields()
    const carrier = carrierIn(input)
    if (carrier === undefined) return badProvider
    const parcel = order.parcels.find((one) => String(parcelView(order, one).id) === shipment)
    if (!parcel) return missing()
    const worked = work.amend(order, parcel, {
      carrier: carrier ?? parcel.carrier,
      trackingNumber: textOf(input['tracking_number']) ?? parcel.trackingNumber,
      trackingUrl: input['tracking_link'] === undefined ? parcel.trackingUrl : textOf(input['tracking_link']),
    })
    if (!worked.ok) return complaint(400, worked.why)
    if (worked.changed) record.effect('shipment.amend', id)
    return answer(200, parcelView(book.get(order.index) ?? order, worked.value))
  })

  const withdraw = ofOrder((order, _, record, [, shipment]) => {
    const parcel = order.parcels.find((one) => String(parcelView(order, one).id) === shipment)
    if (!parcel) return missing()
    record.effect('shipment.cancel', shipment)
    work.takeBack(order, parcel)
    return answer(204)
  })
  /** Only what was reserved by a card; it is taken by and by. */
  const capture = ofOrder((order, _, record, [id]) => {
    if (wordsOf(order).payment !== 'authorized') return complaint(400, 'Transaction error: Cannot capture order')
    work.capture(order)
    record.effect('order.capture', id)
    return answer(201, {})
  })

  const shipments = ofOrder((order, call) => {
    const { first, limit } = pageIn(call)
    return listed(order.parcels.slice(first, first + limit).map((parcel) => parcelView(order, parcel)))
  })

  const refundView = ({ index, currency }: ShopOrder, { refund, amount, at, reason, lines }: Refund) => ({
    ...{ id: orderIdOf(index) * 10 + refund, order_id: orderIdOf(index), created: inSeconds(at), reason },
    total_amount: Number(decimal(amount, currency)),
    total_tax: 0,
    items: lines.map(({ line, quantity }) => ({ item_type: 'PRODUCT', item_id: partIdOf(index, line), quantity })),
    payments: [{ id: 1, provider_id: 'custom', amount: Number(decimal(amount, currency)), offline: true }],
  })
  /** Pieces of products, or an amount of the order. */
  const wantedIn = ({ index, currency }: ShopOrder, call: Call) => {
    const items = rowsOf(call.fields()['items'])
    const lines = items.flatMap(({ item_type, item_id, quantity }) =>
      item_type === 'PRODUCT' ? [{ line: partOf(index, wholeOf(item_id) ?? 0), quantity: wholeOf(quantity) ?? 0 }] : [],
    )
    const amount = lines.length > 0 ? null : (unitsOf(items[0]?.['amount'], currency) ?? 0)
    return { lines, amount, reason: textOf(items[0]?.['reason']) ?? '', returned: false }
  }
  const quote = ofOrder((order, call) => {
    const { lines, amount } = wantedIn(order, call)
    const units = Number(decimal(amount ?? costOf(order, lines), order.currency))
    const option = { provider_id: 'custom', provider_description: 'Custom', amount: units, offline: true }
    const total = { order_id: orderIdOf(order.index), total_refund_amount: units, total_refund_tax_amount: 0 }
    return answer(201, { data: { ...total, refund_methods: [[option]] }, meta: {} })
  })
  const refund = ofOrder((order, call, record, [id]) => {
    const worked = work.refund(order, wantedIn(order, call))
    if (!worked.ok) return complaint(422, worked.why)
    record.effect('refund.create', id)
    return answer(201, { data: refundView(order, worked.value), meta: {} })
  })
  const refunds = ofOrder((order) =>
    answer(200, { data: order.refunds.map((one) => refundView(order, one)), meta: {} }),
  )

  const actions = '/v3/orders/:id/payment_actions'
  const paidBack: readonly RouteRow[] = [
    ['GET', `${actions}/refunds`, 'refunds.list', refunds],
    ['POST', `${actions}/refunds`, 'refunds.create', refund],
    ['POST', `${actions}/capture`, 'orders.capture', capture],
    ['POST', `${actions}/refund_quotes`, 'refunds.quote', quote],
  ]
  const own = below('/v2/orders', [
    ['GET', '', 'orders.list', list],
    ['POST', '', 'orders.create', create],
    ['GET', '/:id', 'orders.get', shown((order, call) => answer(200, view(order, call)))],
    ['PUT', '/:id', 'orders.update', update],
    ['GET', '/:id/shipments', 'shipments.list', shipments],
    ['POST', '/:id/shipments', 'shipments.create', send],
    ['PUT', '/:id/shipments/:shipment', 'shipments.update', correct],
    ['DELETE', '/:id/shipments/:shipment', 'shipments.delete', withdraw],
  ])
  function customers(call: Call): Answer {
    const ids = call.query.get('id:in')?.split(',')
    const span = spanIn(call, 'date_modified:min', 'date_modified:max')
    const rows = customersOf(book).filter(
      ({ id, updatedAt }) => id > 0 && (!ids || ids.includes(String(id))) && isWithin(updatedAt, span ?? {}),
    )
    return pageOf(call, rows, customerView)
  }
  return [...own, ...paidBack, ['GET', '/v3/customers', 'customers.list', customers]]
}

const taxIn = ({ total_inc_tax: inc, total_ex_tax: ex }: Fields): string => (Number(inc) - Number(ex)).toFixed(2)

const badProvider = complaint(400, "The field 'shipping_provider' is invalid.")

/** Null where none is told; undefined for one that the platform does not know. */
function carrierIn({ shipping_provider, tracking_carrier, shipping_method }: Fields): string | null | undefined {
  const provider = textOf(shipping_provider)
  if (provider !== null) return providers.find((known) => known === provider)
  const followed = textOf(tracking_carrier)
  // As AfterShip names them: one word of small letters.
  if (followed !== null) return /^[a-z0-9-]+$/.test(followed) ? followed : undefined
  return textOf(shipping_method)
}

const addressFrom = addressReader({
  ...{ firstName: 'first_name', lastName: 'last_name', company: 'company', street: 'street_1', extra: 'street_2' },
  ...{ city: 'city', region: 'state', zip: 'zip', country: 'country', countryCode: 'country_iso2', phone: 'phone' },
})
