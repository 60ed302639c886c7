import { digitsOf } from '../../amounts.ts'
import { day, type Moment, second } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { OrderLine, ShopOrder, Stage } from '../../shop/order.ts'
import { isSent } from '../../shop/order.ts'
import { addTracking, sendParcel } from '../../shop/work-on-order.ts'
import { answer, disturb, type World } from '../../world.ts'
import { listingIdOf, productIdOf } from './listing-view.ts'
import { no, notFound, pageIn } from './reply.ts'

const firstReceipt = 3_000_000_000
export const receiptIdOf = (index: number): number => firstReceipt + index
const receiptIndexOf = (id: string): number => (/^\d{10}$/.test(id) ? Number(id) - firstReceipt : -1)

/** One word for everything; that an order was sent in part has none. */
const statuses: Readonly<Record<Stage, string>> = {
  unpaid: 'payment processing',
  held: 'open',
  paid: 'paid',
  part_sent: 'paid',
  sent: 'completed',
  delivered: 'completed',
  part_refunded: 'partially refunded',
  refunded: 'fully refunded',
  cancelled: 'canceled',
}

export function orderStatus({ stage }: ShopOrder): { status: string; remote_status: string } {
  const status = stage === 'cancelled' ? 'CANCELLED' : isSent(stage) ? 'SHIPPED' : 'PENDING'
  return { status, remote_status: statuses[stage] }
}

const unix = (moment: Moment): number => Math.floor(moment / second)
export const money = (amount: number, currency: string) => ({
  amount,
  divisor: 10 ** digitsOf(currency),
  currency_code: currency,
})
/** Of each time there are two names, an old one and a new one. */
const times = (created: Moment, updated: Moment) => ({
  ...{ create_timestamp: unix(created), created_timestamp: unix(created) },
  ...{ update_timestamp: unix(updated), updated_timestamp: unix(updated) },
})

function receiptView(order: ShopOrder) {
  const { index, stage, currency, shipTo, buyer } = order
  const sum = (units: number) => money(units, currency)
  return {
    ...{ receipt_id: receiptIdOf(index), receipt_type: 0, seller_user_id: 7, buyer_user_id: 2000 + (buyer.id ?? 0) },
    ...{ buyer_email: buyer.email, name: `${shipTo.firstName} ${shipTo.lastName}` },
    ...{ first_line: shipTo.street, second_line: shipTo.extra, city: shipTo.city, state: shipTo.region },
    ...{ zip: shipTo.zip, country_iso: shipTo.countryCode, formatted_address: '' },
    ...{ payment_method: 'cc', payment_email: '', message_from_buyer: order.note },
    ...{ status: statuses[stage], is_paid: stage !== 'unpaid' && stage !== 'held', is_shipped: isSent(stage) },
    ...times(order.placedAt, order.updatedAt),
    ...{ is_gift: false, gift_message: '', gift_wrap_price: sum(0) },
    ...{ grandtotal: sum(order.total), total_price: sum(order.goods), subtotal: sum(order.goods - order.discount) },
    ...{ discount_amt: sum(order.discount), total_shipping_cost: sum(order.shipping), total_vat_cost: sum(0) },
    total_tax_cost: sum(order.taxIncluded ? 0 : order.tax),
    shipments: order.parcels.map(({ parcel, carrierCode, trackingNumber, sentAt }) => ({
      ...{ receipt_shipping_id: index * 10 + parcel, shipment_notification_timestamp: unix(sentAt) },
      ...{ carrier_name: carrierCode, tracking_code: trackingNumber },
    })),
    transactions: order.lines.map((line) => transactionView(order, line)),
    refunds: order.refunds.map(({ amount, at, reason }) => ({
      ...{ amount: sum(amount), created_timestamp: unix(at), reason, note_from_issuer: null, status: 'Refunded' },
    })),
  }
}

/** Variations are told in words; coupons are the only amounts that are floating numbers. */
const transactionView = (order: ShopOrder, line: OrderLine) => ({
  ...{ transaction_id: 4_000_000_000_000 + order.index * 100 + line.line, receipt_id: receiptIdOf(order.index) },
  ...{ title: line.title, description: line.title, seller_user_id: 7, buyer_user_id: 2000 + (order.buyer.id ?? 0) },
  ...{ create_timestamp: unix(order.placedAt), created_timestamp: unix(order.placedAt) },
  ...{ paid_timestamp: null, shipped_timestamp: null, quantity: line.quantity, is_digital: false, file_data: '' },
  ...{ listing_id: listingIdOf(line.product ?? 0), transaction_type: 'listing', sku: line.sku },
  product_id: productIdOf(line.product ?? 0, line.position, 0),
  price: money(line.unitPrice, order.currency),
  shipping_cost: money(0, order.currency),
  variations:
    line.variantTitle === 'Default Title'
      ? []
      : [
          {
            property_id: 200,
            value_id: line.position + 1,
            formatted_name: 'Colour',
            formatted_value: line.variantTitle,
          },
        ],
  product_data: [],
  expected_ship_date: unix(order.placedAt + 2 * day),
  ...{ buyer_coupon: 0, shop_coupon: line.discount / 10 ** digitsOf(order.currency) },
})

const carriers = ['bpost', 'dhl', 'fedex', 'ups', 'usps', 'other']

export function createReceipts(world: World) {
  const { clock, shop } = world
  const { book } = shop
  const found = (id: string, use: (order: ShopOrder) => Answer): Answer => {
    const order = book.get(receiptIndexOf(id))
    return order ? use(order) : notFound()
  }

  function list({ query }: Call): Answer {
    const page = pageIn(query)
    const [min, max] = ['min_last_modified', 'max_last_modified'].map((name) => wholeOf(query.get(name)))
    if (!page || (min != null && min < 946_684_800)) return no(400, 'Invalid limit, offset or min_last_modified.')
    const question: OrderQuery = {
      ...{ sort: query.get('sort_on') === 'updated' ? 'changed' : 'placed', ...page },
      backwards: query.get('sort_order') !== 'asc',
      from: min == null ? null : min * second,
      // Both ends are included.
      before: max == null ? null : (max + 1) * second,
    }
    const read = listOrders(book, question)
    const results = read.indexes.flatMap((index) => book.get(index) ?? []).map(receiptView)
    const count = countOrders(book, question)
    disturb(world, read)
    return answer(200, { count, results })
  }

  /** The order is sent, as a whole, and the buyer gets a letter; told again, another one. */
  function track(order: ShopOrder, call: Call, record: Recorder): Answer {
    const fields = call.fields()
    const [carrier, trackingNumber] = [textOf(fields['carrier_name']), textOf(fields['tracking_code'])]
    if (carrier === null || trackingNumber === null) return no(400, 'tracking_code and carrier_name are required.')
    if (!carriers.includes(carrier)) return no(400, 'The carrier name is not supported.')
    const parcel = { carrier, trackingNumber, trackingUrl: null, sentAt: clock.now() }
    if (isSent(order.stage)) addTracking(book, order, parcel)
    else {
      const worked = sendParcel(book, order, { ...parcel, lines: null })
      if (!worked.ok) return no(400, worked.why)
    }
    const id = String(receiptIdOf(order.index))
    record.effect('shipment.create', `${id} ${trackingNumber}`, null, `${order.index} ${trackingNumber}`)
    return found(id, (sent) => answer(200, receiptView(sent)))
  }

  return {
    list,
    get: (id: string) => found(id, (order) => answer(200, receiptView(order))),
    track: (id: string, call: Call, record: Recorder) => found(id, (order) => track(order, call, record)),
  }
}
