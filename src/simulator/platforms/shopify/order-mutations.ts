import { sumOf, unitsOf } from '../../amounts.ts'
import { type Fields, fieldsOf, listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { type OrderInput, orderFrom } from '../../shop/place-order.ts'
import { addressReader } from '../../shop/received.ts'
import { type Asked, need } from './asked.ts'
import { gid, indexOf, wholeAndPart } from './ids.ts'
import type { Parts } from './queries.ts'
import { books } from './words.ts'

/** Refusals of a change come with status 200, in a list of their own. */
export const userError = (field: readonly string[], message: string, code: string | null = null) => ({
  userErrors: [{ field, message, code }],
})

export const done = <T extends object>(value: T) => ({ ...value, userErrors: [] })

export function createOrderMutations({ world, orders, goods }: Parts) {
  const { book, stockroom, work } = world.shop
  let jobs = 0

  function orderInput(input: Fields): OrderInput {
    const { toUpsert, toAssociate } = fieldsOf(input['customer'])
    const customer = { ...fieldsOf(toAssociate), ...fieldsOf(toUpsert) }
    const shipTo = addressIn(input['shippingAddress'])
    const [shipping = {}] = rowsOf(input['shippingLines'])
    const taxes = rowsOf(input['taxLines'])
    return {
      ...{ currency: books, shipping: amountIn(shipping), shippingMethod: shipping['title'] },
      ...(taxes[0] ? { tax: amountIn(taxes[0]), taxIncluded: input['taxesIncluded'] === true } : {}),
      ...{ reference: input['sourceIdentifier'], note: input['note'], email: input['email'] ?? customer['email'] },
      ...{ firstName: customer['firstName'] ?? shipTo.firstName, lastName: customer['lastName'] ?? shipTo.lastName },
      ...{ shipTo, billTo: addressIn(input['billingAddress']) },
      lines: rowsOf(input['lineItems']).map(({ sku, title, quantity, variantId, priceSet }) => ({
        sku: goods.variantAt(indexOf('ProductVariant', variantId))?.sku ?? sku,
        ...{ title, quantity: wholeOf(quantity) ?? 0, unitPrice: amountIn({ priceSet }) },
      })),
    }
  }

  function onOrder(id: unknown, use: (order: ShopOrder) => object): object {
    const order = book.get(indexOf('Order', id))
    return order ? use(order) : userError(['id'], 'Order does not exist')
  }
  const tagged = (id: unknown, asked: Asked, change: (now: readonly string[]) => readonly string[]) =>
    onOrder(id, ({ index, tags }) => {
      asked.record.effect('order.tag', String(id))
      return done({ node: orders.order(book.change(index, { extra: { tags: change(tags) } })) })
    })
  /** All parts of an order are held, and let go, together here. */
  function ofPart(id: unknown, asked: Asked, effect: string, move: typeof work.hold): object {
    const [whole, at] = wholeAndPart(indexOf('FulfillmentOrder', id))
    const order = book.get(whole)
    if (!order) return userError(['id'], 'Fulfillment order does not exist.')
    const worked = move(order)
    if (!worked.ok) return userError(['id'], worked.why)
    asked.record.effect(effect, String(id))
    return done({ fulfillmentOrder: orders.fulfillmentOrder(worked.value, at) })
  }

  return {
    orderCreate({ order, options }: Fields, asked: Asked) {
      // The buyer is made a customer with it.
      if (fieldsOf(fieldsOf(order)['customer'])['toUpsert']) need(asked, 'write_customers', 'orderCreate')
      const base = orderFrom(stockroom, orderInput(fieldsOf(order)))
      if (typeof base === 'string') return userError(['order'], base, 'INVALID')
      const made = book.add(base, fieldsOf(order)['financialStatus'] === 'PAID' ? 'paid' : 'unpaid')
      asked.record.effect('order.create', gid('Order', made.index), base.reference, base.reference)
      if (fieldsOf(options)['inventoryBehaviour'] !== 'BYPASS') {
        for (const { sku, quantity } of base.lines) {
          const sold = stockroom.bySku(sku)
          if (sold) stockroom.setStock(sold, 0, (sold.stock[0] ?? 0) - quantity)
        }
      }
      return done({ order: orders.order(made) })
    },

    orderCancel({ orderId, reason }: Fields, asked: Asked) {
      const refuse = (why: string, code: string) => ({
        orderCancelUserErrors: userError(['orderId'], why, code).userErrors,
      })
      const order = book.get(indexOf('Order', orderId))
      if (!order) return refuse('Order does not exist', 'NOT_FOUND')
      const worked = work.cancel(order, textOf(reason)?.toLowerCase() ?? 'other')
      if (!worked.ok) return refuse(worked.why, 'INVALID')
      if (!worked.changed) return refuse('Order has already been cancelled', 'INVALID')
      asked.record.effect('order.cancel', gid('Order', order.index))
      const id = `gid://shopify/Job/${world.secretFor(`job ${++jobs}`, 32)}`
      return { job: { id, done: false }, orderCancelUserErrors: [] }
    },

    /** Without money the lines are called off. */
    refundCreate({ input }: Fields, asked: Asked) {
      const { orderId, note, refundLineItems, transactions } = fieldsOf(input)
      const order = book.get(indexOf('Order', orderId))
      if (!order) return userError(['orderId'], 'Order does not exist')
      const backed = rowsOf(refundLineItems)
      const lines = backed.map(({ lineItemId, quantity }) => ({
        ...{ line: wholeAndPart(indexOf('LineItem', lineItemId))[1], quantity: wholeOf(quantity) ?? 0 },
      }))
      const amount = sumOf(rowsOf(transactions), (one) => unitsOf(one['amount'], books) ?? 0)
      const returned = backed.some(({ restockType }) => restockType !== 'NO_RESTOCK')
      const paying = rowsOf(transactions).length > 0
      const worked = paying
        ? work.refund(order, { amount, lines, reason: textOf(note) ?? '', returned })
        : work.callOff(order, lines)
      if (!worked.ok) return userError(['refundLineItems'], worked.why)
      asked.record.effect(paying ? 'refund.create' : 'order.cancel_lines', gid('Order', order.index))
      return done({ refund: { id: gid('Refund', order.index) } })
    },

    fulfillmentTrackingInfoUpdate({ fulfillmentId, trackingInfoInput }: Fields, asked: Asked) {
      const [whole, part] = wholeAndPart(indexOf('Fulfillment', fulfillmentId))
      const order = book.get(whole)
      const parcel = order?.parcels.find((one) => one.parcel === part)
      if (!order || !parcel) return userError(['fulfillmentId'], 'Fulfillment does not exist.')
      const { company, number, url } = fieldsOf(trackingInfoInput)
      const tracking = { trackingNumber: textOf(number) ?? parcel.trackingNumber, trackingUrl: textOf(url) }
      const worked = work.amend(order, parcel, { carrier: textOf(company) ?? parcel.carrier, ...tracking })
      if (!worked.ok) return userError(['trackingInfoInput'], worked.why)
      if (worked.changed) asked.record.effect('shipment.amend', gid('Order', order.index))
      return done({ fulfillment: orders.fulfillment(book.get(order.index) ?? order, worked.value) })
    },

    fulfillmentCancel({ id }: Fields, asked: Asked) {
      const [whole, part] = wholeAndPart(indexOf('Fulfillment', id))
      const order = book.get(whole)
      const parcel = order?.parcels.find((one) => one.parcel === part)
      if (!order || !parcel) return userError(['id'], 'Fulfillment does not exist.')
      asked.record.effect('shipment.cancel', String(id))
      work.takeBack(order, parcel)
      return done({ fulfillment: { ...orders.fulfillment(order, parcel), status: 'CANCELLED' } })
    },

    orderUpdate({ input }: Fields, asked: Asked) {
      const { id, note } = fieldsOf(input)
      return onOrder(id, (order) => {
        asked.record.effect('order.annotate', String(id))
        return done({ order: orders.order(book.change(order.index, { extra: { note: textOf(note) ?? '' } })) })
      })
    },
    tagsAdd: ({ id, tags }: Fields, asked: Asked) =>
      tagged(id, asked, (now) => [...new Set([...now, ...listOf(tags).map(String)])]),
    tagsRemove: ({ id, tags }: Fields, asked: Asked) =>
      tagged(id, asked, (now) => now.filter((tag) => !listOf(tags).includes(tag))),

    fulfillmentOrderHold: ({ id }: Fields, asked: Asked) => ofPart(id, asked, 'order.hold', work.hold),
    fulfillmentOrderReleaseHold: ({ id }: Fields, asked: Asked) => ofPart(id, asked, 'order.release', work.release),

    orderCapture({ input }: Fields, asked: Asked) {
      const { id, amount } = fieldsOf(input)
      return onOrder(id, (order) => {
        const worked = work.capture(order, unitsOf(amount, books) ?? 0)
        if (!worked.ok) return userError(['amount'], 'The amount cannot be captured.')
        asked.record.effect('order.capture', `${id} ${order.captured}`)
        return done({ transaction: { id: gid('OrderTransaction', order.index) } })
      })
    },

    fulfillmentCreate({ fulfillment }: Fields, asked: Asked) {
      const { lineItemsByFulfillmentOrder: groups, trackingInfo } = fieldsOf(fulfillment)
      const [wanted = {}, ...others] = rowsOf(groups)
      const [whole, at] = wholeAndPart(indexOf('FulfillmentOrder', wanted['fulfillmentOrderId']))
      const order = book.get(whole)
      if (!order || !orders.fulfillmentOrder(order, at))
        return userError(['fulfillment'], 'Fulfillment order does not exist.')
      if (order.stage === 'held') return userError(['fulfillment'], 'Fulfillment order is on hold.')
      if (others.length > 0) return userError(['fulfillment'], 'All fulfillment orders must be of one location.')
      const named = rowsOf(wanted['fulfillmentOrderLineItems']).map(({ id, quantity }) => {
        const [of, line] = wholeAndPart(indexOf('FulfillmentOrderLineItem', id))
        return { line: of === whole ? line : 0, quantity: wholeOf(quantity) ?? 0 }
      })
      const here = order.lines.filter((line) => orders.locationOf(line) === at)
      const lines =
        named.length > 0 ? named : here.map(({ line, quantity, sent }) => ({ line, quantity: quantity - sent }))
      if (lines.some(({ line }) => !here.some((one) => one.line === line)))
        return userError(['fulfillment'], 'Invalid fulfillment order line item quantity requested.')
      const { company, number, url } = fieldsOf(trackingInfo)
      const parcel = {
        ...{ carrier: textOf(company) ?? 'Other', trackingNumber: textOf(number) ?? '', trackingUrl: textOf(url) },
        ...{ place: at, beforePaid: true, lines },
      }
      const worked = work.send(order, parcel)
      if (!worked.ok) return userError(['fulfillment'], worked.why)
      const known = `${order.index} ${at} ${parcel.trackingNumber}`
      asked.record.effect('shipment.create', gid('Order', order.index), null, known)
      return done({ fulfillment: orders.fulfillment(book.get(order.index) ?? order, worked.value) })
    },
  }
}

const amountIn = ({ priceSet }: Fields): unknown => fieldsOf(fieldsOf(priceSet)['shopMoney'])['amount'] ?? null

const addressIn = addressReader({
  ...{ firstName: 'firstName', lastName: 'lastName', company: 'company', street: 'address1', extra: 'address2' },
  ...{ city: 'city', regionCode: 'provinceCode', zip: 'zip', countryCode: 'countryCode', phone: 'phone' },
})
