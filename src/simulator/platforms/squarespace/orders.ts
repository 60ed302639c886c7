import { decimal } from '../../amounts.ts'
import { momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { rowsOf, textOf } from '../../json.ts'
import { listOrders } from '../../shop/list-orders.ts'
import { type Address, isSent, type OrderLine, type Parcel, type ShopOrder, type Stage } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { customerIdOf, lineIdOf, orderIdOf, orderIndexOf, productIdOf, variantIdOf } from './ids.ts'
import { askedIn, inMilliseconds, no, notFound, pageSize, pagination, spanIn } from './reply.ts'

/** One word for the goods and one for the money; that an order was sent in part has none. */
export const words: Readonly<Record<Stage, readonly [fulfillment: string, payment: string]>> = {
  ...{ unpaid: ['PENDING', 'PENDING'], held: ['PENDING', 'NOT_CHARGED'], paid: ['PENDING', 'PAID'] },
  ...{ part_sent: ['PENDING', 'PAID'], sent: ['FULFILLED', 'PAID'], delivered: ['FULFILLED', 'PAID'] },
  ...{ part_refunded: ['FULFILLED', 'PAID'], refunded: ['FULFILLED', 'REFUNDED'], cancelled: ['CANCELED', 'PAID'] },
}

const fulfillments = ['PENDING', 'FULFILLED', 'CANCELED']
const shownUnasked = ['NOT_CHARGED', 'AUTHORIZED', 'PAID', 'REFUNDED']
const payments = [...shownUnasked, 'PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_FAILED', 'PARTIALLY_PAID']

const addressView = (one: Address) => ({
  ...{ firstName: one.firstName, lastName: one.lastName, address1: one.street, address2: one.extra, city: one.city },
  ...{ state: one.regionCode || one.region, countryCode: one.countryCode, postalCode: one.zip, phone: one.phone },
})

const parcelView = ({ carrier, trackingNumber, trackingUrl, sentAt }: Parcel) => ({
  ...{ shipDate: inMilliseconds(sentAt), carrierName: carrier, service: 'Standard', trackingNumber, trackingUrl },
})

export function orderView(order: ShopOrder) {
  const { index, stage, currency, buyer, note, placedAt, parcels } = order
  const [fulfillmentStatus, paymentState] = words[stage]
  const money = (units: number) => ({ currency, value: decimal(units, currency) })
  const last = parcels.at(-1)
  return {
    ...{ id: orderIdOf(index), orderNumber: String(index + 1), testmode: false, fulfillmentStatus, paymentState },
    ...{ createdOn: inMilliseconds(placedAt), modifiedOn: inMilliseconds(order.updatedAt) },
    ...{ channel: 'web', channelName: null, externalOrderReference: order.reference, customerEmail: buyer.email },
    customerId: buyer.id === null ? null : customerIdOf(buyer.id),
    ...{ billingAddress: addressView(order.billTo), shippingAddress: addressView(order.shipTo) },
    priceTaxInterpretation: order.taxIncluded ? 'INCLUSIVE' : 'EXCLUSIVE',
    fulfilledOn: fulfillmentStatus === 'FULFILLED' ? inMilliseconds(last?.sentAt ?? order.updatedAt) : null,
    fulfillments: parcels.map(parcelView),
    lineItems: order.lines.map((line) => lineView(order, line)),
    shippingLines: [{ method: order.shippingMethod, amount: money(order.shipping) }],
    discountLines: order.discount === 0 ? [] : [discountOf(money(order.discount))],
    internalNotes: order.notes.map((content) => ({ content })),
    // What buyers are asked in the checkout comes as a form, and none of it as nothing.
    formSubmission: note === null ? null : [{ label: 'Delivery notes', value: note }],
    ...{ subtotal: money(order.goods), shippingTotal: money(order.shipping), discountTotal: money(order.discount) },
    ...{ taxTotal: money(order.tax), refundedTotal: money(order.refunded), grandTotal: money(order.total) },
  }
}

const discountOf = (amount: object) => ({ name: 'Sale', description: '10% off', promoCode: 'SALE', amount })

function lineView({ index, currency }: ShopOrder, line: OrderLine) {
  const isPlain = line.variantTitle === 'Default Title'
  return {
    ...{ id: lineIdOf(index, line.line), lineItemType: line.product === null ? 'CUSTOM' : 'PHYSICAL_PRODUCT' },
    productId: line.product === null ? null : productIdOf(line.product),
    variantId: line.product === null ? null : variantIdOf({ product: line.product, position: line.position }),
    ...{ productName: line.title, sku: line.sku, quantity: line.quantity, imageUrl: null, customizations: null },
    unitPricePaid: { currency, value: decimal(line.unitPrice, currency) },
    variantOptions: isPlain ? null : [{ optionName: 'Colour', value: line.variantTitle }],
    ...{ weight: 0, width: 0, length: 0, height: 0 },
  }
}

const wanted = ['carrierName', 'service', 'shipDate', 'trackingNumber']

export function orderRoutes(world: World, path: string): readonly RouteRow[] {
  const { book, work } = world.shop
  // The newest come first; what is written down says only that they are sorted by this time.
  const backwards = world.settings.variant['sort'] !== 'oldest'
  const ofOrder = forOne((id) => book.get(orderIndexOf(id)), notFound)

  function list({ query }: Call): Answer {
    const asked = askedIn(query, [
      'modifiedAfter',
      'modifiedBefore',
      'fulfillmentStatus',
      'paymentStates',
      'customerId',
    ])
    if (typeof asked === 'string') return no(400, asked, 'INVALID_ARGUMENT')
    const { filters, after } = asked
    const span = spanIn(filters)
    if (typeof span === 'string') return no(400, span, 'INVALID_ARGUMENT')
    const goods = textOf(filters['fulfillmentStatus'])
    const money = textOf(filters['paymentStates'])?.split(',') ?? shownUnasked
    if ((goods !== null && !fulfillments.includes(goods)) || !money.every((word) => payments.includes(word)))
      return no(400, 'fulfillmentStatus or paymentStates is not a valid value.', 'INVALID_ARGUMENT')
    const isEverything = goods === null && payments.every((word) => money.includes(word))
    const fits = (index: number) => {
      const [fulfillment, payment] = words[book.get(index)?.stage ?? 'paid']
      return (goods === null || fulfillment === goods) && money.includes(payment)
    }
    const page = listOrders(book, {
      ...{ sort: 'changed', backwards, changed: span, limit: pageSize, after },
      test: isEverything ? null : fits,
    })
    const orders = ordersOn(world, page)
    const last = page.more ? orders.at(-1) : undefined
    const next = last ? { at: last.updatedAt, index: last.index } : null
    return answer(200, { result: orders.map(orderView), pagination: pagination(path, filters, next) })
  }

  /** The order is sent, as a whole, and the buyer gets a letter if that is wanted; told again, another one. */
  function fulfill(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { shipments, shouldSendNotification } = call.fields()
    const parcels = rowsOf(shipments)
    const missing = parcels.flatMap((one) => wanted.filter((name) => textOf(one[name]) === null))
    if (!Array.isArray(shipments) || typeof shouldSendNotification !== 'boolean' || missing.length > 0)
      return no(400, `Required: ${missing[0] ?? 'shouldSendNotification, shipments'}.`, 'MISSING_ARGUMENT')
    for (const one of parcels) {
      const [carrier = '', trackingNumber = ''] = [
        textOf(one['carrierName']) ?? '',
        textOf(one['trackingNumber']) ?? '',
      ]
      const sentAt = momentOf(textOf(one['shipDate']) ?? '')
      if (sentAt === null) return no(400, 'shipDate is not ISO 8601.', 'INVALID_ARGUMENT')
      const now = book.get(order.index) ?? order
      const parcel = { carrier, trackingNumber, trackingUrl: textOf(one['trackingUrl']), sentAt }
      if (isSent(now.stage)) work.track(now, parcel)
      else {
        const worked = work.send(now, { ...parcel, lines: null })
        if (!worked.ok) return no(400, worked.why, 'INVALID_ARGUMENT')
      }
      record.effect(
        'shipment.create',
        `${orderIdOf(order.index)} ${trackingNumber}`,
        null,
        `${order.index} ${trackingNumber}`,
      )
    }
    return answer(204)
  }

  return [
    ['GET', path, 'orders.list', list],
    ['GET', `${path}/:id`, 'orders.get', ofOrder((order) => answer(200, orderView(order)))],
    ['POST', `${path}/:id/fulfillments`, 'orders.fulfill', ofOrder(fulfill)],
  ]
}
