import { inSeconds } from '../../clock.ts'
import { locations } from '../../shop/goods.ts'
import type { OrderLine, Parcel, ShopOrder } from '../../shop/order.ts'
import { connection, cut, objectType, of } from './graphql/types.ts'
import { gid, part } from './ids.ts'
import { amount } from './money.ts'
import { fulfillmentOrderStatus } from './words.ts'

interface LineOf {
  order: ShopOrder
  line: OrderLine
}
interface ParcelOf {
  order: ShopOrder
  parcel: Parcel
}

const reference = (name: string) =>
  objectType<{ id: string; barcode?: string }>(name, { id: ({ id }) => id, barcode: () => null })
const productRef = reference('Product')
const variantRef = reference('ProductVariant')

const sum = (reckon: (line: OrderLine) => number) =>
  amount<LineOf>(({ order, line }) => ({ units: reckon(line), presentment: order.presentment }))

const taxLine = objectType<LineOf>('TaxLine', {
  title: () => 'VAT',
  rate: ({ order }) => order.taxRate / 100,
  priceSet: sum(({ tax }) => tax),
})

export const lineItemType = objectType<LineOf>('LineItem', {
  id: ({ order, line }) => gid('LineItem', part(order.index, line.line)),
  name: ({ line }) => `${line.title} - ${line.variantTitle}`,
  title: ({ line }) => line.title,
  variantTitle: ({ line }) => line.variantTitle,
  sku: ({ line }) => line.sku,
  quantity: ({ line }) => line.quantity,
  currentQuantity: ({ line }) => line.quantity - line.cancelled,
  unfulfilledQuantity: ({ line }) => line.quantity - line.sent - line.cancelled,
  requiresShipping: () => true,
  taxable: () => true,
  originalUnitPriceSet: sum(({ unitPrice }) => unitPrice),
  originalTotalSet: sum(({ unitPrice, quantity }) => unitPrice * quantity),
  discountedTotalSet: sum(({ unitPrice, quantity, discount }) => unitPrice * quantity - discount),
  totalDiscountSet: sum(({ discount }) => discount),
  taxLines: of(
    () => taxLine,
    (source) => [source],
  ),
  product: of(
    () => productRef,
    ({ line }) => (line.product === null ? null : { id: gid('Product', line.product) }),
  ),
  variant: of(
    () => variantRef,
    ({ line }) => (line.product === null ? null : { id: gid('ProductVariant', part(line.product, line.position)) }),
  ),
})

export const shippingLineType = objectType<ShopOrder>('ShippingLine', {
  id: ({ index }) => gid('ShippingLine', index),
  title: ({ shippingMethod }) => shippingMethod,
  code: ({ shippingMethod }) => shippingMethod.toLowerCase(),
  carrierIdentifier: () => null,
  originalPriceSet: amount<ShopOrder>(({ shipping, presentment }) => ({ units: shipping, presentment })),
})

const trackingInfo = objectType<Parcel>('FulfillmentTrackingInfo', {
  company: ({ carrier }) => carrier,
  number: ({ trackingNumber }) => trackingNumber,
  url: ({ trackingUrl }) => trackingUrl,
})

const fulfillmentLineItem = objectType<ParcelOf & { sent: Parcel['lines'][number] }>('FulfillmentLineItem', {
  id: ({ order, sent }) => gid('FulfillmentOrderLineItem', part(order.index, sent.line)),
  quantity: ({ sent }) => sent.quantity,
  lineItem: of(
    () => lineItemType,
    ({ order, sent }) => ({ order, line: order.lines[sent.line - 1] }),
  ),
})

export const locationType = objectType<number>('Location', {
  id: (place) => gid('Location', place),
  name: (place) => locations[place] ?? '',
  isActive: () => true,
  fulfillsOnlineOrders: (place) => place === 0,
})

export const fulfillmentType = objectType<ParcelOf>('Fulfillment', {
  id: ({ order, parcel }) => gid('Fulfillment', part(order.index, parcel.parcel)),
  name: ({ order, parcel }) => `#${order.index + 1001}.${parcel.parcel}`,
  status: () => 'SUCCESS',
  displayStatus: ({ parcel }) => (parcel.delivered ? 'DELIVERED' : 'FULFILLED'),
  createdAt: ({ parcel }) => inSeconds(parcel.sentAt),
  updatedAt: ({ order }) => inSeconds(order.updatedAt),
  deliveredAt: ({ order, parcel }) => (parcel.delivered ? inSeconds(Math.max(parcel.sentAt, order.placedAt)) : null),
  location: of(
    () => locationType,
    ({ parcel }) => parcel.place,
  ),
  trackingInfo: of(
    () => trackingInfo,
    ({ parcel }) => [parcel],
  ),
  fulfillmentLineItems: connection(
    () => fulfillmentLineItem,
    (source, args) =>
      cut(
        source.parcel.lines.map((sent) => ({ ...source, sent })),
        args,
      ),
  ),
})

const fulfillmentOrderLineItem = objectType<LineOf>('FulfillmentOrderLineItem', {
  id: ({ order, line }) => gid('FulfillmentOrderLineItem', part(order.index, line.line)),
  totalQuantity: ({ line }) => line.quantity,
  remainingQuantity: ({ line }) => line.quantity - line.sent - line.cancelled,
  lineItem: of(
    () => lineItemType,
    (source) => source,
  ),
})

const assignedLocation = objectType<ShopOrder>('FulfillmentOrderAssignedLocation', {
  name: () => locations[0],
  location: of(
    () => locationType,
    () => 0,
  ),
})

/** One per order: everything leaves from the main warehouse. */
export const fulfillmentOrderType = objectType<ShopOrder>('FulfillmentOrder', {
  id: ({ index }) => gid('FulfillmentOrder', index),
  status: ({ stage }) => fulfillmentOrderStatus(stage),
  requestStatus: () => 'UNSUBMITTED',
  assignedLocation: of(
    () => assignedLocation,
    (order) => order,
  ),
  lineItems: connection(
    () => fulfillmentOrderLineItem,
    (order, args) =>
      cut(
        order.lines.map((line) => ({ order, line })),
        args,
      ),
  ),
})
