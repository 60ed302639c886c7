import { momentOf } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { ShopOrder } from '../../shop/order.ts'
import type { OrderPatch } from '../../shop/order-book.ts'
import { orderFrom } from '../../shop/place-order.ts'
import { addTracking, cancelOrder } from '../../shop/work-on-order.ts'
import { answer, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf, productIndexOf } from './ids.ts'
import { createOrderList } from './list-orders.ts'
import { addressFrom } from './read-address.ts'
import { invalid, no, notFound } from './reply.ts'
import { orderView, trackingView } from './views.ts'
import { stageFor, statuses } from './words.ts'

export function createOrders(world: World) {
  const { book, stockroom } = world.shop
  const notes = new Map<number, { id: number; note: string; customer_note: boolean }[]>()
  const found = (id: string, use: (order: ShopOrder) => Answer): Answer => {
    const order = book.get(orderIndexOf(id))
    return order ? use(order) : notFound('shop_order')
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const billing = fieldsOf(input['billing'])
    const meta = metaIn(input['meta_data'])
    const base = orderFrom(stockroom, {
      currency: textOf(input['currency']) ?? 'EUR',
      reference: meta[0]?.value ?? null,
      note: textOf(input['customer_note']),
      email: textOf(billing['email']),
      firstName: textOf(billing['first_name']),
      lastName: textOf(billing['last_name']),
      shipTo: addressFrom(input['shipping']),
      billTo: addressFrom(input['billing']),
      lines: listOf(input['line_items']).map((value) => {
        const { sku, name, quantity, total, product_id } = fieldsOf(value)
        const count = wholeOf(quantity) ?? 1
        const product = stockroom.product(productIndexOf(textOf(product_id) ?? ''))
        const unitPrice = textOf(total) === null ? null : (Number(total) / count).toFixed(6)
        return {
          sku: textOf(sku) ?? product?.variants[0]?.sku ?? null,
          title: textOf(name),
          quantity: count,
          unitPrice,
        }
      }),
    })
    if (typeof base === 'string') return no(400, 'woocommerce_rest_invalid_order', base)
    const stage = stageFor[textOf(input['status']) ?? ''] ?? (input['set_paid'] === true ? 'paid' : 'unpaid')
    const made = book.add(base, stage)
    const order = meta.length > 0 ? book.change(made.index, { extra: { meta } }) : made
    record.effect('order.create', String(orderIdOf(made.index)), base.reference, base.reference)
    return answer(201, orderView(order))
  }

  function update(order: ShopOrder, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const status = textOf(input['status'])
    const stage = status === null ? undefined : stageFor[status]
    if (status !== null && !stage) return invalid('status')
    const id = String(orderIdOf(order.index))
    if (stage === 'cancelled' && order.stage !== 'cancelled') {
      const worked = cancelOrder(book, order, 'other')
      if (!worked.ok) return no(400, 'woocommerce_rest_cannot_update', worked.why)
      record.effect('order.cancel', id)
      return answer(200, orderView(worked.value))
    }
    const note = textOf(input['customer_note'])
    const meta = metaIn(input['meta_data'])
    const moves = stage !== undefined && statuses[order.stage] !== status
    if (!moves && note === null && meta.length === 0) return answer(200, orderView(order))
    const patch: OrderPatch = {
      ...(moves && stage ? { stage } : {}),
      extra: {
        // What was sent stays as it was told: a status says nothing about parcels here.
        parcels: order.parcels,
        ...(note === null ? {} : { note }),
        ...(meta.length === 0 ? {} : { meta: merge(order.meta, meta) }),
      },
    }
    record.effect(moves ? `order.${status}` : 'order.update', id)
    return answer(200, orderView(book.change(order.index, patch)))
  }

  function addNote(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { note, customer_note } = call.fields()
    const text = textOf(note)
    if (text === null) return invalid('note', 'Missing parameter(s): note')
    const known = notes.get(order.index) ?? []
    const made = { id: order.index * 100 + known.length, note: text, customer_note: customer_note === true }
    notes.set(order.index, [...known, made])
    record.effect('note.create', String(orderIdOf(order.index)))
    return answer(201, made)
  }

  function track(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { tracking_provider, custom_tracking_provider, tracking_number, custom_tracking_link, date_shipped } =
      call.fields()
    const trackingNumber = textOf(tracking_number)
    if (trackingNumber === null) return invalid('tracking_number', 'Missing parameter(s): tracking_number')
    const parcel = addTracking(book, order, {
      carrier: textOf(tracking_provider) ?? textOf(custom_tracking_provider) ?? 'Other',
      trackingNumber,
      trackingUrl: textOf(custom_tracking_link),
      sentAt: momentOf(textOf(date_shipped) ?? '') ?? world.clock.now(),
    })
    record.effect('shipment.create', String(orderIdOf(order.index)), null, `${order.index} ${trackingNumber}`)
    return answer(201, trackingView(order, parcel))
  }

  function remove(order: ShopOrder, record: Recorder): Answer {
    book.remove(order.index)
    record.effect('order.delete', String(orderIdOf(order.index)))
    return answer(200, orderView(order))
  }

  return {
    list: createOrderList(world),
    create,
    get: (id: string) => found(id, (order) => answer(200, orderView(order))),
    update: (id: string, call: Call, record: Recorder) => found(id, (order) => update(order, call, record)),
    remove: (id: string, record: Recorder) => found(id, (order) => remove(order, record)),
    notes: (id: string) => found(id, (order) => answer(200, notes.get(order.index) ?? [])),
    addNote: (id: string, call: Call, record: Recorder) => found(id, (order) => addNote(order, call, record)),
    trackings: (id: string) =>
      found(id, (order) =>
        answer(
          200,
          order.parcels.map((parcel) => trackingView(order, parcel)),
        ),
      ),
    track: (id: string, call: Call, record: Recorder) => found(id, (order) => track(order, call, record)),
  }
}

type Meta = ShopOrder['meta']

const metaIn = (value: unknown): Meta =>
  listOf(value).flatMap((entry) => {
    const { key, value: held } = fieldsOf(entry)
    const name = textOf(key)
    return name === null ? [] : [{ key: name, value: textOf(held) ?? '' }]
  })

const merge = (old: Meta, fresh: Meta): Meta => [
  ...old.filter(({ key }) => fresh.every((one) => one.key !== key)),
  ...fresh,
]
