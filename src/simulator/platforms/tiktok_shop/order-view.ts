import { decimal } from '../../amounts.ts'
import { day, type Moment, second } from '../../clock.ts'
import type { OrderLine, Parcel, ShopOrder, Stage } from '../../shop/order.ts'
import { itemIdOf, orderIdOf, packageIdOf, productIdOf, skuIdOf, warehouseIdOf } from './ids.ts'
import { providerIdOf } from './providers.ts'

const words: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'UNPAID', held: 'ON_HOLD', paid: 'AWAITING_SHIPMENT', part_sent: 'PARTIALLY_SHIPPING' },
  ...{ sent: 'IN_TRANSIT', delivered: 'DELIVERED', part_refunded: 'COMPLETED', refunded: 'COMPLETED' },
  cancelled: 'CANCELLED',
}

/** What outsiders have sent waits for its carrier. */
export const statusOf = ({ stage, parcels }: Pick<ShopOrder, 'stage' | 'parcels'>): string =>
  stage === 'sent' && parcels.every(({ outside }) => outside) ? 'AWAITING_COLLECTION' : words[stage]

export const unix = (moment: Moment): number => Math.floor(moment / second)

/** The share of one piece, so that all of them together are the whole. */
const shareOf = (whole: number, piece: number, count: number): number =>
  Math.floor((whole * piece) / count) - Math.floor((whole * (piece - 1)) / count)

/** A piece of a line: which parcel it left in, if any, and whether it was called off. */
export interface Item {
  id: string
  line: OrderLine
  piece: number
  parcel: Parcel | null
  cancelled: boolean
}

/** Every piece by itself. Those that have left come first, those that were called off last. */
export function itemsOf({ index, lines, parcels }: ShopOrder): Item[] {
  return lines.flatMap((line) => {
    const gone = parcels.flatMap((parcel) =>
      parcel.lines
        .filter((part) => part.line === line.line)
        .flatMap(({ quantity }) => Array.from({ length: quantity }, () => parcel)),
    )
    return Array.from({ length: line.quantity }, (_, i) => ({
      ...{ id: itemIdOf(index, line.line, i + 1), line, piece: i + 1, parcel: gone[i] ?? null },
      cancelled: i >= line.quantity - line.cancelled,
    }))
  })
}

export const isOpen = ({ parcel, cancelled }: Item): boolean => parcel === null && !cancelled

function itemStatus(order: ShopOrder, { parcel, cancelled }: Item): string {
  if (cancelled) return 'CANCELLED'
  if (parcel === null) return order.stage === 'unpaid' ? 'UNPAID' : 'AWAITING_SHIPMENT'
  if (parcel.delivered) return statusOf(order) === 'COMPLETED' ? 'COMPLETED' : 'DELIVERED'
  return parcel.outside ? 'AWAITING_COLLECTION' : 'IN_TRANSIT'
}

const packageStatus = ({ parcel }: Item): string => {
  if (parcel === null) return 'TO_FULFILL'
  return parcel.delivered ? 'COMPLETED' : parcel.outside ? 'PROCESSING' : 'FULFILLING'
}

function itemView(order: ShopOrder, item: Item) {
  const { line, piece, parcel } = item
  const { currency, index } = order
  const money = (units: number) => decimal(units, currency)
  const discount = shareOf(line.discount, piece, line.quantity)
  const tax = order.taxIncluded ? 0 : shareOf(line.tax, piece, line.quantity)
  const kind = line.variantTitle === 'Default Title' ? 'Default' : line.variantTitle
  return {
    ...{ id: item.id, sku_id: skuIdOf(line.product ?? 0, line.position), seller_sku: line.sku, sku_name: kind },
    ...{ product_id: productIdOf(line.product ?? 0), product_name: line.title, sku_type: 'NORMAL', is_gift: false },
    ...{ original_price: money(line.unitPrice), sale_price: money(line.unitPrice - discount), currency },
    ...{ seller_discount: money(discount), platform_discount: money(0) },
    item_tax: tax === 0 ? [] : [{ tax_type: 'SALES_TAX', tax_amount: money(tax), tax_rate: String(order.taxRate) }],
    ...{ display_status: itemStatus(order, item), package_status: packageStatus(item) },
    ...(item.cancelled ? { cancel_reason: order.cancelReason ?? 'Out of stock', cancel_user: 'SELLER' } : {}),
    package_id: item.cancelled ? '' : packageIdOf(index, parcel?.parcel ?? 0),
    ...(parcel
      ? {
          ...{ tracking_number: parcel.trackingNumber, rts_time: unix(parcel.sentAt) },
          ...{ shipping_provider_name: parcel.carrier, shipping_provider_id: providerIdOf(parcel.carrier) },
        }
      : {}),
  }
}

/** Where it goes is not told before the order is released. */
function addressView({ shipTo }: ShopOrder) {
  const district = (level: number, kind: string, name: string, code = '') => ({
    ...{ address_level: `L${level}`, address_level_name: kind, address_name: name, iso_code: code },
  })
  const name = `${shipTo.firstName} ${shipTo.lastName}`
  return {
    ...{ name, first_name: shipTo.firstName, last_name: shipTo.lastName, phone_number: shipTo.phone },
    ...{ address_line1: shipTo.street, address_line2: shipTo.extra ?? '', address_detail: shipTo.street },
    full_address: `${shipTo.country}, ${shipTo.region}, ${shipTo.city}, ${shipTo.street}`,
    ...{ postal_code: shipTo.zip, region_code: shipTo.countryCode },
    district_info: [
      district(0, 'Country', shipTo.country, shipTo.countryCode),
      district(1, 'State', shipTo.region, shipTo.regionCode),
      district(2, 'City', shipTo.city),
    ],
  }
}

function paymentView(order: ShopOrder) {
  const money = (units: number) => decimal(units, order.currency)
  const tax = money(order.taxIncluded ? 0 : order.tax)
  return {
    ...{ currency: order.currency, total_amount: money(order.total), sub_total: money(order.goods - order.discount) },
    ...{ original_total_product_price: money(order.goods), seller_discount: money(order.discount) },
    ...{ platform_discount: money(0), shipping_fee: money(order.shipping), tax, product_tax: tax },
    ...{ original_shipping_fee: money(order.shipping), shipping_fee_seller_discount: money(0) },
    ...{ shipping_fee_platform_discount: money(0), shipping_fee_tax: money(0) },
  }
}

export interface Shown {
  /** Somebody at TikTok sends it: what the seller says of parcels is not taken. */
  byTikTok: boolean
  /** The buyer wants it cancelled. */
  unwanted: boolean
}

export function orderView(order: ShopOrder, { byTikTok, unwanted }: Shown) {
  const { index, stage, placedAt, buyer, note } = order
  const items = itemsOf(order)
  const isReleased = stage !== 'unpaid' && stage !== 'held'
  const packages = new Set(items.filter(({ cancelled }) => !cancelled).map(({ parcel }) => parcel?.parcel ?? 0))
  const [first] = order.parcels
  return {
    ...{ id: orderIdOf(index), status: statusOf(order), order_type: 'NORMAL', user_id: `7021${index}` },
    ...{ create_time: unix(placedAt), update_time: unix(order.updatedAt), rts_sla_time: unix(placedAt + 2 * day) },
    ...(stage === 'unpaid' ? {} : { paid_time: unix(placedAt) }),
    ...{ buyer_email: buyer.email, buyer_message: note ?? '', seller_note: order.notes.join(' ') },
    ...{ fulfillment_type: 'FULFILLMENT_BY_SELLER', shipping_type: byTikTok ? 'TIKTOK' : 'SELLER' },
    ...{ delivery_option_id: '7091000000000001', delivery_option_name: `${order.shippingMethod} Shipping` },
    ...{ warehouse_id: warehouseIdOf(0), is_cod: false, is_sample_order: false, payment_method_name: 'Card' },
    ...{ is_buyer_request_cancel: unwanted, is_on_hold_order: stage === 'held', is_replacement_order: false },
    ...(first ? { tracking_number: first.trackingNumber, rts_time: unix(first.sentAt) } : {}),
    ...(stage === 'delivered' ? { delivery_time: unix(order.updatedAt) } : {}),
    ...(order.cancelledAt === null
      ? {}
      : { cancel_time: unix(order.cancelledAt), cancel_reason: order.cancelReason, cancellation_initiator: 'SELLER' }),
    ...(isReleased ? { recipient_address: addressView(order) } : {}),
    packages: isReleased ? [...packages].map((parcel) => ({ id: packageIdOf(index, parcel) })) : [],
    ...{ payment: paymentView(order), line_items: items.map((item) => itemView(order, item)) },
  }
}
