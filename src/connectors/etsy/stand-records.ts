import type { Fields } from '../../commerce/reading.ts'

/** What the imitated shop has: receipts of all kinds, and listings with one product, with several, and with none. */
export interface Books {
  receipts: Map<number, Record<string, unknown>>
  listings: Map<number, Listing>
  now: number
  /** Every parcel that the buyer was written about. */
  letters: string[]
}

export interface Listing {
  id: number
  state: string
  changed: number
  inventory: Record<string, unknown> | null
}

export const shopId = 42
const begin = 1_790_000_000

export const money = (amount: number): Fields => ({ amount, divisor: 100, currency_code: 'EUR' })

export const makeBooks = (receipts: number, listings: number): Books => ({
  receipts: new Map(Array.from({ length: receipts }, (_, n) => [9000 + n, makeReceipt(n)])),
  listings: new Map(Array.from({ length: listings }, (_, n) => [500 + n, makeListing(n)])),
  now: begin + 900_000,
  letters: [],
})

/** Forty of them in one second: more than fit on one page of the suite. */
const changedAt = (n: number): number => begin + (n < 40 ? n * 30 : n < 80 ? 1200 : n * 30)

const kinds = [
  { status: 'paid', is_paid: true, is_shipped: false },
  { status: 'completed', is_paid: true, is_shipped: true },
  { status: 'payment processing', is_paid: false, is_shipped: false },
  { status: 'canceled', is_paid: true, is_shipped: false },
  { status: 'partially refunded', is_paid: true, is_shipped: false },
  { status: 'open', is_paid: false, is_shipped: false },
]

function makeReceipt(n: number): Record<string, unknown> {
  const kind = kinds[n % kinds.length]
  const quantity = 1 + (n % 3)
  const changed = changedAt(n)
  const isRefunded = kind?.status === 'partially refunded'
  return {
    receipt_id: 9000 + n,
    receipt_type: 0,
    seller_user_id: 7,
    buyer_user_id: 2000 + (n % 13),
    buyer_email: `buyer${n % 13}@example.com`,
    name: `Buyer ${n}`,
    first_line: `Dock ${n}`,
    second_line: null,
    city: 'Gent',
    state: null,
    zip: '9000',
    formatted_address: '',
    country_iso: 'BE',
    payment_method: 'cc',
    payment_email: '',
    message_from_buyer: n % 5 === 0 ? 'Ring twice.' : null,
    ...kind,
    create_timestamp: changed - 3600,
    created_timestamp: changed - 3600,
    update_timestamp: changed,
    updated_timestamp: changed,
    is_gift: false,
    gift_message: '',
    grandtotal: money(1250 * quantity + 500),
    subtotal: money(1250 * quantity),
    total_price: money(1250 * quantity),
    total_shipping_cost: money(500),
    total_tax_cost: money(0),
    total_vat_cost: money(0),
    discount_amt: money(0),
    gift_wrap_price: money(0),
    shipments: kind?.is_shipped ? [parcelOf(n, 'post', `T${n}`, changed)] : [],
    transactions: [transactionOf(n, quantity, changed)],
    refunds: isRefunded
      ? [{ amount: money(300), created_timestamp: changed, reason: null, note_from_issuer: null, status: 'Refunded' }]
      : [],
  }
}

export const parcelOf = (id: number, carrier: string, code: string, at: number): Fields => ({
  receipt_shipping_id: 100 + id,
  shipment_notification_timestamp: at,
  carrier_name: carrier,
  tracking_code: code,
})

const transactionOf = (n: number, quantity: number, at: number): Fields => ({
  transaction_id: 70_000 + n,
  title: `Cup ${n % 9}`,
  description: 'A cup.',
  seller_user_id: 7,
  buyer_user_id: 2000 + (n % 13),
  create_timestamp: at - 3600,
  created_timestamp: at - 3600,
  paid_timestamp: null,
  shipped_timestamp: null,
  quantity,
  receipt_id: 9000 + n,
  is_digital: false,
  file_data: '',
  listing_id: 500 + (n % 9),
  transaction_type: 'listing',
  product_id: 6000 + (n % 9) * 10,
  sku: `CUP-${n % 9}`,
  price: money(1250),
  shipping_cost: money(500),
  variations: [],
  product_data: [],
  expected_ship_date: at + 200_000,
  buyer_coupon: 0,
  shop_coupon: 0,
})

const states = ['active', 'active', 'active', 'inactive', 'sold_out', 'draft', 'expired']

function makeListing(n: number): Listing {
  const kind = n % 4
  const inventory = kind === 3 ? null : { ...shared, ...(kind === 2 ? varied(n) : { products: [productOf(n, 0, n)] }) }
  return { id: 500 + n, state: states[n % states.length] ?? 'active', changed: begin + n * 60, inventory }
}

const shared = { price_on_property: [], quantity_on_property: [], sku_on_property: [] }

const varied = (n: number) => ({
  products: ['S', 'M', 'L'].map((size, k) => productOf(n, k, n + k, size)),
  quantity_on_property: [100],
  sku_on_property: [100],
})

export const productOf = (n: number, k: number, quantity: number, size: string | null = null): Fields => ({
  product_id: 6000 + n * 10 + k,
  sku: size === null ? `CUP-${n}` : `CUP-${n}-${size}`,
  is_deleted: false,
  offerings: [
    { offering_id: 80_000 + n * 10 + k, quantity, is_enabled: true, is_deleted: false, price: money(1250 + k * 100) },
  ],
  property_values:
    size === null
      ? []
      : [
          {
            property_id: 100,
            property_name: 'Size',
            scale_id: null,
            scale_name: null,
            value_ids: [k + 1],
            values: [size],
          },
        ],
})
