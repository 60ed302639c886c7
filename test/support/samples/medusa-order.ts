export const is = (amount: string) => ({ amount, currency: 'EUR' })

export const item = (id: string, quantity: number, detail: object | null, fields: object = {}) => ({
  id,
  variant_sku: `SKU-${id}`,
  product_id: `prod_${id}`,
  variant_id: `variant_${id}`,
  product_title: `Cup ${id}`,
  title: `Line ${id}`,
  variant_title: 'Blue',
  quantity,
  unit_price: 11.904761904,
  discount_total: 0.5,
  tax_total: 1.9957983193277311,
  total: 11.4,
  requires_shipping: true,
  is_tax_inclusive: true,
  detail,
  ...fields,
})

const parcel = {
  id: 'ful_1',
  location_id: 'sloc_1',
  shipped_at: '2026-10-03T08:00:00.000Z',
  delivered_at: null,
  canceled_at: null,
  metadata: { carrier: 'DHL' },
  labels: [
    { tracking_number: 'TRACK-1', tracking_url: 'https://dhl.example/1' },
    { tracking_number: 'TRACK-2', tracking_url: null },
  ],
  items: [
    { line_item_id: 'item_1', quantity: 1 },
    { line_item_id: null, quantity: 4 },
  ],
}

export const order = {
  id: 'order_1',
  display_id: 42,
  version: 7,
  status: 'pending',
  payment_status: 'captured',
  currency_code: 'eur',
  customer_id: 'cus_1',
  email: 'ada@example.com',
  item_subtotal: 23.8,
  discount_total: 1,
  shipping_total: 5,
  tax_total: 3.99,
  total: 31.79,
  summary: { refunded_total: 2.5 },
  customer: { first_name: 'Ada', last_name: 'Lovelace', phone: '+49 30 1', has_account: true },
  billing_address: null,
  shipping_address: {
    first_name: 'Ada',
    last_name: 'Lovelace',
    company: 'Analytical Ltd',
    address_1: 'Ring 1',
    address_2: 'Floor 2',
    city: 'Berlin',
    province: 'Brandenburg',
    postal_code: '10115',
    country_code: 'de',
    phone: '+49 30 2',
  },
  shipping_methods: [{ name: 'Standard' }, { name: 'Express' }],
  items: [item('item_1', 2, { fulfilled_quantity: 1, delivered_quantity: 1 }), item('item_2', 1, null)],
  fulfillments: [parcel],
  payment_collections: [
    {
      updated_at: '2026-10-02T12:00:00.000Z',
      captured_amount: 31.79,
      refunded_amount: 2.5,
      payments: [{ updated_at: '2026-10-04T12:00:00.000Z' }, { updated_at: null }],
    },
  ],
  created_at: '2026-10-01T08:00:00.000Z',
  updated_at: '2026-10-02T08:00:00.000Z',
  canceled_at: null,
}

export const sent = (fulfilled: number, delivered: number | null = null) => ({
  items: [item('item_1', 2, { fulfilled_quantity: fulfilled, delivered_quantity: delivered })],
})
export const paid = (status: string, captured: unknown, refunded: unknown) => ({
  payment_status: status,
  payment_collections: [{ captured_amount: captured, refunded_amount: refunded }],
})
