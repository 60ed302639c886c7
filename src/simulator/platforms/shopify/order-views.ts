import { sumOf } from '../../amounts.ts'
import { inSeconds } from '../../clock.ts'
import type { Fields } from '../../json.ts'
import type { ShopCustomer } from '../../shop/customers.ts'
import type { Address, Buyer, OrderLine, Parcel, Refund, ShopOrder } from '../../shop/order.ts'
import { costOf } from '../../shop/work-on-order.ts'
import type { World } from '../../world.ts'
import { type Asked, need, pageOf } from './asked.ts'
import type { GoodsViews } from './goods-views.ts'
import { gid, orderName, part } from './ids.ts'
import { books, financialStatus, fulfillmentOf, fulfillmentOrderStatus, maybeTime, moneyBag } from './words.ts'

export type OrderViews = ReturnType<typeof createOrderViews>

/** Orders and all that hangs on them, as the platform shows them. */
export function createOrderViews({ settings }: World, goods: GoodsViews) {
  /** In some shops the goods of an order lie in two locations, and each has a fulfilment order of its own. */
  const divided = settings.variant['locations'] === 'several'
  const locationOf = ({ line }: OrderLine) => (divided ? (line + 1) % 2 : 0)

  function order(one: ShopOrder) {
    const { index, stage, buyer, lines, parcels } = one
    const sentBack = one.refunds.filter(({ returned, lines: some }) => returned && some.length > 0)
    const unrefunded = lines.map((each) => ({ ...each, refunded: 0 }))
    return {
      ...{ __typename: 'Order', id: gid('Order', index), name: orderName(index), closedAt: null, test: false },
      ...{ createdAt: inSeconds(one.placedAt), processedAt: inSeconds(one.placedAt) },
      ...{ updatedAt: inSeconds(one.updatedAt), cancelledAt: maybeTime(one.cancelledAt) },
      cancelReason: one.cancelReason?.toUpperCase() ?? null,
      ...{ displayFinancialStatus: financialStatus(one), displayFulfillmentStatus: fulfillmentOf(one) },
      ...{ currencyCode: books, taxesIncluded: one.taxIncluded, sourceIdentifier: one.reference },
      ...{ email: buyer.email || null, phone: buyer.phone || null, note: one.note, tags: one.tags },
      customer(_: Fields, asked: Asked) {
        need(asked, 'read_customers', 'customer')
        return buyer.id === null ? null : customer(buyer)
      },
      ...{ shippingAddress: () => address(one.shipTo), billingAddress: () => address(one.billTo) },
      ...{ subtotalPriceSet: moneyBag(one.goods - one.discount), totalDiscountsSet: moneyBag(one.discount) },
      ...{ totalShippingPriceSet: moneyBag(one.shipping), totalTaxSet: moneyBag(one.tax) },
      ...{ totalPriceSet: moneyBag(one.total), totalRefundedSet: moneyBag(one.refunded) },
      refunds: one.refunds.map(({ refund, amount, reason, at, lines: backed }) => ({
        ...{ __typename: 'Refund', id: gid('Refund', part(index, refund)), note: reason, createdAt: inSeconds(at) },
        totalRefundedSet: moneyBag(amount),
        refundLineItems: (args: Fields, asked: Asked) =>
          pageOf(backed, args, asked, ({ line: of, quantity }) => ({
            ...{ quantity, lineItem: () => lineAt(one, of), totalTaxSet: moneyBag(0) },
            subtotalSet: moneyBag(costOf({ ...one, lines: unrefunded }, [{ line: of, quantity }])),
          })),
      })),
      returnStatus: sentBack.length === 0 ? 'NO_RETURN' : 'RETURNED',
      returns(args: Fields, asked: Asked) {
        need(asked, 'read_returns', 'returns')
        return pageOf(sentBack, args, asked, (back) => returnView(one, back))
      },
      ...{
        presentmentCurrencyCode: books,
        sourceName: 'web',
        app: { name: 'Online Store' },
        poNumber: null,
        purchasingEntity: null,
      },
      ...{ risk: { recommendation: 'NONE' }, customAttributes: [], additionalFees: [], dutiesIncluded: false },
      ...{ originalTotalDutiesSet: null, totalTipReceivedSet: moneyBag(0) },
      transactions: () =>
        stage === 'unpaid'
          ? []
          : [
              {
                ...{ id: gid('OrderTransaction', index), kind: stage === 'held' ? 'AUTHORIZATION' : 'SALE' },
                ...{ status: 'SUCCESS', gateway: 'manual' },
                amountSet: moneyBag(one.total),
                totalUnsettledSet: {
                  ...moneyBag(0)(),
                  presentmentMoney: moneyBag(stage === 'held' ? one.total - one.captured : 0)().shopMoney,
                },
                maximumRefundableV2: moneyBag(one.total - one.refunded)().shopMoney,
              },
              ...(stage === 'held' && one.captured > 0 ? [captureView(one)] : []),
            ],
      shippingLine: waysOf(one)[0],
      shippingLines: (args: Fields, asked: Asked) => pageOf(waysOf(one), args, asked, (way) => way),
      lineItems: (args: Fields, asked: Asked) => pageOf(lines, args, asked, (each) => line(one, each)),
      fulfillments: ({ first }: Fields) =>
        parcels.slice(0, typeof first === 'number' ? first : 250).map((parcel) => fulfillment(one, parcel)),
      fulfillmentOrders(args: Fields, asked: Asked) {
        need(asked, 'read_merchant_managed_fulfillment_orders', 'fulfillmentOrders')
        return pageOf([...new Set(lines.map(locationOf))], args, asked, (at) => fulfillmentOrder(one, at))
      },
    }
  }

  /** What was taken of it so far. */
  const captureView = ({ index, captured }: ShopOrder) => ({
    ...{ id: gid('OrderTransaction', index + 50_000_000), kind: 'CAPTURE', status: 'SUCCESS', gateway: 'manual' },
    ...{ amountSet: moneyBag(captured), totalUnsettledSet: null, maximumRefundableV2: moneyBag(captured)().shopMoney },
  })

  /** Some orders are sent in part and collected in part, for a price each; the summary names the first way only. */
  const waysOf = ({ index, shipping, shippingMethod }: ShopOrder) => {
    const second = index % 8 === 6 ? Math.floor(shipping / 2) : 0
    const way = (title: string, price: number) => ({
      ...{ title, code: title, isRemoved: false, originalPriceSet: moneyBag(price) },
    })
    return [way(shippingMethod, shipping - second), ...(second > 0 ? [way('Collected', second)] : [])]
  }

  const returnView = (one: ShopOrder, { refund, at, reason, lines }: Refund) => ({
    ...{
      id: gid('Return', part(one.index, refund)),
      status: 'CLOSED',
      name: `#${1001 + one.index}-R${refund}`,
      createdAt: inSeconds(at),
      order: () => order(one),
    },
    // Who sent the first article back got the last one for it.
    exchangeLineItems: (args: Fields, asked: Asked) =>
      pageOf(one.lines.slice(Math.max(1, one.lines.length - 1)), args, asked, ({ line: of, quantity }) => ({
        ...{ __typename: 'ExchangeLineItem', id: gid('ExchangeLineItem', part(one.index, of)), quantity },
        lineItems: () => [lineAt(one, of)],
      })),
    returnLineItems: (args: Fields, asked: Asked) =>
      pageOf(lines, args, asked, ({ line: of, quantity }) => ({
        ...{ __typename: 'ReturnLineItem', quantity, returnReasonNote: '', customerNote: null },
        returnReasonDefinition: { name: reason },
        fulfillmentLineItem: { lineItem: () => lineAt(one, of) },
      })),
  })

  const customer = ({ id, firstName, lastName, email, phone }: Buyer) => ({
    ...{ id: gid('Customer', id ?? 0), firstName, lastName },
    defaultEmailAddress: email ? { emailAddress: email, marketingState: 'NOT_SUBSCRIBED' } : null,
    defaultPhoneNumber: phone ? { phoneNumber: phone } : null,
  })

  const account = ({ orders, createdAt, updatedAt, address: place, ...buyer }: ShopCustomer) => ({
    ...{ ...customer(buyer), tags: [], numberOfOrders: String(orders), createdAt: inSeconds(createdAt) },
    ...{ updatedAt: inSeconds(updatedAt), addressesV2: { nodes: [address(place)] } },
  })

  function line(one: ShopOrder, each: OrderLine) {
    const { product, position, quantity, discount, tax, title, variantTitle } = each
    return {
      ...{ __typename: 'LineItem', id: gid('LineItem', part(one.index, each.line)), requiresShipping: true, quantity },
      ...{ title, variantTitle: variantTitle === 'Default Title' ? null : variantTitle, sku: each.sku || null },
      ...{ currentQuantity: quantity - each.cancelled - each.refunded, unfulfilledQuantity: remaining(each) },
      customAttributes: [],
      originalUnitPriceSet: moneyBag(each.unitPrice),
      // What a code takes off the whole order is allocated to its lines, and no discount of theirs.
      discountAllocations: discount === 0 ? [] : [{ allocatedAmountSet: moneyBag(discount) }],
      taxLines: tax === 0 ? [] : [{ priceSet: moneyBag(tax) }],
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

  const fulfillment = (one: ShopOrder, parcel: Parcel) => ({
    ...{ __typename: 'Fulfillment', id: gid('Fulfillment', part(one.index, parcel.parcel)), status: 'SUCCESS' },
    ...{ displayStatus: parcel.delivered ? 'DELIVERED' : 'FULFILLED', createdAt: inSeconds(parcel.sentAt) },
    deliveredAt: parcel.delivered ? inSeconds(Math.max(parcel.sentAt, one.placedAt)) : null,
    totalQuantity: sumOf(parcel.lines, ({ quantity }) => quantity),
    location: () => goods.location(parcel.place),
    trackingInfo: [{ company: parcel.carrier, number: parcel.trackingNumber, url: parcel.trackingUrl }],
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
    return {
      ...{ __typename: 'FulfillmentOrder', id: gid('FulfillmentOrder', part(one.index, at)) },
      orderId: gid('Order', one.index),
      supportedActions: (actions[status] ?? []).map((action) => ({ action })),
      assignedLocation: { location: () => goods.location(at) },
      lineItems: (args: Fields, asked: Asked) =>
        pageOf(lines, args, asked, (each) => ({
          id: gid('FulfillmentOrderLineItem', part(one.index, each.line)),
          ...{ remainingQuantity: remaining(each), lineItem: () => line(one, each) },
        })),
    }
  }

  return { account, order, fulfillment, fulfillmentOrder, locationOf, returnView }
}

const actions: Readonly<Record<string, readonly string[] | undefined>> = {
  OPEN: ['CREATE_FULFILLMENT', 'MOVE', 'HOLD'],
  IN_PROGRESS: ['CREATE_FULFILLMENT'],
  ON_HOLD: ['RELEASE_HOLD'],
}

const remaining = ({ quantity, sent, cancelled }: OrderLine): number => quantity - sent - cancelled

const address = (one: Address) => ({
  ...{ firstName: one.firstName || null, lastName: one.lastName || null, company: one.company, city: one.city || null },
  name: `${one.firstName} ${one.lastName}`.trim() || null,
  ...{ address1: one.street || null, address2: one.extra, zip: one.zip || null, phone: one.phone || null },
  ...{ province: one.region || null, provinceCode: one.regionCode || null },
  countryCodeV2: one.countryCode || null,
})
