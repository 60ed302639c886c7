import { digitsOf, inCents } from '../../amounts.ts'
import { type Address, isSent, type OrderLine, type Parcel, type ShopOrder, type Stage } from '../../shop/order.ts'
import { itemIdOf, numberOf, orderIdOf, productIdOf, shipmentIdOf, variantIdOf, written } from './ids.ts'
import { sourceOf } from './sources.ts'

const states: Readonly<Record<Stage, string>> = {
  unpaid: 'new',
  held: 'holded',
  paid: 'processing',
  part_sent: 'processing',
  sent: 'complete',
  delivered: 'complete',
  part_refunded: 'complete',
  refunded: 'closed',
  cancelled: 'canceled',
}

/** There are eight states; the status beside it is a word that merchants choose. */
export function wordsOf({ stage, customStatus }: Pick<ShopOrder, 'stage' | 'customStatus'>) {
  const state = states[stage]
  return { state, status: customStatus?.replace('-', '_') ?? (state === 'new' ? 'pending' : state) }
}

const ours: Readonly<Record<string, string | undefined>> = {
  ...{ complete: 'SHIPPED', closed: 'SHIPPED', canceled: 'CANCELLED' },
}
export function orderStatus(order: ShopOrder): { status: string; remote_status: string } {
  const { state, status } = wordsOf(order)
  return { status: ours[state] ?? 'PENDING', remote_status: status }
}

const addressView = (type: string, address: Address, email: string) => ({
  address_type: type,
  city: address.city,
  ...(address.company === null ? {} : { company: address.company }),
  country_id: address.countryCode,
  email,
  firstname: address.firstName,
  lastname: address.lastName,
  postcode: address.zip,
  region: address.region,
  region_code: address.regionCode,
  street: [address.street, ...(address.extra === null ? [] : [address.extra])],
  telephone: address.phone,
})

export function orderView(order: ShopOrder) {
  const { index, currency, buyer, stage } = order
  const amount = (units: number) => units / 10 ** digitsOf(currency)
  const paid = stage === 'unpaid' || stage === 'cancelled' ? 0 : order.total
  const items = order.lines.flatMap((line) => itemsOf(order, line))
  const shipTo = addressView('shipping', order.shipTo, buyer.email)
  return {
    entity_id: orderIdOf(index),
    increment_id: numberOf(index),
    ...wordsOf(order),
    base_currency_code: 'EUR',
    order_currency_code: currency,
    base_grand_total: inCents(order.total, currency) / 100,
    grand_total: amount(order.total),
    subtotal: amount(order.lines.reduce((sum, line) => sum + rowOf(line), 0)),
    discount_amount: -amount(order.discount),
    shipping_amount: amount(order.shipping),
    tax_amount: amount(order.tax),
    total_paid: amount(paid),
    total_due: amount(order.total - paid),
    ...(order.refunded === 0 ? {} : { total_refunded: amount(order.refunded) }),
    is_virtual: 0,
    ...(buyer.id === null ? { customer_is_guest: 1 } : { customer_id: buyer.id + 1, customer_is_guest: 0 }),
    customer_email: buyer.email,
    customer_firstname: buyer.firstName,
    customer_lastname: buyer.lastName,
    ...(order.note === null ? {} : { customer_note: order.note }),
    shipping_description: `${order.shippingMethod} - Fixed`,
    created_at: written(order.placedAt),
    updated_at: written(order.updatedAt),
    items,
    billing_address: addressView('billing', order.billTo, buyer.email),
    payment: { account_status: '', additional_information: ['Card'], cc_last4: '', method: 'checkmo' },
    extension_attributes: {
      shipping_assignments: [{ shipping: { address: shipTo, method: 'flatrate_flatrate' }, items: [] }],
    },
  }
}

/** What a line costs before its discount, without tax. */
const rowOf = ({ total, tax, discount }: OrderLine): number => total - tax + discount

function itemsOf({ index, currency, stage, ...order }: ShopOrder, line: OrderLine) {
  const scale = 10 ** digitsOf(currency)
  const invoiced = stage === 'unpaid' || stage === 'cancelled' ? 0 : line.quantity
  const varies = line.product !== null && line.variantTitle !== 'Default Title'
  const id = itemIdOf(index, line.line)
  const counts = {
    ...{ order_id: orderIdOf(index), sku: line.sku, is_virtual: 0, qty_ordered: line.quantity, qty_invoiced: invoiced },
    // Where the status said that all has left, all has.
    qty_shipped: isSent(stage) ? line.quantity : line.sent,
    ...{ qty_canceled: line.cancelled, qty_refunded: line.refunded },
  }
  const product = line.product === null ? {} : { product_id: productIdOf(line.product) }
  const whole = {
    ...{ ...counts, item_id: id, name: line.title, product_type: varies ? 'configurable' : 'simple', ...product },
    price: Number((rowOf(line) / line.quantity / scale).toFixed(4)),
    row_total: rowOf(line) / scale,
    discount_amount: line.discount / scale,
    ...{ tax_amount: line.tax / scale, tax_percent: order.taxRate },
  }
  if (!varies || line.product === null) return [whole]
  const article = {
    ...{
      ...counts,
      qty_shipped: 0,
      item_id: id + 1,
      parent_item_id: id,
      product_type: 'simple',
      price: 0,
      row_total: 0,
    },
    ...{ name: `${line.title} ${line.variantTitle}`, product_id: variantIdOf(line.product, line.position) },
  }
  return [whole, article]
}

/** A parcel without number is a shipment without tracks. */
export function shipmentView({ index }: ShopOrder, parcel: Parcel) {
  const [id, order_id] = [shipmentIdOf(index, parcel), orderIdOf(index)]
  const track = { entity_id: id, order_id, parent_id: id, weight: 0, qty: 0, description: '' }
  const at = written(parcel.sentAt)
  return {
    ...{ entity_id: id, order_id, created_at: at, updated_at: at },
    items: parcel.lines.map(({ line, quantity }) => ({ order_item_id: itemIdOf(index, line), qty: quantity })),
    tracks: [
      {
        ...track,
        track_number: parcel.trackingNumber,
        title: parcel.carrier,
        carrier_code: parcel.carrierCode,
        created_at: at,
      },
    ],
    comments: [],
    extension_attributes: { source_code: sourceOf(parcel.place) },
  }
}
