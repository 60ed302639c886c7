import { unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, isAnswer, type Recorder } from '../../http/route.ts'
import { fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { orderFrom } from '../../shop/place-order.ts'
import { addressReader } from '../../shop/received.ts'
import type { Stockroom } from '../../shop/stockroom.ts'
import { ordersOn, type World } from '../../world.ts'
import { articleOf, orderIdOf, partOf } from './ids.ts'
import { orderView, refundView } from './order-views.ts'
import { invalid, no, pageIn, pageOf, spanIn } from './reply.ts'
import type { Site } from './site.ts'
import { stageFor, statusAt, statusOf } from './words.ts'

type Test = (index: number) => boolean

export function createOrderList(world: World, site: Site): (call: Call) => Answer {
  const { book } = world.shop

  function testsIn({ query }: Call): Test[] {
    const listed = (name: string) => query.getAll(name).flatMap((text) => text.split(','))
    const wanted = [...listed('status'), ...listed('status[]')]
    const ids = listed('include')
    const search = query.get('search')
    const referred = search ? book.byReference(search) : null
    return [
      ...(wanted.length > 0 && !wanted.includes('any') ? [(i: number) => wanted.includes(statusAt(book, i))] : []),
      ...(ids.length > 0 ? [(i: number) => ids.includes(String(orderIdOf(i)))] : []),
      ...(search ? [(i: number) => i === referred || String(orderIdOf(i)) === search] : []),
    ]
  }

  return (call) => {
    const page = pageIn(call)
    if (isAnswer(page)) return page
    const orderby = call.query.get('orderby') ?? 'date'
    if (!['date', 'id', ...(site.age === 'refuses' ? [] : ['modified'])].includes(orderby)) return invalid('orderby')
    const changed = site.age === 'new' ? spanIn(call, 'modified_after', 'modified_before') : {}
    const placed = spanIn(call, 'after', 'before')
    if (isAnswer(changed)) return changed
    if (isAnswer(placed)) return placed
    const sort = orderby === 'modified' ? 'changed' : 'placed'
    const tests = testsIn(call)
    const query: OrderQuery = {
      ...{ sort, changed, placed, limit: page.perPage, offset: page.offset },
      backwards: (call.query.get('order') ?? 'desc') === 'desc',
      test: tests.length === 0 ? null : (index) => tests.every((test) => test(index)),
    }
    const total = countOrders(book, query)
    const rows = ordersOn(world, listOrders(book, query)).map((order) => orderView(order, site))
    return pageOf(call, page, total, rows)
  }
}

export function createOrders({ shop }: World, site: Site) {
  const { book, stockroom, work } = shop
  return {
    create(call: Call, record: Recorder): Answer {
      const input = call.fields()
      const billing = fieldsOf(input['billing'])
      const meta = metaIn(input['meta_data'])
      const [shipping = {}] = rowsOf(input['shipping_lines'])
      if (shipping['total'] !== undefined && !textOf(shipping['method_id']))
        return no(400, 'woocommerce_rest_invalid_shipping_item', 'Shipping method ID is required.')
      const base = orderFrom(stockroom, {
        ...{ currency: input['currency'], reference: meta[0]?.value, note: input['customer_note'] },
        ...{ email: billing['email'], firstName: billing['first_name'], lastName: billing['last_name'] },
        ...{ shipTo: addressFrom(input['shipping']), billTo: addressFrom(billing) },
        ...{ shipping: shipping['total'], shippingMethod: shipping['method_title'] },
        lines: listOf(input['line_items']).map((line) => lineFrom(stockroom, line)),
      })
      if (typeof base === 'string') return no(400, 'woocommerce_rest_invalid_order', base)
      const stage = stageFor[textOf(input['status']) ?? ''] ?? (input['set_paid'] === true ? 'paid' : 'unpaid')
      const made = book.add(base, stage)
      const order = meta.length > 0 ? book.change(made.index, { extra: { meta } }) : made
      record.effect('order.create', String(orderIdOf(made.index)), base.reference, base.reference)
      return answer(201, orderView(order, site))
    },

    update(order: ShopOrder, call: Call, record: Recorder): Answer {
      const input = call.fields()
      const status = textOf(input['status'])
      const stage = status === null ? undefined : stageFor[status]
      if (status !== null && !stage) return invalid('status')
      const id = String(orderIdOf(order.index))
      const note = textOf(input['customer_note'])
      const meta = metaIn(input['meta_data'])
      const moves = stage !== undefined && statusOf(order) !== status
      if (!moves && note === null && meta.length === 0) return answer(200, orderView(order, site))
      record.effect(stage === 'cancelled' ? 'order.cancel' : moves ? `order.${status}` : 'order.update', id)
      if (stage === 'cancelled' && order.parcels.length === 0) {
        const worked = work.cancel(order, 'other')
        if (worked.ok) return answer(200, orderView(worked.value, site))
      }
      const kept = order.meta.filter(({ key }) => meta.every((one) => one.key !== key))
      const extra = {
        // What was sent stays as it was told: a status says nothing about parcels here.
        parcels: order.parcels,
        ...(stage === 'held' && order.stage === 'paid' ? { paidBefore: true } : {}),
        ...(note === null ? {} : { note }),
        ...(meta.length === 0 ? {} : { meta: [...kept, ...meta] }),
      }
      return answer(200, orderView(book.change(order.index, { ...(moves && stage ? { stage } : {}), extra }), site))
    },

    /** By the amount alone; what is told of lines has to come to it. */
    refund(order: ShopOrder, call: Call, record: Recorder): Answer {
      const { amount, reason, line_items, api_restock, api_refund, meta_data } = call.fields()
      const cannot = 'woocommerce_rest_cannot_create_order_refund'
      // Who makes an order from outside names no gateway.
      if (api_refund !== false && order.reference !== null)
        return no(500, cannot, 'The payment gateway for this order does not exist.')
      const lines = listOf(line_items).map((value) => {
        const { id, quantity } = fieldsOf(value)
        return { line: partOf(order.index, wholeOf(id) ?? 0), quantity: wholeOf(quantity) ?? 0 }
      })
      const how = { reason: textOf(reason) ?? '', returned: api_restock !== false, lines, meta: rowsOf(meta_data) }
      const worked = work.refund(order, { amount: unitsOf(amount, order.currency) ?? 0, ...how })
      if (!worked.ok) return no(500, cannot, worked.why)
      record.effect('refund.create', String(orderIdOf(order.index)))
      return answer(201, refundView(order, worked.value))
    },

    remove(order: ShopOrder, _: Call, record: Recorder): Answer {
      book.remove(order.index)
      record.effect('order.delete', String(orderIdOf(order.index)))
      return answer(200, orderView(order, site))
    },
  }
}

/** Named by its product or variation; the price is what the whole line comes to. */
function lineFrom(stockroom: Stockroom, value: unknown) {
  const { name, quantity, total, product_id, variation_id } = fieldsOf(value)
  const count = wholeOf(quantity) ?? 1
  const article = articleOf(textOf(variation_id) ?? textOf(product_id) ?? '')
  const product = stockroom.product(article?.index ?? -1)
  return {
    sku: product?.variants[Math.max(0, article?.position ?? 0)]?.sku ?? null,
    ...{ title: name, quantity: count },
    unitPrice: textOf(total) === null ? null : (Number(total) / count).toFixed(6),
  }
}

const metaIn = (value: unknown): ShopOrder['meta'] =>
  rowsOf(value).flatMap(({ key, value: held }) => {
    const name = textOf(key)
    return name === null ? [] : [{ key: name, value: textOf(held) ?? '' }]
  })

const addressFrom = addressReader({
  ...{ firstName: 'first_name', lastName: 'last_name', company: 'company', street: 'address_1', extra: 'address_2' },
  ...{ city: 'city', regionCode: 'state', zip: 'postcode', countryCode: 'country', phone: 'phone' },
})
