/** An order as WooCommerce tells it, and what its parts are in our words. */

export const facts = { shop: 'tea.example', settings: {} }
export const is = (amount: string) => ({ amount, currency: 'EUR' })

export const tea = {
  id: 31,
  name: 'Tea',
  product_id: 93,
  variation_id: 94,
  quantity: 3,
  subtotal: '30.00',
  total: '27.00',
  total_tax: '5.13',
  sku: 'TEA-S',
  meta_data: [
    { key: 'pa_size', value: 'Small' },
    { key: '_reduced_stock', value: '3' },
    { key: 'engraving', value: '' },
    { key: 'weight', value: 100 },
    { key: 'colour', value: 'Green' },
  ],
}
export const gone = {
  ...tea,
  id: 32,
  name: 'Gone',
  product_id: 0,
  variation_id: 0,
  quantity: 0,
  subtotal: '1.00',
  total: '1.00',
  total_tax: '0',
  sku: '',
}

export const place = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  address_1: 'Strasse 1',
  address_2: 'Hof',
  city: 'Berlin',
  state: 'BE',
  postcode: '10115',
  country: 'DE',
  phone: '+49 30 1',
  email: 'ada@example.com',
}

export const fulfillment = (id: number, fulfilled: boolean, items: readonly [number, number][]) => ({
  id,
  is_fulfilled: fulfilled,
  date_updated: '2026-10-02 10:00:00',
  meta_data: [
    { key: '_items', value: items.map(([item_id, qty]) => ({ item_id, qty })) },
    { key: '_shipment_provider', value: 'dhl' },
    { key: '_tracking_number', value: `T-${id}` },
    { key: '_tracking_url', value: 'https://dhl.example' },
    ...(fulfilled ? [{ key: '_date_fulfilled', value: '2026-10-02 09:00:00' }] : []),
  ],
})

export const order = {
  id: 727,
  number: '727-A',
  status: 'processing',
  currency: 'EUR',
  prices_include_tax: false,
  customer_id: 26,
  billing: place,
  shipping: { ...place, phone: '', email: '', company: '' },
  discount_total: '3.00',
  shipping_total: '4.90',
  total_tax: '6.06',
  total: '37.96',
  date_created_gmt: '2026-10-01T10:00:00',
  date_modified_gmt: '2026-10-05T11:30:00',
  date_paid_gmt: '2026-10-01T10:01:00',
  date_completed_gmt: null,
  customer_note: 'Ring twice',
  line_items: [tea, gone],
  shipping_lines: [{ method_title: 'Parcel' }, { method_title: 'Letter' }],
  refunds: [{ total: '-9.00' }, { total: '-1.50' }],
  meta_data: [{ key: '_entrepot_reference', value: 'ours-1' }],
  fulfillments: [fulfillment(1, true, [[31, 1]]), fulfillment(2, false, [[31, 2]])],
}

export const address = {
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Engines',
  line1: 'Strasse 1',
  line2: 'Hof',
  line3: null,
  city: 'Berlin',
  region: null,
  region_code: 'BE',
  postal_code: '10115',
  country_code: 'DE',
  phone: '+49 30 1',
  email: 'ada@example.com',
}

export const shipment = {
  carrier_code: null,
  carrier_name: 'dhl',
  service: null,
  tracking_url: 'https://dhl.example',
  delivered_at: null,
  location_remote_id: null,
}
