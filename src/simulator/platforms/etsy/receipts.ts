import { digitsOf } from '../../amounts.ts'
import { day, type Moment, second } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import { isSent, type OrderLine, type ShopOrder, type Stage } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { listingIdOf, productIdOf } from './listings.ts'
import { no, notFound, pageIn } from './reply.ts'

const firstReceipt = 3_000_000_000
export const receiptIdOf = (index: number): number => firstReceipt + index
const receiptIndexOf = (id: string): number => (/^\d{10}$/.test(id) ? Number(id) - firstReceipt : -1)

/** One word for everything; that an order was sent in part has none. */
export const statuses: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'payment processing', held: 'open', paid: 'paid', part_sent: 'paid', sent: 'completed' },
  ...{ delivered: 'completed', part_refunded: 'partially refunded', refunded: 'fully refunded' },
  cancelled: 'canceled',
}

const unix = (moment: Moment): number => Math.floor(moment / second)
const moneyIn = (currency: string) => (amount: number) => ({
  ...{ amount, divisor: 10 ** digitsOf(currency), currency_code: currency },
})

/** Of each time there are two names, an old one and a new one. */
function receiptView(order: ShopOrder) {
  const { index, stage, shipTo, buyer, goods, discount } = order
  const money = moneyIn(order.currency)
  const [created, updated] = [unix(order.placedAt), unix(order.updatedAt)]
  return {
    ...{ receipt_id: receiptIdOf(index), buyer_user_id: 2000 + (buyer.id ?? 0), buyer_email: buyer.email },
    ...{ name: `${shipTo.firstName} ${shipTo.lastName}`, first_line: shipTo.street, second_line: shipTo.extra },
    ...{ city: shipTo.city, state: shipTo.region, zip: shipTo.zip, country_iso: shipTo.countryCode },
    ...{ message_from_buyer: order.note, status: statuses[stage], is_shipped: isSent(stage) },
    is_paid: stage !== 'unpaid' && stage !== 'held',
    ...{ create_timestamp: created, created_timestamp: created, update_timestamp: updated, updated_timestamp: updated },
    ...{ grandtotal: money(order.total), total_price: money(goods), subtotal: money(goods - discount) },
    ...{ discount_amt: money(discount), total_shipping_cost: money(order.shipping), total_vat_cost: money(0) },
    total_tax_cost: money(order.taxIncluded ? 0 : order.tax),
    shipments: order.parcels.map(({ parcel, carrierCode, trackingNumber, sentAt }) => ({
      ...{ receipt_shipping_id: index * 10 + parcel, shipment_notification_timestamp: unix(sentAt) },
      ...{ carrier_name: carrierCode, tracking_code: trackingNumber },
    })),
    transactions: order.lines.map((line) => transactionView(order, line)),
    refunds: order.refunds.map(({ amount, at, reason }) => ({
      ...{ amount: money(amount), created_timestamp: unix(at), reason, status: 'Refunded' },
    })),
  }
}

/** Variations are told in words; coupons are the only amounts that are floating numbers. */
function transactionView({ index, currency, placedAt }: ShopOrder, line: OrderLine) {
  const money = moneyIn(currency)
  const kind = { property_id: 200, formatted_name: 'Colour', formatted_value: line.variantTitle }
  return {
    ...{ transaction_id: 4_000_000_000_000 + index * 100 + line.line, receipt_id: receiptIdOf(index) },
    ...{ title: line.title, sku: line.sku, quantity: line.quantity, is_digital: false },
    ...{ listing_id: listingIdOf(line.product ?? 0), product_id: productIdOf(line.product ?? 0, line.position, 0) },
    ...{ price: money(line.unitPrice), shipping_cost: money(0), expected_ship_date: unix(placedAt + 2 * day) },
    variations: line.variantTitle === 'Default Title' ? [] : [kind],
    ...{ buyer_coupon: 0, shop_coupon: line.discount / 10 ** digitsOf(currency) },
  }
}

const carriers = ['bpost', 'dhl', 'fedex', 'ups', 'usps', 'other']

export function receiptRoutes(world: World, base: string): readonly RouteRow[] {
  const { book, work } = world.shop

  function list({ query }: Call): Answer {
    const page = pageIn(query)
    const [min, max] = ['min_last_modified', 'max_last_modified'].map((name) => wholeOf(query.get(name)))
    if (!page || (min != null && min < 946_684_800)) return no(400, 'Invalid limit, offset or min_last_modified.')
    // Both ends are included.
    const span = { from: min && min * second, before: max && (max + 1) * second }
    const question: OrderQuery = {
      ...{ sort: query.get('sort_on') === 'updated' ? 'changed' : 'placed', ...page },
      backwards: query.get('sort_order') !== 'asc',
      changed: span,
    }
    const count = countOrders(book, question)
    return answer(200, { count, results: ordersOn(world, listOrders(book, question)).map(receiptView) })
  }

  /** The order is sent, as a whole, and the buyer gets a letter; told again, another one. */
  function track(order: ShopOrder, call: Call, record: Recorder): Answer {
    const fields = call.fields()
    const [carrier, trackingNumber] = [textOf(fields['carrier_name']), textOf(fields['tracking_code'])]
    if (carrier === null || trackingNumber === null) return no(400, 'tracking_code and carrier_name are required.')
    if (!carriers.includes(carrier)) return no(400, 'The carrier name is not supported.')
    const parcel = { carrier, trackingNumber, trackingUrl: null }
    if (isSent(order.stage)) work.track(order, parcel)
    else {
      const worked = work.send(order, { ...parcel, lines: null })
      if (!worked.ok) return no(400, worked.why)
    }
    const subject = `${receiptIdOf(order.index)} ${trackingNumber}`
    record.effect('shipment.create', subject, null, `${order.index} ${trackingNumber}`)
    return answer(200, receiptView(book.get(order.index) ?? order))
  }

  const ofReceipt = forOne((id) => book.get(receiptIndexOf(id)), notFound)
  return [
    ['GET', base, 'receipts.list', list],
    ['GET', `${base}/:id`, 'receipts.get', ofReceipt((order) => answer(200, receiptView(order)))],
    ['POST', `${base}/:id/tracking`, 'receipts.track', ofReceipt(track)],
  ]
}
