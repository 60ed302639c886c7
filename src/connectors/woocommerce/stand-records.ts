import type { Fields } from '../../commerce/reading.ts'

/** Records of a tea shop, in the platform's shapes. */

const start = Date.parse('2026-03-01T08:00:00Z')

/** `seconds` after the shop was opened, as the platform writes it. */
export const stamp = (seconds: number): string => new Date(start + seconds * 1000).toISOString().slice(0, 19)

/** Two hours ahead of Greenwich: whoever reads the wrong field sees it. */
const local = (seconds: number) => stamp(seconds + 7200)

const dates = (seconds: number) => ({
  date_created: local(0),
  date_created_gmt: stamp(0),
  date_modified: local(seconds),
  date_modified_gmt: stamp(seconds),
})

const statuses = ['processing', 'completed', 'on-hold', 'cancelled', 'pending', 'failed', 'refunded', 'processing']

/** The second in which order `n` was changed: thirty at once, by a bulk action, and the others one by one. */
const changed = (n: number) => (n > 10 && n <= 40 ? 2000 : n * 90)

const buyer = {
  first_name: 'Mary',
  last_name: 'Somerville',
  company: '',
  address_1: '12 Harbour Row',
  address_2: 'Rear door',
  city: 'Burntisland',
  state: 'FIF',
  postcode: 'KY3 9DX',
  country: 'GB',
}

interface LineDraft {
  id: number
  name: string
  product_id: number
  variation_id: number
  quantity: number
  sku: string
  subtotal: string
  total: string
}

export const makeLine = (draft: LineDraft): Fields => ({
  tax_class: '',
  subtotal_tax: '0.00',
  total_tax: '0.00',
  taxes: [],
  meta_data: [],
  price: Number(draft.total) / draft.quantity,
  ...draft,
})

export function makeOrder(n: number, status = statuses[n % statuses.length] ?? 'processing'): Fields {
  const seconds = changed(n)
  const paid = ['processing', 'completed', 'refunded'].includes(status)
  const done = ['completed', 'refunded'].includes(status)
  return {
    id: 1000 + n,
    parent_id: 0,
    number: String(1000 + n),
    order_key: `wc_order_${n}`,
    created_via: 'checkout',
    version: '10.3.0',
    status,
    currency: 'EUR',
    ...dates(seconds),
    discount_total: '1.00',
    discount_tax: '0.00',
    shipping_total: '4.90',
    shipping_tax: '0.00',
    cart_tax: '2.10',
    total: '27.00',
    total_tax: '2.10',
    prices_include_tax: false,
    customer_id: n % 2,
    customer_ip_address: '',
    customer_user_agent: '',
    customer_note: n % 3 === 0 ? 'Leave it with the porter.' : '',
    billing: { ...buyer, email: 'mary@tea.example', phone: '+44 1592 555 012' },
    shipping: n % 5 === 0 ? Object.fromEntries(Object.keys(buyer).map((name) => [name, ''])) : buyer,
    payment_method: paid ? 'card' : 'bacs',
    payment_method_title: paid ? 'Card' : 'Bank transfer',
    transaction_id: '',
    date_paid: paid ? local(seconds) : null,
    date_paid_gmt: paid ? stamp(seconds) : null,
    date_completed: done ? local(seconds) : null,
    date_completed_gmt: done ? stamp(seconds) : null,
    cart_hash: '',
    meta_data: [{ id: n, key: '_vat_id', value: { country: 'GB' } }],
    line_items: [
      makeLine({
        id: n * 10,
        name: 'Assam, 250 g',
        product_id: 101,
        variation_id: 0,
        quantity: 3,
        sku: 'TEA-1',
        subtotal: '22.00',
        total: '21.00',
      }),
    ],
    tax_lines: [],
    shipping_lines: [
      {
        id: n,
        method_title: 'Parcel post',
        method_id: 'flat_rate',
        total: '4.90',
        total_tax: '0.00',
        taxes: [],
        meta_data: [],
      },
    ],
    fee_lines: [],
    coupon_lines: [],
    refunds: status === 'refunded' ? [{ id: n, reason: 'Stale', total: '-27.00' }] : [],
  }
}

const isVariable = (n: number) => n % 4 === 0

export function makeProduct(n: number): Fields {
  const variable = isVariable(n)
  return {
    id: 100 + n,
    name: `Tea ${n}`,
    slug: `tea-${n}`,
    permalink: `https://tea.example/shop/product/tea-${n}/`,
    ...dates(n * 60),
    type: variable ? 'variable' : 'simple',
    status: n % 9 === 0 ? 'draft' : 'publish',
    featured: false,
    catalog_visibility: 'visible',
    description: `<p>Leaves of garden ${n}.</p>`,
    short_description: '',
    sku: variable ? '' : `TEA-${n}`,
    price: variable ? '5' : '9.90',
    regular_price: variable ? '' : '12.00',
    sale_price: variable ? '' : '9.90',
    on_sale: !variable,
    manage_stock: !variable && n % 7 !== 0,
    stock_quantity: variable || n % 7 === 0 ? null : n,
    stock_status: 'instock',
    backorders: 'no',
    weight: '0.25',
    dimensions: { length: '', width: '', height: '' },
    parent_id: 0,
    categories: [{ id: 5, name: 'Tea', slug: 'tea' }],
    tags: [{ id: 6, name: 'black', slug: 'black' }],
    images: [{ id: n, ...dates(0), src: `https://tea.example/img/${n}.jpg`, name: '', alt: 'A tin' }],
    attributes: variable
      ? [{ id: 0, name: 'Size', position: 0, visible: true, variation: true, options: ['50 g', '250 g'] }]
      : [],
    default_attributes: [],
    variations: variable ? [n * 1000 + 1, n * 1000 + 2] : [],
    grouped_products: [],
    menu_order: 0,
    meta_data: [],
  }
}

/** They change by themselves, an hour after their product. */
export const makeVariations = (n: number): Fields[] =>
  isVariable(n)
    ? ['50 g', '250 g'].map((size, k) => ({
        id: n * 1000 + k + 1,
        ...dates(n * 60 + 3600 + k),
        description: '',
        permalink: `https://tea.example/shop/product/tea-${n}/?size=${k}`,
        sku: `TEA-${n}-${k}`,
        price: k === 0 ? '5' : '19.5',
        regular_price: k === 0 ? '5' : '19.5',
        sale_price: '',
        status: 'publish',
        manage_stock: true,
        stock_quantity: 10 * n + k,
        stock_status: 'instock',
        weight: k === 0 ? '0.05' : '0.25',
        attributes: [{ id: 0, name: 'Size', option: size }],
        menu_order: 0,
        meta_data: [],
        parent_id: 100 + n,
        type: 'variation',
      }))
    : []
