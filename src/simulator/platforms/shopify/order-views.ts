import { inSeconds } from '../../clock.ts'
import type { Fields } from '../../json.ts'
import { locations } from '../../shop/goods.ts'
import type { Address, OrderLine, Parcel, Refund, ShopOrder } from '../../shop/order.ts'
import type { World } from '../../world.ts'
import { type Asked, need, pageOf } from './asked.ts'
import type { GoodsViews } from './goods-views.ts'
import { gid, numberOf, orderName, part } from './ids.ts'
import { books, financialStatus, fulfillmentOf, fulfillmentOrderStatus, maybeTime, moneyBag } from './words.ts'

export type OrderViews = ReturnType<typeof createOrderViews>

/** Orders and all that hangs on them, as the platform shows them. */
export function createOrderViews({ settings }: World, goods: GoodsViews) {
  /** In some shops the goods of an order lie in two locations, and each has a fulfilment order of its own. */
  const divided = settings.variant['locations'] === 'several'
  const locationOf = ({ line }: OrderLine) => (divided ? (line + 1) % 2 : 0)

  function order(one: ShopOrder) {
    const { index, stage, buyer, lines, parcels, refunds } = one
    const bag = (units: number) => () => moneyBag(units, one.presentment)
    return {
      ...{ __typename: 'Order', id: gid('Order', index), legacyResourceId: String(numberOf('Order', index)) },
      ...{ name: orderName(index), number: index + 1001, closedAt: null, closed: false, confirmed: true, test: false },
      createdAt: inSeconds(one.placedAt),
      processedAt: inSeconds(one.placedAt),
      updatedAt: inSeconds(one.updatedAt),
      cancelledAt: maybeTime(one.cancelledAt),
      cancelReason: one.cancelReason?.toUpperCase() ?? null,
      displayFinancialStatus: financialStatus(stage),
      displayFulfillmentStatus: fulfillmentOf(one),
      ...{ currencyCode: books, presentmentCurrencyCode: one.presentment, taxesIncluded: one.taxIncluded },
      ...{ email: buyer.email || null, phone: buyer.phone || null, note: one.note, tags: one.tags },
      ...{ sourceName: one.reference === null ? 'web' : 'api', sourceIdentifier: one.reference, customAttributes: [] },
      customer(_: Fields, asked: Asked) {
        need(asked, 'read_customers', 'customer')
        return buyer.id === null ? null : customer(one)
      },
      shippingAddress: () => address(one.shipTo),
      billingAddress: () => address(one.billTo),
      subtotalPriceSet: bag(one.goods - one.discount),
      totalDiscountsSet: bag(one.discount),
      totalShippingPriceSet: bag(one.shipping),
      totalTaxSet: bag(one.tax),
      totalPriceSet: bag(one.total),
      currentTotalPriceSet: bag(one.total - one.refunded),
      totalRefundedSet: bag(one.refunded),
      shippingLine: () => shippingLine(one),
      shippingLines: (args: Fields, asked: Asked) => pageOf([one], args, asked, shippingLine),
      lineItems: (args: Fields, asked: Asked) => pageOf(lines, args, asked, (each) => line(one, each)),
      fulfillments: ({ first }: Fields) =>
        parcels.slice(0, typeof first === 'number' ? first : 250).map((parcel) => fulfillment(one, parcel)),
      fulfillmentOrders(args: Fields, asked: Asked) {
        need(asked, 'read_merchant_managed_fulfillment_orders', 'fulfillmentOrders')
        return pageOf([...new Set(lines.map(locationOf))], args, asked, (at) => fulfillmentOrder(one, at))
      },
      refunds: () => refunds.map((each) => refund(one, each)),
    }
  }

  const customer = ({ buyer: { id, firstName, lastName, email, phone } }: ShopOrder) => ({
    ...{ id: gid('Customer', id ?? 0), legacyResourceId: String(numberOf('Customer', id ?? 0)) },
    ...{ firstName, lastName, displayName: `${firstName} ${lastName}` },
    defaultEmailAddress: email ? { emailAddress: email } : null,
    defaultPhoneNumber: phone ? { phoneNumber: phone } : null,
  })

  const shippingLine = (one: ShopOrder) => ({
    ...{ id: gid('ShippingLine', one.index), title: one.shippingMethod, code: one.shippingMethod.toLowerCase() },
    originalPriceSet: () => moneyBag(one.shipping, one.presentment),
  })

  function line(one: ShopOrder, each: OrderLine) {
    const { product, position, quantity, unitPrice, discount, tax, title, variantTitle } = each
    const bag = (units: number) => () => moneyBag(units, one.presentment)
    const named = variantTitle === 'Default Title' ? null : variantTitle
    return {
      ...{ __typename: 'LineItem', id: gid('LineItem', part(one.index, each.line)) },
      ...{ title, variantTitle: named, name: named ? `${title} - ${named}` : title, sku: each.sku || null, quantity },
      currentQuantity: quantity - each.cancelled - each.refunded,
      unfulfilledQuantity: quantity - each.sent - each.cancelled,
      ...{ requiresShipping: true, taxable: true, customAttributes: [] },
      originalUnitPriceSet: bag(unitPrice),
      originalTotalSet: bag(unitPrice * quantity),
      // What a code takes off the whole order is allocated to its lines, and no discount of theirs.
      discountedTotalSet: bag(unitPrice * quantity),
      totalDiscountSet: bag(0),
      discountAllocations: discount === 0 ? [] : [{ allocatedAmountSet: bag(discount) }],
      taxLines: () => (tax === 0 ? [] : [{ title: 'VAT', rate: one.taxRate / 100, priceSet: bag(tax) }]),
      product: () => (product === null ? null : goods.productAt(product)),
      variant() {
        const found = product === null ? null : goods.variantAt(part(product, position))
        return found && goods.variant(found)
      },
    }
  }

  const lineAt = (one: ShopOrder, number: number) => {
    const found = one.lines[number - 1]
    return found ? line(one, found) : null
  }

  const refund = (one: ShopOrder, { refund: number, at, reason, amount, lines, returned }: Refund) => ({
    ...{ id: gid('Refund', part(one.index, number)), createdAt: inSeconds(at), note: reason },
    totalRefundedSet: () => moneyBag(amount, one.presentment),
    refundLineItems: (args: Fields, asked: Asked) =>
      pageOf(lines, args, asked, ({ line: of, quantity }) => ({
        ...{ quantity, restockType: returned ? 'RETURN' : 'NO_RESTOCK', lineItem: () => lineAt(one, of) },
      })),
  })

  const fulfillment = (one: ShopOrder, parcel: Parcel) => ({
    ...{ __typename: 'Fulfillment', id: gid('Fulfillment', part(one.index, parcel.parcel)), status: 'SUCCESS' },
    name: `${orderName(one.index)}-F${parcel.parcel}`,
    displayStatus: parcel.delivered ? 'DELIVERED' : 'FULFILLED',
    createdAt: inSeconds(parcel.sentAt),
    updatedAt: inSeconds(one.updatedAt),
    deliveredAt: parcel.delivered ? inSeconds(Math.max(parcel.sentAt, one.placedAt)) : null,
    totalQuantity: parcel.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    location: () => goods.location(parcel.place),
    trackingInfo: [{ company: parcel.carrier, number: parcel.trackingNumber, url: parcel.trackingUrl }],
    order: () => order(one),
    fulfillmentLineItems: (args: Fields, asked: Asked) =>
      pageOf(parcel.lines, args, asked, ({ line: of, quantity }) => ({
        id: gid('FulfillmentLineItem', part(part(one.index, parcel.parcel), of)),
        ...{ quantity, lineItem: () => lineAt(one, of) },
      })),
  })

  /** What is to be sent from one location; null where nothing of the order is. */
  function fulfillmentOrder(one: ShopOrder, at: number) {
    const lines = one.lines.filter((each) => locationOf(each) === at)
    if (lines.length === 0) return null
    const left = lines.some((each) => remaining(each) > 0)
    const status = left || one.stage === 'cancelled' ? fulfillmentOrderStatus(one.stage) : 'CLOSED'
    const actions = { OPEN: ['CREATE_FULFILLMENT', 'MOVE', 'HOLD'], IN_PROGRESS: ['CREATE_FULFILLMENT'] }
    const held = status === 'ON_HOLD' ? ['RELEASE_HOLD'] : []
    return {
      ...{ __typename: 'FulfillmentOrder', id: gid('FulfillmentOrder', part(one.index, at)), status },
      supportedActions: (status === 'OPEN' || status === 'IN_PROGRESS' ? actions[status] : held).map((action) => ({
        action,
      })),
      assignedLocation: { name: locations[at] ?? '', location: () => goods.location(at) },
      order: () => order(one),
      lineItems: (args: Fields, asked: Asked) =>
        pageOf(lines, args, asked, (each) => ({
          id: gid('FulfillmentOrderLineItem', part(one.index, each.line)),
          ...{ totalQuantity: each.quantity, remainingQuantity: remaining(each), lineItem: () => line(one, each) },
        })),
    }
  }

  return { order, fulfillment, fulfillmentOrder, locationOf }
}

const remaining = ({ quantity, sent, cancelled }: OrderLine): number => quantity - sent - cancelled

const address = (one: Address) => ({
  ...{ firstName: one.firstName || null, lastName: one.lastName || null, company: one.company, city: one.city || null },
  name: `${one.firstName} ${one.lastName}`.trim() || null,
  ...{ address1: one.street || null, address2: one.extra, zip: one.zip || null, phone: one.phone || null },
  ...{ province: one.region || null, provinceCode: one.regionCode || null },
  ...{ country: one.country || null, countryCodeV2: one.countryCode || null },
})
