import { decimal } from '../../amounts.ts'
import { day, inSeconds } from '../../clock.ts'
import { mix } from '../../random.ts'
import type { Address, OrderLine, Parcel, ShopOrder, Stage } from '../../shop/order.ts'

export const marketplace = { id: 'A1PA6795UKMFR9', name: 'Amazon.de', currency: 'EUR' } as const

/** The last part keeps anyone from guessing the next one. */
const check = (index: number): string => String(1_000_000 + (mix(77, index) % 9_000_000))
export const orderIdOf = (index: number): string => `302-${String(index + 1).padStart(7, '0')}-${check(index)}`
export function orderIndexOf(id: string): number {
  const [, number, checked] = /^302-(\d{7})-(\d{7})$/.exec(id) ?? []
  const index = Number(number) - 1
  return checked === check(index) ? index : -1
}

const firstItem = 40_000_000_000_000
const itemIdOf = ({ index }: ShopOrder, line: number): string => String(firstItem + index * 100 + line)
export const lineOf = ({ index }: ShopOrder, id: unknown): number => Number(id) - firstItem - index * 100

export const statuses: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'PENDING', held: 'PENDING_AVAILABILITY', paid: 'UNSHIPPED', part_sent: 'PARTIALLY_SHIPPED' },
  ...{ sent: 'SHIPPED', delivered: 'SHIPPED', part_refunded: 'SHIPPED', refunded: 'SHIPPED', cancelled: 'CANCELLED' },
}

/** While an order is pending nobody knows its amounts, nor where it goes. */
export const isPending = ({ stage }: ShopOrder): boolean => statuses[stage].startsWith('PENDING')

/** Where a seller has some articles sent by Amazon (variant `fulfilled_by: both`), every fifth order is. */
export const senderOf = (index: number, both: boolean) => (both && index % 5 === 4 ? 'AMAZON' : 'MERCHANT')

/** Each data set comes for the asking only. */
const asked = (wanted: ReadonlySet<string>, parts: Readonly<Record<string, object>>): object =>
  Object.assign({}, ...Object.entries(parts).map(([name, part]) => (wanted.has(name) ? part : {})))

const money = (units: number) => ({
  amount: decimal(units, marketplace.currency),
  currencyCode: marketplace.currency,
})
const breakdownsOf = (parts: Readonly<Record<string, number>>) =>
  Object.entries(parts)
    .filter(([type, units]) => type === 'ITEM' || units !== 0)
    .map(([type, units]) => ({ type, subtotal: money(units) }))

export function orderView(order: ShopOrder, wanted: ReadonlySet<string>, both: boolean) {
  const { index, stage, buyer, note, placedAt } = order
  const amounts = { ITEM: order.goods, SHIPPING: order.shipping, TAX: order.taxIncluded ? 0 : order.tax }
  const breakdowns = breakdownsOf({ ...amounts, DISCOUNT: -order.discount })
  const recipient = {
    deliveryAddress: addressView(order.shipTo),
    ...(note === null ? {} : { deliveryPreference: { addressInstruction: note } }),
  }
  const fulfillment = {
    ...{ fulfillmentStatus: statuses[stage], fulfilledBy: senderOf(index, both) },
    fulfillmentServiceLevel: order.shippingMethod === 'Express' ? 'EXPEDITED' : 'STANDARD',
    shipByWindow: { earliestDateTime: inSeconds(placedAt), latestDateTime: inSeconds(placedAt + 2 * day) },
  }
  return {
    orderId: orderIdOf(index),
    ...(index % 3 === 0 ? { orderAliases: [{ aliasId: `HARBOUR-${index + 1}`, aliasType: 'SELLER_ORDER_ID' }] } : {}),
    ...{ createdTime: inSeconds(placedAt), lastUpdatedTime: inSeconds(order.updatedAt) },
    programs: order.tags.length > 0 ? ['PRIME'] : [],
    salesChannel: { channelName: 'AMAZON', marketplaceId: marketplace.id, marketplaceName: marketplace.name },
    orderItems: order.lines.map((line) => itemView(order, line, wanted)),
    ...asked(wanted, {
      BUYER: {
        buyer: { buyerName: `${buyer.firstName} ${buyer.lastName}`, buyerEmail: `${index}x@marketplace.amazon.de` },
      },
      ...(isPending(order)
        ? {}
        : { RECIPIENT: { recipient }, PROCEEDS: { proceeds: { grandTotal: money(order.total), breakdowns } } }),
      FULFILLMENT: { fulfillment },
      PACKAGES: { packages: order.parcels.map((parcel) => packageView(order, parcel)) },
    }),
  }
}

function itemView(order: ShopOrder, line: OrderLine, wanted: ReadonlySet<string>) {
  const goods = line.unitPrice * line.quantity
  const tax = order.taxIncluded ? 0 : line.tax
  const proceeds = {
    proceedsTotal: money(goods - line.discount + tax),
    breakdowns: breakdownsOf({ ITEM: goods, TAX: tax, DISCOUNT: -line.discount }),
  }
  const cancellationExecution = { cancelledBy: 'BUYER', cancelReason: order.cancelReason ?? 'OTHER' }
  const left = line.quantity - line.sent - line.cancelled
  return {
    ...{ orderItemId: itemIdOf(order, line.line), quantityOrdered: line.quantity },
    product: {
      ...{ asin: asinOf(line.product ?? 0, line.position), title: line.title, sellerSku: line.sku },
      ...(isPending(order) ? {} : { price: { unitPrice: money(line.unitPrice) } }),
    },
    ...asked(wanted, {
      ...(isPending(order) ? {} : { PROCEEDS: { proceeds } }),
      ...(order.stage === 'cancelled' ? { CANCELLATION: { cancellation: { cancellationExecution } } } : {}),
      FULFILLMENT: { fulfillment: { quantityFulfilled: line.sent, quantityUnfulfilled: left } },
    }),
  }
}

export const asinOf = (product: number, position: number): string =>
  `B0${String(product * 10 + position).padStart(8, '0')}`

const packageView = (order: ShopOrder, parcel: Parcel) => ({
  ...{ packageReferenceId: parcel.reference ?? String(parcel.parcel), createdTime: inSeconds(parcel.sentAt) },
  packageStatus: { status: parcel.delivered ? 'DELIVERED' : 'SHIPPED' },
  ...{ carrier: parcel.carrier, shipTime: inSeconds(parcel.sentAt), trackingNumber: parcel.trackingNumber },
  packageItems: parcel.lines.map(({ line, quantity }) => ({ orderItemId: itemIdOf(order, line), quantity })),
})

const addressView = ({ firstName, lastName, company, street, extra, city, countryCode, phone, ...more }: Address) => ({
  ...{ name: `${firstName} ${lastName}`, ...(company === null ? {} : { companyName: company }) },
  ...{ addressLine1: street, addressLine2: extra ?? '', city, stateOrRegion: more.region, postalCode: more.zip },
  ...{ countryCode, phone, addressType: company === null ? 'RESIDENTIAL' : 'COMMERCIAL' },
})
