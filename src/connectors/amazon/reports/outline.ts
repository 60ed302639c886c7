import { decimal, minus, share, sum } from '../../../commerce/decimal.ts'
import { digitsOf, type Money, zero } from '../../../commerce/money.ts'
import { lineDefaults, type OrderLine, orderDefaults, type RemoteOrder } from '../../../commerce/order.ts'
import { type Fields, isFields, recordsIn, timeOf } from '../../../commerce/reading.ts'
import { marketplaceBySite } from '../marketplaces.ts'
import { type AmazonFacts, homeOf } from '../settings.ts'
import { wordsFor } from '../statuses.ts'

/** What is kept of a report: nothing that says who bought, or where it went. */
const names = [
  'amazon-order-id',
  'merchant-order-id',
  'purchase-date',
  'last-updated-date',
  'order-status',
  'fulfillment-channel',
  'sales-channel',
  'ship-service-level',
  'product-name',
  'sku',
  'asin',
  'item-status',
  'quantity',
  'currency',
  'item-price',
  'item-tax',
  'shipping-price',
  'shipping-tax',
  'gift-wrap-price',
  'gift-wrap-tax',
  'item-promotion-discount',
  'ship-promotion-discount',
  'purchase-order-number',
] as const
type Name = (typeof names)[number]
export type Row = Readonly<Partial<Record<Name, string>>>

const needed: readonly Name[] = ['amazon-order-id', 'last-updated-date', 'fulfillment-channel', 'sales-channel']

/** The rows of a report: a line of an order each. */
export function rowsIn(text: string): Row[] {
  const [head = '', ...lines] = text.split(/\r?\n/)
  const columns = head.replace(/^\uFEFF/, '').split('\t')
  const missing = needed.find((name) => !columns.includes(name))
  if (missing) throw new TypeError(`The report has no column "${missing}".`)
  const wanted = names.flatMap((name) => (columns.includes(name) ? [[name, columns.indexOf(name)] as const] : []))
  return lines.flatMap((line) => {
    if (line === '') return []
    const cells = line.split('\t')
    return [Object.fromEntries(wanted.map(([name, column]) => [name, cells[column] ?? '']))]
  })
}

/** An order as a report tells it, for the translator. */
export const outlineOf = (rows: readonly Row[]): Fields => ({ outline: rows })

export const isOutline = (raw: unknown): raw is Fields => isFields(raw) && Array.isArray(raw['outline'])

/** In these countries tax comes on top of prices; elsewhere it is part of them, and told for information. */
const taxedOnTop = ['www.amazon.com', 'www.amazon.ca']

/** Ids of lines, buyer, address, deadlines and parcels are not in it. */
export function toOutline(raw: Fields, facts: AmazonFacts): RemoteOrder {
  const rows = recordsIn(raw, 'outline')
  const [first = {}] = rows
  const cell = (name: Name) => textOr(first, name, '')
  const place = marketplaceBySite(cell('sales-channel'))
  const currency = rows.map((row) => textOr(row, 'currency', '')).find((code) => code !== '')
  const money = moneyIn(currency ?? place?.currency ?? homeOf(facts).currency)
  const all = (...wanted: Name[]) => sum(rows.flatMap((row) => wanted.map((name) => amountIn(row, name))))
  const isOnTop = taxedOnTop.includes((place ?? homeOf(facts)).site)
  const parts = {
    subtotal: all('item-price'),
    discount_total: all('item-promotion-discount', 'ship-promotion-discount'),
    shipping_total: all('shipping-price'),
    tax_total: all('item-tax', 'shipping-tax', 'gift-wrap-tax'),
    fee_total: all('gift-wrap-price'),
  }
  const charged = [parts.subtotal, parts.shipping_total, parts.fee_total, ...(isOnTop ? [parts.tax_total] : [])]
  const changed = timeOf(cell('last-updated-date'))
  const placed = cell('purchase-date') === '' ? changed : timeOf(cell('purchase-date'))
  const words = wordsFor(
    cell('order-status')
      .toUpperCase()
      .replace(/[^A-Z]+/g, '_'),
  )
  const cancelled = words.status === 'cancelled'
  const sentByAmazon = cell('fulfillment-channel') === 'Amazon'
  return {
    ...orderDefaults,
    incomplete: true,
    ...words,
    hold_reason: null,
    remote_id: cell('amazon-order-id'),
    number: cell('amazon-order-id'),
    channel: 'amazon',
    marketplace: cell('sales-channel') || null,
    currency: money('0').currency,
    subtotal: money(parts.subtotal),
    discount_total: money(parts.discount_total),
    shipping_total: money(parts.shipping_total),
    tax_total: money(parts.tax_total),
    fee_total: money(parts.fee_total),
    total: money(minus(sum(charged), parts.discount_total)),
    refunded_total: null,
    prices_include_tax: !isOnTop,
    customer: null,
    billing_address: null,
    shipping_address: null,
    shipping_method: cell('ship-service-level') || null,
    service_level: cell('ship-service-level') || null,
    fulfilled_by: sentByAmazon ? 'platform' : 'merchant',
    purchase_order: cell('purchase-order-number') || null,
    lines: rows.map((row) => toLine(row, { money, sentByAmazon })),
    fees: Number(parts.fee_total) === 0 ? [] : [wrapping(money(parts.fee_total))],
    refunds: [],
    shipments: [],
    admin_url: place ? `https://${place.sellerCentral}/orders-v3/order/${cell('amazon-order-id')}` : null,
    note: null,
    tags: [],
    external_reference: cell('merchant-order-id') || null,
    acknowledged: null,
    test: false,
    placed_at: placed,
    ship_by: null,
    cancelled_at: cancelled ? changed : null,
    cancel_reason: null,
    remote_created_at: placed,
    remote_updated_at: changed,
    // Just before the order itself, which follows.
    remote_version: changed.slice(0, -1),
    raw,
  }
}

const textOr = (row: Fields, name: Name, otherwise: string): string => {
  const value = row[name]
  return typeof value === 'string' ? value : otherwise
}

/** An empty cell is nothing; discounts are reported below zero here and there. */
const amountIn = (row: Fields, name: Name): string => decimal(textOr(row, name, '') || '0', 0).replace(/^-/, '')

const moneyIn =
  (currency: string) =>
  (amount: string): Money => ({ amount: decimal(amount, digitsOf(currency)), currency })

const wrapping = (amount: Money) => ({ remote_id: null, title: 'Gift wrap', amount, tax: zero(amount.currency) })

function toLine(
  row: Fields,
  { money, sentByAmazon }: { money: ReturnType<typeof moneyIn>; sentByAmazon: boolean },
): OrderLine {
  const cell = (name: Name) => textOr(row, name, '')
  const quantity = Number.parseInt(cell('quantity'), 10) || 0
  const price = amountIn(row, 'item-price')
  const discount = amountIn(row, 'item-promotion-discount')
  const status = cell('item-status').toLowerCase()
  return {
    ...lineDefaults,
    remote_id: '',
    sku: cell('sku') || null,
    product_remote_id: null,
    variant_remote_id: cell('sku') || null,
    title: cell('product-name') || cell('sku') || cell('asin'),
    variant_title: null,
    quantity,
    quantity_fulfilled: status === 'shipped' ? quantity : 0,
    quantity_cancelled: status === 'cancelled' ? quantity : 0,
    quantity_refunded: 0,
    unit_price: money(quantity === 0 ? price : share(price, quantity, digitsOf(money('0').currency))),
    discount: money(discount),
    tax: money(amountIn(row, 'item-tax')),
    total: money(minus(price, discount)),
    requires_shipping: !sentByAmazon,
  }
}
