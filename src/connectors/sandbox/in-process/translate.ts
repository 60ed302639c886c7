import { address } from '../../../commerce/address.ts'
import type { RawPage } from '../../../commerce/connector.ts'
import type { InventoryLevel } from '../../../commerce/inventory.ts'
import { fromMinorUnits } from '../../../commerce/money.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import type { RemoteProduct } from '../../../commerce/product.ts'
import { arrayIn, fieldsOf, isFields, maybeText, numberIn, textIn } from '../../../commerce/reading.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'

export function listOf(body: unknown): RawPage {
  const fields = fieldsOf(body)
  return { items: arrayIn(fields, 'items'), next: maybeText(fields, 'next'), total: numberIn(fields, 'total') }
}

/** The shop's words for where an order stands, and ours. */
const statuses: Readonly<
  Record<string, Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'> | undefined>
> = {
  awaiting_payment: { status: 'pending', payment_status: 'pending', fulfillment_status: 'unfulfilled' },
  awaiting_shipment: { status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled' },
  shipped: { status: 'completed', payment_status: 'paid', fulfillment_status: 'fulfilled' },
  delivered: { status: 'completed', payment_status: 'paid', fulfillment_status: 'delivered' },
  cancelled: { status: 'cancelled', payment_status: 'voided', fulfillment_status: 'unfulfilled' },
}

export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const remoteStatus = textIn(order, 'status')
  const words = statuses[remoteStatus]
  if (!words) throw new TypeError(`The shop has a status that we do not know: ${remoteStatus}.`)
  const currency = textIn(order, 'currency')
  const money = (units: number) => fromMinorUnits(units, currency)
  const lines = arrayIn(order, 'lines').map((value) => {
    const line = fieldsOf(value)
    const quantity = numberIn(line, 'quantity')
    const total = money(quantity * numberIn(line, 'unit_price'))
    return {
      remote_id: textIn(line, 'id'),
      sku: maybeText(line, 'sku'),
      product_remote_id: null,
      variant_remote_id: null,
      title: textIn(line, 'title'),
      variant_title: null,
      quantity,
      quantity_fulfilled: words.fulfillment_status === 'unfulfilled' ? 0 : quantity,
      quantity_cancelled: words.status === 'cancelled' ? quantity : 0,
      unit_price: money(numberIn(line, 'unit_price')),
      discount: money(0),
      tax: money(0),
      total,
      requires_shipping: true,
    }
  })
  const buyer = fieldsOf(order['buyer'])
  const home = isFields(order['ship_to'])
    ? address({
        name: maybeText(order['ship_to'], 'name'),
        line1: maybeText(order['ship_to'], 'street'),
        city: maybeText(order['ship_to'], 'city'),
        postal_code: maybeText(order['ship_to'], 'zip'),
        country_code: maybeText(order['ship_to'], 'country'),
      })
    : null
  const goods = numberIn(order, 'goods_total')
  const shipping = numberIn(order, 'shipping')
  return {
    remote_id: textIn(order, 'id'),
    number: textIn(order, 'number'),
    channel: 'sandbox',
    marketplace: null,
    ...words,
    remote_status: remoteStatus,
    currency,
    subtotal: money(goods),
    discount_total: money(0),
    shipping_total: money(shipping),
    tax_total: money(0),
    total: money(goods + shipping),
    refunded_total: null,
    prices_include_tax: true,
    customer: {
      remote_id: maybeText(buyer, 'id'),
      email: maybeText(buyer, 'email'),
      first_name: maybeText(buyer, 'first_name'),
      last_name: maybeText(buyer, 'last_name'),
      phone: null,
      is_guest: maybeText(buyer, 'id') === null,
    },
    billing_address: home,
    shipping_address: home,
    shipping_method: 'standard',
    lines,
    shipments: arrayIn(order, 'shipments').map(toShipment),
    note: maybeText(order, 'note'),
    tags: [],
    external_reference: maybeText(order, 'reference'),
    acknowledged: order['acknowledged'] === true,
    test: true,
    placed_at: textIn(order, 'placed_at'),
    ship_by: null,
    cancelled_at: maybeText(order, 'cancelled_at'),
    cancel_reason: maybeText(order, 'cancel_reason'),
    remote_created_at: textIn(order, 'placed_at'),
    remote_updated_at: textIn(order, 'updated_at'),
    remote_version: textIn(order, 'updated_at'),
    raw,
  }
}

export function toShipment(raw: unknown): RemoteShipment {
  const shipment = fieldsOf(raw)
  return {
    remote_id: textIn(shipment, 'id'),
    status: 'shipped',
    carrier_code: null,
    carrier_name: textIn(shipment, 'carrier'),
    service: null,
    tracking_number: textIn(shipment, 'tracking_number'),
    tracking_url: maybeText(shipment, 'tracking_url'),
    shipped_at: textIn(shipment, 'shipped_at'),
    delivered_at: null,
    location_remote_id: null,
    lines: [],
  }
}

export function toProduct(raw: unknown): RemoteProduct {
  const product = fieldsOf(raw)
  const currency = textIn(product, 'currency')
  const images = arrayIn(product, 'images').map((value, position) => {
    const image = fieldsOf(value)
    return { url: textIn(image, 'url'), alt: maybeText(image, 'alt'), position }
  })
  return {
    remote_id: textIn(product, 'id'),
    title: textIn(product, 'title'),
    description_html: maybeText(product, 'description'),
    status: product['visible'] === true ? 'active' : 'inactive',
    remote_status: product['visible'] === true ? 'visible' : 'hidden',
    brand: null,
    type: null,
    tags: [],
    images,
    options: [],
    variants: [
      {
        remote_id: textIn(product, 'id'),
        inventory_item_remote_id: null,
        sku: textIn(product, 'sku'),
        barcode: null,
        title: null,
        options: [],
        price: fromMinorUnits(numberIn(product, 'price'), currency),
        compare_at_price: null,
        weight: null,
        quantity: numberIn(product, 'stock'),
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: textIn(product, 'updated_at'),
    remote_version: textIn(product, 'updated_at'),
    raw,
  }
}

export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  const stock = numberIn(level, 'stock')
  return {
    sku: textIn(level, 'sku'),
    variant_remote_id: textIn(level, 'id'),
    location_remote_id: null,
    available: stock,
    on_hand: stock,
    reserved: null,
    updated_at: textIn(level, 'updated_at'),
  }
}
