import { decimal } from '../../amounts.ts'
import { day, type Moment } from '../../clock.ts'
import type { OrderLine, Parcel, ShopOrder } from '../../shop/order.ts'
import { countries } from '../../shop/people.ts'

const firstOrder = 1_796_000_000_000
export const orderIdOf = (index: number): string => String(firstOrder + index)
export const orderIndexOf = (id: string): number => (/^\d{13}$/.test(id) ? Number(id) - firstOrder : -1)
export const numberOf = ({ index }: Pick<ShopOrder, 'index'>): string => String(5_281_000_000_000 + index)

/** Orders have no status here: they are where the last of their lines is. Buyers pay before an order is told. */
export function statusOf({ stage, acknowledgedAt }: Pick<ShopOrder, 'stage' | 'acknowledgedAt'>): string {
  if (stage === 'cancelled') return 'Cancelled'
  if (stage === 'sent') return 'Shipped'
  if (stage === 'delivered' || stage === 'part_refunded' || stage === 'refunded') return 'Delivered'
  return acknowledgedAt === null ? 'Created' : 'Acknowledged'
}

const milliseconds = (moment: Moment): number => Math.floor(moment / 1000)
const each = (amount: number) => ({ unitOfMeasurement: 'EACH', amount: String(amount) })
const money = (units: number) => ({ currency: 'USD', amount: Number(decimal(units, 'USD')) })
const methodOf = ({ shippingMethod }: ShopOrder) => (shippingMethod === 'Express' ? 'Express' : 'Value')

export function orderView(order: ShopOrder) {
  const { index, shipTo, placedAt } = order
  return {
    ...{ purchaseOrderId: orderIdOf(index), customerOrderId: numberOf(order) },
    customerEmailId: `${index}@relay.walmart.com`,
    orderType: index % 10 === 9 ? 'REPLACEMENT' : 'REGULAR',
    ...{ orderDate: milliseconds(placedAt), isGuest: order.buyer.id === null },
    shippingInfo: {
      ...{ phone: shipTo.phone, methodCode: methodOf(order) },
      estimatedDeliveryDate: milliseconds(placedAt + 5 * day),
      estimatedShipDate: milliseconds(placedAt + 2 * day),
      postalAddress: {
        ...{ name: `${shipTo.firstName} ${shipTo.lastName}`, address1: shipTo.street },
        ...(shipTo.extra === null ? {} : { address2: shipTo.extra }),
        ...{ ...cityOf(index), addressType: 'RESIDENTIAL' },
      },
    },
    orderLines: { orderLine: order.lines.map((line) => lineView(order, line)) },
    shipNode: { type: 'SellerFulfilled' },
  }
}

/** Nothing leaves the country, wherever buyers may have come from. */
function cityOf(index: number) {
  const cities = countries.find(({ code }) => code === 'US')?.places ?? []
  const { city, regionCode: state, zip: postalCode } = cities[index % cities.length] ?? {}
  return { city, state, postalCode, country: 'USA' }
}

/** What was paid back stands with the first line that it was for, in one sum. */
function refundOf({ refunds }: ShopOrder, { line }: OrderLine) {
  const own = refunds.filter(({ lines: [first] }) => (first?.line ?? 1) === line)
  if (own.length === 0) return {}
  const refundCharge = own.map(({ amount }) => ({
    refundReason: 'CustomerChangedMind',
    charge: { chargeType: 'PRODUCT', chargeName: 'ItemPrice', chargeAmount: money(-amount) },
  }))
  return { refund: { refundId: String(line), refundCharges: { refundCharge } } }
}

/** How much of a line is where. */
function partsOf(order: ShopOrder, line: OrderLine) {
  const left = line.quantity - line.sent - line.cancelled
  const gone = order.parcels.flatMap((parcel) =>
    parcel.lines
      .filter((one) => one.line === line.line)
      .map(({ quantity }) => ({
        status: parcel.delivered ? 'Delivered' : 'Shipped',
        ...{ statusQuantity: each(quantity), trackingInfo: trackingView(order, parcel) },
      })),
  )
  const waiting = { status: order.acknowledgedAt === null ? 'Created' : 'Acknowledged', statusQuantity: each(left) }
  const { cancelReason: cancellationReason } = order
  const cancelled = { status: 'Cancelled', statusQuantity: each(line.cancelled), cancellationReason }
  return [...gone, ...(left > 0 ? [waiting] : []), ...(line.cancelled > 0 ? [cancelled] : [])]
}

/** Sending is charged with the first line, and a discount is a charge below zero. */
function lineView(order: ShopOrder, line: OrderLine) {
  const tax = order.taxIncluded ? 0 : line.tax
  const charge = (chargeType: string, chargeName: string, units: number, more: object = {}) =>
    units === 0 ? [] : [{ chargeType, chargeName, chargeAmount: money(units), ...more }]
  const taxed = tax === 0 ? {} : { tax: { taxName: 'Tax1', taxAmount: money(tax) } }
  return {
    ...{ lineNumber: String(line.line), item: { productName: line.title, sku: line.sku } },
    charges: {
      charge: [
        ...charge('PRODUCT', 'ItemPrice', line.unitPrice * line.quantity, taxed),
        ...charge('PRODUCT', 'SubscriptionDiscount', -line.discount),
        ...(line.line === 1 ? charge('SHIPPING', 'Shipping', order.shipping) : []),
      ],
    },
    ...{ orderLineQuantity: each(line.quantity), statusDate: milliseconds(order.updatedAt) },
    orderLineStatuses: { orderLineStatus: partsOf(order, line) },
    ...refundOf(order, line),
    fulfillment: { fulfillmentOption: 'S2H', shipMethod: 'VALUE', pickUpDateTime: milliseconds(order.placedAt + day) },
  }
}

/** Marks a parcel of a carrier that Walmart does not follow. */
export const otherCarrier = 'other'

const trackingView = (order: ShopOrder, { carrier, trackingNumber, trackingUrl, reference, sentAt }: Parcel) => ({
  shipDateTime: milliseconds(sentAt),
  carrierName: reference === otherCarrier || carrier === 'PostNord' ? { otherCarrier: carrier } : { carrier },
  ...{ methodCode: methodOf(order), trackingNumber },
  ...(trackingUrl === null ? {} : { trackingURL: trackingUrl }),
})
