import { ids, makeLevel, places, type Row, type StandProduct, timeAt } from './stand-records.ts'

export { makeLevel, places }

export interface StandItemLine extends Record<string, unknown> {
  id: string
  quantity: number
  detail: { quantity: number; fulfilled_quantity: number; shipped_quantity: number; delivered_quantity: number }
}

export interface StandParcel extends Row {
  shipped_at: string | null
  delivered_at: string | null
  canceled_at: string | null
  metadata: Record<string, unknown>
  labels: { tracking_number: string; tracking_url: string; label_url: string }[]
  items: { line_item_id: string; quantity: number }[]
}

export interface StandPayment extends Row {
  amount: number
  captured_at: string | null
}

export interface StandOrder extends Row {
  version: number
  status: string
  payment_status: string
  fulfillment_status: string
  canceled_at: string | null
  items: StandItemLine[]
  fulfillments: StandParcel[]
  payment_collections: (Row & { payments: StandPayment[] })[]
}

const kinds = [
  ['pending', 'authorized', 0],
  ['pending', 'captured', 0],
  ['pending', 'captured', 2],
  ['canceled', 'canceled', 0],
  ['completed', 'captured', 2],
  ['requires_action', 'requires_action', 0],
  ['pending', 'captured', 1],
  ['pending', 'captured', 0],
  ['archived', 'refunded', 3],
] as const

const place = (at: string) => ({
  ...{
    id: ids('ordaddr', 1),
    customer_id: ids('cus', 1),
    first_name: 'Ada',
    last_name: 'Byron',
    phone: '',
    company: '',
  },
  ...{ address_1: '1 Quay', address_2: '', city: 'Gent', country_code: 'be', province: '', postal_code: '9000' },
  ...{ metadata: {}, created_at: at, updated_at: at },
})

const customer = {
  ...{ id: ids('cus', 1), has_account: true, addresses: [], email: 'ada@example.com', default_billing_address_id: '' },
  ...{ default_shipping_address_id: '', company_name: '', first_name: 'Ada', last_name: 'Byron' },
}

const sums = (prefix: string, total: number, tax: number) => ({
  [`${prefix}total`]: total,
  [`${prefix}subtotal`]: total - tax,
  [`${prefix}tax_total`]: tax,
})

function lineOf(
  n: number,
  m: number,
  product: StandProduct,
  quantity: number,
  at: string,
  sent: number,
): StandItemLine {
  const variant = product.variants[0]
  const unit = Number(variant?.prices[0]?.['amount'] ?? 0)
  const total = unit * quantity
  return {
    ...{
      id: ids('ordli', n * 10 + m),
      title: product.title,
      subtitle: 'S',
      thumbnail: '',
      variant_id: variant?.id ?? '',
    },
    ...{ product_id: product.id, product_title: product.title, product_description: '', product_subtitle: '' },
    ...{
      product_type: '',
      product_collection: '',
      product_handle: '',
      variant_sku: variant?.sku ?? '',
      variant_barcode: '',
    },
    ...{ variant_title: 'S', variant_option_values: {}, requires_shipping: true, is_discountable: true },
    ...{ is_tax_inclusive: true, unit_price: unit, quantity, metadata: {}, created_at: at, updated_at: at },
    ...{ ...sums('', total, total / 5), ...sums('original_', total, total / 5), ...sums('item_', total, total / 5) },
    ...{ discount_total: 0, discount_tax_total: 0, refundable_total: total, refundable_total_per_unit: unit },
    detail: { quantity, fulfilled_quantity: sent, shipped_quantity: sent, delivered_quantity: 0 },
  }
}

/** Two minutes apart. Captures are hours later and show in the payment alone. */
export function makeOrders(products: readonly StandProduct[], count: number): StandOrder[] {
  return Array.from({ length: count }, (_, n): StandOrder => {
    const [status, payment, sent] = kinds[n % kinds.length] ?? kinds[0]
    const at = timeAt(n * 2)
    const later = timeAt(n * 2 + 240)
    const moved = sent > 0 ? timeAt(n * 2 + 60) : at
    const product = products[n % products.length]
    const items = product ? [lineOf(n, 0, product, 2, at, Math.min(sent, 2))] : []
    const goods = items.reduce((sum, item) => sum + Number(item['total']), 0)
    const captured = payment === 'captured' || payment === 'refunded'
    const paidAt = captured ? later : at
    const parcel: StandParcel = {
      ...{
        id: ids('ful', n),
        location_id: places[0] ?? '',
        packed_at: moved,
        shipped_at: moved,
        delivered_at: null,
        canceled_at: null,
      },
      ...{
        requires_shipping: true,
        data: {},
        provider_id: 'manual',
        shipping_option_id: ids('so', 1),
        metadata: {},
        created_at: moved,
        updated_at: moved,
      },
      labels: [{ tracking_number: `TRACK-${n}`, tracking_url: '', label_url: '' }],
      items: items.map(({ id }) => ({ line_item_id: id, quantity: Math.min(sent, 2) })),
    }
    return {
      ...{
        id: ids('order', n),
        display_id: n + 1,
        version: 1,
        status,
        payment_status: payment,
        fulfillment_status: sent ? 'fulfilled' : 'not_fulfilled',
      },
      ...{
        region_id: ids('reg', 1),
        customer_id: ids('cus', 1),
        sales_channel_id: ids('sc', 1),
        email: 'ada@example.com',
      },
      ...{
        currency_code: 'eur',
        canceled_at: status === 'canceled' ? at : null,
        metadata: {},
        created_at: at,
        updated_at: moved,
      },
      ...{ ...sums('', goods + 6, goods / 5 + 1), ...sums('original_', goods + 6, goods / 5 + 1) },
      ...{ ...sums('item_', goods, goods / 5), ...sums('original_item_', goods, goods / 5) },
      ...{ ...sums('shipping_', 6, 1), ...sums('original_shipping_', 6, 1) },
      ...{ discount_total: 0, discount_tax_total: 0, gift_card_total: 0, gift_card_tax_total: 0 },
      summary: {
        ...{
          paid_total: captured ? goods + 6 : 0,
          refunded_total: payment === 'refunded' ? 3 : 0,
          pending_difference: 0,
        },
        ...{
          current_order_total: goods + 6,
          original_order_total: goods + 6,
          total: goods + 6,
          subtotal: goods + 6,
          total_tax: 0,
          ordered_total: 0,
          fulfilled_total: 0,
          returned_total: 0,
          return_request_total: 0,
          write_off_total: 0,
          transaction_total: 0,
          accounting_total: goods + 6,
        },
      },
      items,
      shipping_methods: [
        {
          ...{ id: ids('ordsm', n), order_id: ids('order', n), name: 'Parcel post', amount: 6, is_tax_inclusive: true },
          ...{
            shipping_option_id: ids('so', 1),
            data: {},
            metadata: {},
            ...sums('', 6, 1),
            ...sums('original_', 6, 1),
          },
          ...{ discount_total: 0, discount_tax_total: 0, created_at: at, updated_at: at },
        },
      ],
      shipping_address: place(at),
      billing_address: place(at),
      customer,
      fulfillments: sent > 0 ? [parcel] : [],
      payment_collections: [
        {
          ...{
            id: ids('pay_col', n),
            currency_code: 'eur',
            region_id: ids('reg', 1),
            amount: goods + 6,
            status: 'authorized',
          },
          ...{
            payment_providers: [],
            captured_amount: captured ? goods + 6 : 0,
            refunded_amount: payment === 'refunded' ? 3 : 0,
          },
          ...{ created_at: at, updated_at: paidAt },
          payments: [
            {
              ...{
                id: ids('pay', n),
                amount: goods + 6,
                currency_code: 'eur',
                provider_id: 'pp_system',
                created_at: at,
              },
              ...{ updated_at: paidAt, captured_at: captured ? paidAt : null },
            },
          ],
        },
      ],
    }
  })
}
