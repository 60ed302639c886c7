import { decimal } from '../../amounts.ts'
import { day, inSeconds } from '../../clock.ts'
import type { Address, OrderLine, Parcel, ShopOrder, Stage } from '../../shop/order.ts'
import { itemIdOf, orderIdOf } from './ids.ts'

export const marketplace = { id: 'A1PA6795UKMFR9', name: 'Amazon.de', currency: 'EUR' } as const

export const statuses: Readonly<Record<Stage, string>> = {
  unpaid: 'PENDING',
  held: 'PENDING_AVAILABILITY',
  paid: 'UNSHIPPED',
  part_sent: 'PARTIALLY_SHIPPED',
  sent: 'SHIPPED',
  delivered: 'SHIPPED',
  part_refunded: 'SHIPPED',
  refunded: 'SHIPPED',
  cancelled: 'CANCELLED',
}

/** That all parcels have arrived is told of the parcels; of refunds nothing is said. */
export function orderStatus({ stage }: ShopOrder): { status: string; remote_status: string } {
  const remote_status = statuses[stage]
  if (stage === 'cancelled') return { status: 'CANCELLED', remote_status }
  if (remote_status !== 'SHIPPED') return { status: 'PENDING', remote_status }
  return { status: stage === 'sent' ? 'SHIPPED' : 'DELIVERED', remote_status }
}

/** Whether this seller has some articles sent by Amazon (variant `fulfilled_by: both`): then every fifth order is. */
export const isSentByAmazon = (index: number, both: boolean): boolean => both && index % 5 === 4

type Parts = Readonly<Record<string, object>>

/** Each data set comes for the asking only. */
const asked = (wanted: ReadonlySet<string>, parts: Parts): object =>
  Object.assign({}, ...Object.entries(parts).map(([name, part]) => (wanted.has(name) ? part : {})))

/** While an order is pending nobody knows its amounts, nor where it goes. */
export function orderView(order: ShopOrder, wanted: ReadonlySet<string>, both: boolean) {
  const { index, stage, currency, buyer, note, placedAt } = order
  const status = statuses[stage]
  const isReleased = !status.startsWith('PENDING')
  const money = (units: number) => ({ amount: decimal(units, currency), currencyCode: currency })
  const amounts = { ITEM: order.goods, SHIPPING: order.shipping, TAX: order.taxIncluded ? 0 : order.tax }
  const recipient = {
    deliveryAddress: addressView(order.shipTo),
    ...(note === null ? {} : { deliveryPreference: { addressInstruction: note } }),
  }
  const fulfillment = {
    ...{ fulfillmentStatus: status, fulfilledBy: isSentByAmazon(index, both) ? 'AMAZON' : 'MERCHANT' },
    fulfillmentServiceLevel: order.shippingMethod === 'Express' ? 'EXPEDITED' : 'STANDARD',
    shipByWindow: { earliestDateTime: inSeconds(placedAt), latestDateTime: inSeconds(placedAt + 2 * day) },
  }
  const breakdowns = breakdownsOf(money, { ...amounts, DISCOUNT: -order.discount })
  return {
    orderId: orderIdOf(index),
    ...(index % 3 === 0 ? { orderAliases: [{ aliasId: `HARBOUR-${index + 1}`, aliasType: 'SELLER_ORDER_ID' }] } : {}),
    ...{ createdTime: inSeconds(placedAt), lastUpdatedTime: inSeconds(order.updatedAt) },
    programs: order.tags.length > 0 ? ['PRIME'] : [],
    salesChannel: { channelName: 'AMAZON', marketplaceId: marketplace.id, marketplaceName: marketplace.name },
    orderItems: order.lines.map((line) => itemView(order, line, { money, wanted, isReleased })),
    ...asked(wanted, {
      BUYER: {
        buyer: { buyerName: `${buyer.firstName} ${buyer.lastName}`, buyerEmail: `${index}x@marketplace.amazon.de` },
      },
      ...(isReleased
        ? { RECIPIENT: { recipient }, PROCEEDS: { proceeds: { grandTotal: money(order.total), breakdowns } } }
        : {}),
      FULFILLMENT: { fulfillment },
      PACKAGES: { packages: order.parcels.map((parcel) => packageView(order, parcel)) },
    }),
  }
}

type MoneyView = (units: number) => { amount: string; currencyCode: string }

const breakdownsOf = (money: MoneyView, parts: Readonly<Record<string, number>>) =>
  Object.entries(parts)
    .filter(([type, units]) => type === 'ITEM' || units !== 0)
    .map(([type, units]) => ({ type, subtotal: money(units) }))

interface ItemContext {
  money: MoneyView
  wanted: ReadonlySet<string>
  isReleased: boolean
}

function itemView(order: ShopOrder, line: OrderLine, { money, wanted, isReleased }: ItemContext) {
  const goods = line.unitPrice * line.quantity
  const tax = order.taxIncluded ? 0 : line.tax
  const proceeds = {
    proceedsTotal: money(goods - line.discount + tax),
    breakdowns: breakdownsOf(money, { ITEM: goods, TAX: tax, DISCOUNT: -line.discount }),
  }
  const cancellationExecution = { cancelledBy: 'BUYER', cancelReason: order.cancelReason ?? 'OTHER' }
  const left = line.quantity - line.sent - line.cancelled
  return {
    ...{ orderItemId: itemIdOf(order, line.line), quantityOrdered: line.quantity },
    product: {
      ...{ asin: asinOf(line.product ?? 0, line.position), title: line.title, sellerSku: line.sku },
      ...(isReleased ? { price: { unitPrice: money(line.unitPrice) } } : {}),
    },
    ...asked(wanted, {
      ...(isReleased ? { PROCEEDS: { proceeds } } : {}),
      ...(order.stage === 'cancelled' ? { CANCELLATION: { cancellation: { cancellationExecution } } } : {}),
      FULFILLMENT: { fulfillment: { quantityFulfilled: line.sent, quantityUnfulfilled: left } },
    }),
  }
}

export const asinOf = (product: number, position: number): string =>
  `B0${String(product * 10 + position).padStart(8, '0')}`

const packageView = (order: ShopOrder, parcel: Parcel) => ({
  packageReferenceId: parcel.reference ?? String(parcel.parcel),
  createdTime: inSeconds(parcel.sentAt),
  packageStatus: { status: parcel.delivered ? 'DELIVERED' : 'SHIPPED' },
  carrier: parcel.carrier,
  shipTime: inSeconds(parcel.sentAt),
  trackingNumber: parcel.trackingNumber,
  packageItems: parcel.lines.map(({ line, quantity }) => ({ orderItemId: itemIdOf(order, line), quantity })),
})

const addressView = ({
  firstName,
  lastName,
  company,
  street,
  extra,
  city,
  region,
  zip,
  countryCode,
  phone,
}: Address) => ({
  name: `${firstName} ${lastName}`,
  ...(company === null ? {} : { companyName: company }),
  addressLine1: street,
  addressLine2: extra ?? '',
  city,
  stateOrRegion: region,
  postalCode: zip,
  countryCode,
  phone,
  addressType: company === null ? 'RESIDENTIAL' : 'COMMERCIAL',
})
