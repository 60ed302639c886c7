import { inSeconds } from '../../clock.ts'
import type { Address, Buyer, ShopOrder } from '../../shop/order.ts'
import { connection, cut, objectType, of } from './graphql/types.ts'
import { gid, numberOf } from './ids.ts'
import { amount, books } from './money.ts'
import { fulfillmentOrderType, fulfillmentType, lineItemType, shippingLineType } from './order-part-types.ts'
import { financialStatus, fulfillmentStatus } from './words.ts'

const mailingAddress = objectType<Address>('MailingAddress', {
  firstName: (place) => place.firstName,
  lastName: (place) => place.lastName,
  name: (place) => `${place.firstName} ${place.lastName}`,
  company: (place) => place.company,
  address1: (place) => place.street,
  address2: (place) => place.extra,
  city: (place) => place.city,
  province: (place) => place.region,
  provinceCode: (place) => place.regionCode,
  zip: (place) => place.zip,
  country: (place) => place.country,
  countryCodeV2: (place) => place.countryCode,
  phone: (place) => place.phone,
})

const emailAddress = objectType<Buyer>('CustomerEmailAddress', { emailAddress: ({ email }) => email })
const phoneNumber = objectType<Buyer>('CustomerPhoneNumber', { phoneNumber: ({ phone }) => phone })

const customer = objectType<Buyer>('Customer', {
  id: ({ id }) => gid('Customer', id ?? 0),
  legacyResourceId: ({ id }) => String(numberOf('Customer', id ?? 0)),
  firstName: (buyer) => buyer.firstName,
  lastName: (buyer) => buyer.lastName,
  displayName: (buyer) => `${buyer.firstName} ${buyer.lastName}`,
  email: (buyer) => buyer.email,
  phone: (buyer) => buyer.phone,
  defaultEmailAddress: of(
    () => emailAddress,
    (buyer) => buyer,
  ),
  defaultPhoneNumber: of(
    () => phoneNumber,
    (buyer) => buyer,
  ),
})

const sum = (reckon: (order: ShopOrder) => number) =>
  amount<ShopOrder>((order) => ({ units: reckon(order), presentment: order.presentment }))

export const orderType = objectType<ShopOrder>('Order', {
  id: ({ index }) => gid('Order', index),
  legacyResourceId: ({ index }) => String(numberOf('Order', index)),
  name: ({ index }) => orderName(index),
  number: ({ index }) => index + 1001,
  createdAt: ({ placedAt }) => inSeconds(placedAt),
  processedAt: ({ placedAt }) => inSeconds(placedAt),
  updatedAt: ({ updatedAt }) => inSeconds(updatedAt),
  cancelledAt: ({ cancelledAt }) => (cancelledAt === null ? null : inSeconds(cancelledAt)),
  cancelReason: ({ cancelReason }) => cancelReason?.toUpperCase() ?? null,
  closedAt: () => null,
  closed: () => false,
  confirmed: () => true,
  test: () => false,
  displayFinancialStatus: ({ stage }) => financialStatus(stage),
  displayFulfillmentStatus: ({ stage }) => fulfillmentStatus(stage),
  currencyCode: () => books,
  presentmentCurrencyCode: ({ presentment }) => presentment,
  taxesIncluded: ({ taxIncluded }) => taxIncluded,
  email: ({ buyer }) => buyer.email,
  phone: ({ buyer }) => buyer.phone,
  note: ({ note }) => note,
  tags: ({ tags }) => tags,
  poNumber: () => null,
  sourceName: ({ reference }) => (reference === null ? 'web' : 'api'),
  sourceIdentifier: ({ reference }) => reference,
  customer: of(
    () => customer,
    ({ buyer }) => (buyer.id === null ? null : buyer),
  ),
  shippingAddress: of(
    () => mailingAddress,
    ({ shipTo }) => shipTo,
  ),
  billingAddress: of(
    () => mailingAddress,
    ({ billTo }) => billTo,
  ),
  subtotalPriceSet: sum(({ goods, discount }) => goods - discount),
  totalDiscountsSet: sum(({ discount }) => discount),
  totalShippingPriceSet: sum(({ shipping }) => shipping),
  totalTaxSet: sum(({ tax }) => tax),
  totalPriceSet: sum(({ total }) => total),
  currentTotalPriceSet: sum(({ total, refunded }) => total - refunded),
  totalRefundedSet: sum(({ refunded }) => refunded),
  shippingLines: connection(
    () => shippingLineType,
    (order, args) => cut([order], args),
  ),
  lineItems: connection(
    () => lineItemType,
    (order, args) =>
      cut(
        order.lines.map((line) => ({ order, line })),
        args,
      ),
  ),
  fulfillments: of(
    () => fulfillmentType,
    (order, { first }) =>
      order.parcels.slice(0, typeof first === 'number' ? first : 50).map((parcel) => ({ order, parcel })),
  ),
  fulfillmentOrders: connection(
    () => fulfillmentOrderType,
    (order, args) => cut([order], args),
  ),
})

export const orderName = (index: number): string => `#${index + 1001}`
