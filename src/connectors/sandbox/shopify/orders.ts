import type { OrderDraft } from '../../../commerce/order.ts'
import { arrayIn, type Fields, fieldsIn, maybeFields, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import type { ShipmentDraft } from '../../../commerce/shipment.ts'
import type { Dialect } from '../dialect.ts'
import type { SandboxShop } from '../settings.ts'
import { ask, change, nextIn, nodesIn, quoted, since } from './graphql.ts'
import {
  byReferenceQuery,
  cancelMutation,
  createMutation,
  listQuery,
  openQuery,
  orderQuery,
  shipMutation,
} from './order-queries.ts'
import { toOrder, toShipment } from './translate-order.ts'

const most = 250

const get = async (shop: SandboxShop, remoteId: string): Promise<Fields | null> =>
  maybeFields(await ask(shop, orderQuery, { id: remoteId }), 'order')

const referenceIn = ({ reference }: OrderDraft, { id }: { id: string }) => reference ?? id

export const orders: Dialect['orders'] = {
  selects: false,
  async list(shop, { updatedSince, cursor, limit }) {
    const data = await ask(shop, listQuery, {
      first: Math.min(limit, most),
      after: cursor,
      query: since(updatedSince),
      count: cursor === null,
    })
    const page = fieldsIn(data, 'orders')
    const count = maybeFields(data, 'ordersCount')
    return { items: arrayIn(page, 'nodes'), next: nextIn(page), total: count && numberIn(count, 'count') }
  },
  get,
  translate: toOrder,
  async create(shop, draft, operation) {
    const order = newOrder(draft, referenceIn(draft, operation))
    return toOrder(fieldsIn(await change(shop, createMutation, { order }, operation), 'order'))
  },
  /** The platform would make it twice, but keeps the reference. */
  async findMade(shop, draft, operation) {
    const reference = referenceIn(draft, operation)
    const found = nodesIn(
      await ask(shop, byReferenceQuery, { query: `source_identifier:${quoted(reference)}` }),
      'orders',
    )
    const order = found.find((one) => one['sourceIdentifier'] === reference)
    return order ? toOrder(order) : null
  },
  /** A second time is an error there; whoever finds the order cancelled has what was wanted. */
  async cancel(shop, { remoteId, reason }, operation) {
    const before = await get(shop, remoteId)
    if (before === null) throw refused('The shop has no such order.')
    if (before['cancelledAt'] !== null) return toOrder(before)
    await change(shop, cancelMutation, { id: remoteId, reason: reasonOf(reason) }, operation)
    return toOrder((await get(shop, remoteId)) ?? before)
  },
}

const reasons = ['CUSTOMER', 'DECLINED', 'FRAUD', 'INVENTORY', 'STAFF']
const reasonOf = (told: string | null): string => reasons.find((word) => word === told?.toUpperCase()) ?? 'OTHER'

function newOrder(draft: OrderDraft, reference: string): Fields {
  const { customer, currency } = draft
  if (currency !== 'EUR') throw refused('The books of this shop are in EUR.')
  return {
    sourceIdentifier: reference,
    ...(draft.note ? { note: draft.note } : {}),
    ...(customer?.email ? { email: customer.email } : {}),
    customer: { firstName: customer?.first_name ?? null, lastName: customer?.last_name ?? null },
    shippingAddress: placeOf(draft.shipping_address),
    billingAddress: placeOf(draft.billing_address),
    lineItems: draft.lines.map(({ sku, title, quantity, unit_price: price }) => ({
      sku,
      quantity,
      ...(title ? { title } : {}),
      ...(price ? { priceSet: { shopMoney: { amount: price, currencyCode: currency } } } : {}),
    })),
  }
}

const placeOf = (place: OrderDraft['shipping_address']): Fields | null =>
  place
    ? {
        firstName: place.first_name ?? null,
        lastName: place.last_name ?? null,
        company: place.company ?? null,
        address1: place.line1 ?? null,
        address2: place.line2 ?? null,
        city: place.city ?? null,
        province: place.region ?? null,
        provinceCode: place.region_code ?? null,
        zip: place.postal_code ?? null,
        countryCode: place.country_code ?? null,
        phone: place.phone ?? null,
      }
    : null

async function openOrder(shop: SandboxShop, draft: ShipmentDraft): Promise<Fields | null> {
  return maybeFields(await ask(shop, openQuery, { id: draft.order_remote_id }), 'order')
}

/** The platform has no key for it: a parcel with the same tracking number is the same parcel. */
const parcelIn = (order: Fields, { tracking_number: number }: ShipmentDraft): Fields | null =>
  recordsIn(order, 'fulfillments').find((one) =>
    recordsIn(one, 'trackingInfo').some((info) => info['number'] === number),
  ) ?? null

export const findShipped: Dialect['findShipped'] = async (shop, draft) => {
  const order = await openOrder(shop, draft)
  const parcel = order && parcelIn(order, draft)
  return parcel ? toShipment(parcel) : null
}

export const ship: Dialect['ship'] = async (shop, draft, operation) => {
  const order = await openOrder(shop, draft)
  if (order === null) throw refused('The shop has no such order.')
  const known = parcelIn(order, draft)
  if (known) return toShipment(known)
  const [open] = nodesIn(order, 'fulfillmentOrders').filter(
    ({ status }) => status === 'OPEN' || status === 'IN_PROGRESS',
  )
  if (!open) throw refused('Nothing of the order is left to be sent.')
  const fulfillment = {
    lineItemsByFulfillmentOrder: [
      { fulfillmentOrderId: textIn(open, 'id'), fulfillmentOrderLineItems: wantedLines(open, draft) },
    ],
    trackingInfo: { company: draft.carrier, number: draft.tracking_number, url: draft.tracking_url ?? null },
  }
  return toShipment(fieldsIn(await change(shop, shipMutation, { fulfillment }, operation), 'fulfillment'))
}

/** None named: all that is left. */
function wantedLines(open: Fields, { lines }: ShipmentDraft): { id: string; quantity: number }[] {
  const left = nodesIn(open, 'lineItems')
  return (lines ?? []).map(({ order_line_remote_id: wanted, quantity }) => {
    const line = left.find((one) => fieldsIn(one, 'lineItem')['id'] === wanted)
    if (!line) throw refused(`The order has no line ${wanted}.`)
    return { id: textIn(line, 'id'), quantity }
  })
}
