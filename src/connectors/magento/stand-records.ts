import type { Fields } from '../../commerce/reading.ts'

/** Records of a shop for bicycles, in the platform's shapes. */

const start = Date.parse('2026-02-01T06:00:00Z')

/** `seconds` after the shop was opened, as the platform writes it. */
export const stamp = (seconds: number): string =>
  new Date(start + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

const place = (type: string): Fields => ({
  address_type: type,
  city: 'Ulm',
  company: 'Nabe KG',
  country_id: 'DE',
  email: 'karl@bikes.example',
  firstname: 'Karl',
  lastname: 'Drais',
  postcode: '89073',
  region: 'Baden-Württemberg',
  region_code: 'BAW',
  street: ['Radgasse 3', 'Hof'],
  telephone: '+49 731 555 0142',
})

interface Kind {
  state: string
  status: string
  paid: boolean
  shipped: boolean
}

const kinds: readonly Kind[] = [
  { state: 'processing', status: 'processing', paid: true, shipped: false },
  { state: 'new', status: 'pending', paid: false, shipped: false },
  { state: 'complete', status: 'complete', paid: true, shipped: true },
  { state: 'canceled', status: 'canceled', paid: false, shipped: false },
  { state: 'holded', status: 'holded', paid: true, shipped: false },
  { state: 'pending_payment', status: 'pending_payment', paid: false, shipped: false },
  { state: 'payment_review', status: 'fraud', paid: false, shipped: false },
  // A status of the merchant's own.
  { state: 'processing', status: 'in_the_workshop', paid: true, shipped: false },
]

/** The second in which order `n` was changed: thirty at once, by an import, and the others one by one. */
const changed = (n: number) => (n > 10 && n <= 40 ? 2000 : n * 90)

/** A saddle as two items of one line, and two bells. */
function itemsOf(n: number, { state, paid, shipped }: Kind): Fields[] {
  const counts = (ordered: number): Fields => ({
    qty_ordered: ordered,
    qty_invoiced: paid ? ordered : 0,
    qty_shipped: shipped ? ordered : 0,
    qty_canceled: state === 'canceled' ? ordered : 0,
    qty_refunded: 0,
    is_virtual: 0,
    order_id: n,
  })
  const saddle = { sku: 'SADDLE-RED', name: 'Saddle', ...counts(1) }
  return [
    {
      ...saddle,
      item_id: n * 10,
      product_type: 'configurable',
      product_id: 4,
      price: 59.9,
      row_total: 59.9,
      discount_amount: 5,
      tax_amount: 10.43,
    },
    {
      ...saddle,
      qty_shipped: 0,
      item_id: n * 10 + 1,
      parent_item_id: n * 10,
      name: 'Saddle red',
      product_type: 'simple',
      product_id: 1041,
      price: 0,
      row_total: 0,
    },
    {
      ...counts(2),
      item_id: n * 10 + 2,
      sku: 'PART-1',
      name: 'Bell',
      product_type: 'simple',
      product_id: 1,
      price: 7.25,
      row_total: 14.5,
      discount_amount: 0,
      tax_amount: 2.76,
    },
  ]
}

export function makeOrder(n: number): Fields {
  const kind = kinds[n % kinds.length] ?? { state: 'new', status: 'pending', paid: false, shipped: false }
  return {
    entity_id: n,
    increment_id: `00000${1000 + n}`,
    state: kind.state,
    status: kind.status,
    base_currency_code: 'USD',
    order_currency_code: 'EUR',
    base_grand_total: 95,
    grand_total: 87.49,
    subtotal: 74.4,
    discount_amount: -5,
    shipping_amount: 4.9,
    tax_amount: 13.19,
    total_paid: kind.paid ? 87.49 : 0,
    total_due: kind.paid ? 0 : 87.49,
    is_virtual: 0,
    ...(n % 2 === 0 ? { customer_id: 700 + n, customer_is_guest: 0 } : { customer_is_guest: 1 }),
    customer_email: 'karl@bikes.example',
    customer_firstname: 'Karl',
    customer_lastname: 'Drais',
    shipping_description: 'Flat Rate - Fixed',
    created_at: stamp(0),
    updated_at: stamp(changed(n)),
    items: itemsOf(n, kind),
    billing_address: place('billing'),
    payment: { account_status: '', additional_information: ['Card'], cc_last4: '', method: 'checkmo' },
    extension_attributes: {
      shipping_assignments: [{ shipping: { address: place('shipping'), method: 'flatrate_flatrate' }, items: [] }],
    },
  }
}

export const makeShipment = (
  id: number,
  orderId: number,
  { items, tracks, at }: { items: readonly Fields[]; tracks: readonly Fields[]; at: string },
): Fields => ({
  entity_id: id,
  order_id: orderId,
  created_at: at,
  updated_at: at,
  items,
  tracks: tracks.map((track, n) => ({
    entity_id: id * 10 + n,
    order_id: orderId,
    parent_id: id,
    weight: 0,
    qty: 0,
    description: '',
    ...track,
  })),
  comments: [],
  extension_attributes: { source_code: 'default' },
})

const plain = (id: number, sku: string, seconds: number): Fields => ({
  id,
  sku,
  name: `Part ${id}`,
  attribute_set_id: 4,
  price: 7.25,
  status: id % 9 === 0 ? 2 : 1,
  visibility: 4,
  type_id: 'simple',
  created_at: stamp(0),
  updated_at: stamp(seconds),
  weight: 0.12,
  extension_attributes: { website_ids: [1] },
  product_links: [],
  media_gallery_entries: [
    { id, media_type: 'image', label: 'Side', position: 1, disabled: false, types: ['image'], file: `/p/a/${id}.jpg` },
  ],
  custom_attributes: [{ attribute_code: 'description', value: `<p>Part ${id}</p>` }],
})

const colours = ['red', 'blue']

/** Every fourth is configurable, and comes with its articles. */
export function makeProducts(n: number): Fields[] {
  if (n % 4 !== 0) return [plain(n, `PART-${n}`, n * 60)]
  const children = colours.map(
    (colour, k): Fields => ({
      ...plain(
        1000 + n * 10 + k + 1,
        n === 4 ? `SADDLE-${colour.toUpperCase()}` : `PART-${n}-${colour}`,
        n * 60 + 7200,
      ),
      visibility: 1,
      price: 59.9 + k,
      custom_attributes: [{ attribute_code: 'color', value: String(50 + k) }],
    }),
  )
  const { price: _, weight: __, ...parent } = plain(n, `PART-${n}`, n * 60)
  const attributes = {
    website_ids: [1],
    configurable_product_options: [
      { id: n, attribute_id: '93', label: 'Colour', position: 0, values: [{ value_index: 50 }, { value_index: 51 }] },
    ],
    configurable_product_links: children.map((child) => child['id']),
  }
  return [{ ...parent, type_id: 'configurable', extension_attributes: attributes }, ...children]
}

export const colourAttribute: Fields = {
  attribute_id: 93,
  attribute_code: 'color',
  default_frontend_label: 'Colour',
  frontend_input: 'select',
  entity_type_id: '4',
  is_required: false,
  frontend_labels: [],
  options: [
    { label: ' ', value: '' },
    { label: 'red', value: '50' },
    { label: 'blue', value: '51' },
  ],
}

export const makeStockItem = (product: Fields, qty: number): Fields => ({
  item_id: Number(product['id']) + 5000,
  product_id: product['id'],
  stock_id: 1,
  qty,
  is_in_stock: qty > 0,
  is_qty_decimal: false,
  show_default_notification_message: false,
  use_config_min_qty: true,
  min_qty: 0,
  use_config_min_sale_qty: 1,
  min_sale_qty: 1,
  use_config_max_sale_qty: true,
  max_sale_qty: 10000,
  use_config_backorders: true,
  backorders: 0,
  use_config_notify_stock_qty: true,
  notify_stock_qty: 1,
  use_config_qty_increments: true,
  qty_increments: 0,
  use_config_enable_qty_inc: true,
  enable_qty_increments: false,
  use_config_manage_stock: true,
  manage_stock: true,
  low_stock_date: '',
  is_decimal_divided: false,
  stock_status_changed_auto: 0,
})

export const storeConfig: Fields = {
  id: 1,
  code: 'default',
  website_id: 1,
  locale: 'de_DE',
  base_currency_code: 'EUR',
  default_display_currency_code: 'EUR',
  timezone: 'Europe/Berlin',
  weight_unit: 'kgs',
  ...Object.fromEntries(
    ['url', 'link_url', 'static_url', 'media_url'].flatMap((name) => [
      [`base_${name}`, `http://bikes.example/${name}/`],
      [`secure_base_${name}`, `https://bikes.example/${name}/`],
    ]),
  ),
}
