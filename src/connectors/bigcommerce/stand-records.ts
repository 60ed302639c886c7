import type { Fields } from '../../commerce/reading.ts'

/** The records of the stand: a store for kitchen things, in the shapes of the platform. */

export type Row = Record<string, unknown> & { id: number }

export interface Books {
  orders: Row[]
  /** Lines, addresses and parcels of orders. */
  lines: Row[]
  addresses: Row[]
  parcels: Row[]
  products: Row[]
  variants: Row[]
  levels: { variant: Row; place: number; held: number; safety: number }[]
  hooks: Row[]
  /** Counts up: nothing gets an id twice, and every change is later than the one before. */
  next(): number
}

const at = (minute: number) => new Date(Date.UTC(2026, 8, 1, 8, minute))
export const mailTime = (minute: number) => at(minute).toUTCString().replace('GMT', '+0000')
export const isoTime = (minute: number) => at(minute).toISOString().replace('.000Z', '+00:00')
const money = (amount: number) => amount.toFixed(4)

const labels: Readonly<Record<number, string>> = {
  0: 'Incomplete',
  1: 'Pending',
  2: 'Shipped',
  3: 'Partially Shipped',
  4: 'Refunded',
  5: 'Cancelled',
  6: 'Declined',
  7: 'Awaiting Payment',
  8: 'Awaiting Pickup',
  9: 'Awaiting Shipment',
  10: 'Completed',
  11: 'Awaiting Fulfillment',
  12: 'Manual Verification Required',
  13: 'Disputed',
  14: 'Partially Refunded',
}

/** In this order a cancelled one comes before one that was declined. */
const statuses = [11, 2, 5, 7, 3, 10, 12, 9, 14, 11, 1, 6, 13, 0, 8, 11]
const prices = [12.5, 7, 19.9, 4.35]

export function makeBooks(orderCount: number): Books {
  let counter = 10_000
  const books: Books = {
    orders: [],
    lines: [],
    addresses: [],
    parcels: [],
    products: [],
    variants: [],
    levels: [],
    hooks: [],
    next: () => ++counter,
  }
  for (let n = 1; n <= 24; n++) makeProduct(books, n)
  for (let n = 1; n <= orderCount; n++) makeOrder(books, n)
  return books
}

export function addProduct(books: Books, told: Fields): Row {
  const id = books.next()
  const row: Row = {
    id,
    type: 'physical',
    sku: '',
    description: '',
    weight: 1.5,
    price: 10,
    sale_price: 0,
    retail_price: 0,
    brand_id: 0,
    inventory_level: 0,
    inventory_tracking: 'none',
    is_visible: true,
    search_keywords: 'steel, kitchen',
    availability: 'available',
    custom_url: { url: `/thing-${id}/`, is_customized: false },
    date_created: isoTime(0),
    date_modified: isoTime(id),
    images: [],
    ...told,
  }
  books.products.push(row)
  return row
}

export function addVariant(books: Books, product: Row, told: Fields): Row {
  const row: Row = {
    id: books.next(),
    product_id: product.id,
    sku: '',
    upc: '',
    inventory_level: 0,
    option_values: [],
    ...told,
  }
  books.variants.push(row)
  return row
}

function makeProduct(books: Books, n: number): void {
  const product = addProduct(books, {
    name: `Pan ${n}`,
    price: prices[n % 4],
    sale_price: n % 5 === 0 ? 3 : 0,
    retail_price: 25,
    brand_id: n % 2 === 0 ? 7 : 0,
    is_visible: n % 6 !== 0,
    availability: n % 7 === 0 ? 'disabled' : 'available',
    inventory_tracking: ['none', 'product', 'variant'][n % 3],
    date_modified: isoTime(n * 3),
    images: [{ id: n, url_standard: `https://cdn.example.com/pan-${n}.jpg`, description: 'A pan', sort_order: 0 }],
  })
  const sizes = n % 3 === 2 ? ['S', 'L'] : [null]
  for (const size of sizes) {
    const option = { id: 1, label: size ?? '', option_id: 2, option_display_name: 'Size' }
    const variant = addVariant(books, product, {
      sku: `PAN-${n}${size ? `-${size}` : ''}`,
      option_values: size ? [option] : [],
      inventory_level: n,
    })
    for (const place of n % 4 === 0 ? [1, 2] : [1]) books.levels.push({ variant, place, held: n + 2, safety: place })
  }
}

export function addOrder(
  books: Books,
  told: {
    statusId: number
    payment: string
    minute: number
    lines: readonly { variant: Row; quantity: number; price: number }[]
  },
): Row {
  const id = books.next()
  const worth = told.lines.reduce((total, { quantity, price }) => total + quantity * price, 0)
  const place = {
    first_name: 'Ada',
    last_name: 'Byron',
    company: '',
    street_1: 'Dock 1',
    street_2: '',
    city: 'Gent',
    state: 'Oost-Vlaanderen',
    zip: '9000',
    country: 'Belgium',
    country_iso2: 'BE',
    phone: '',
    email: 'ada@example.com',
  }
  const address: Row = { id: books.next(), ...place, shipping_method: 'Van', items_total: 1, items_shipped: 0 }
  const order: Row = {
    id,
    customer_id: id % 2 === 0 ? 0 : 9,
    date_created: mailTime(told.minute),
    date_modified: mailTime(told.minute),
    date_shipped: '',
    status_id: told.statusId,
    status: labels[told.statusId],
    subtotal_ex_tax: money(worth),
    subtotal_inc_tax: money(worth),
    shipping_cost_inc_tax: money(0),
    total_inc_tax: money(worth),
    total_tax: money(0),
    is_tax_inclusive_pricing: false,
    items_total: told.lines.reduce((count, { quantity }) => count + quantity, 0),
    items_shipped: 0,
    payment_status: told.payment,
    refunded_amount: money(0),
    order_is_digital: false,
    currency_code: 'EUR',
    default_currency_code: 'EUR',
    staff_notes: '',
    customer_message: '',
    discount_amount: money(0),
    coupon_discount: money(0),
    billing_address: place,
    external_order_id: '',
  }
  books.addresses.push({ ...address, order: id })
  for (const { variant, quantity, price } of told.lines) {
    books.lines.push({
      id: books.next(),
      order_id: id,
      product_id: Number(variant['product_id'] ?? 0),
      variant_id: variant.id,
      order_address_id: address.id,
      name: String(variant['name'] ?? 'Pan'),
      sku: String(variant['sku']),
      type: 'physical',
      price_ex_tax: money(price),
      price_inc_tax: money(price),
      total_ex_tax: money(price * quantity),
      total_inc_tax: money(price * quantity),
      total_tax: money(0),
      quantity,
      quantity_shipped: 0,
      quantity_refunded: 0,
      applied_discounts: [],
      product_options: [],
    })
  }
  books.orders.push(order)
  return order
}

function makeOrder(books: Books, n: number): void {
  const statusId = statuses[n % statuses.length] ?? 11
  const lines = Array.from({ length: 1 + (n % 3) }, (_, k) => ({
    variant: books.variants[(n + k) % books.variants.length] as Row,
    quantity: 1 + (k % 2),
    price: prices[(n + k) % 4] ?? 1,
  }))
  // Some changed in the same second.
  const minute = 7 * Math.floor(n / 4)
  const order = addOrder(books, { statusId, payment: statusId === 7 ? 'pending' : 'captured', minute, lines })
  if ([2, 3, 10].includes(statusId)) {
    const own = books.lines.filter((line) => line['order_id'] === order.id)
    const some = statusId === 3 ? own.slice(0, 1) : own
    addParcel(books, order, {
      tracking_number: `SENT-${n}`,
      shipping_provider: 'ups',
      items: some.map((line) => ({ order_product_id: line.id, quantity: Number(line['quantity']) })),
    })
    Object.assign(order, { status_id: statusId, status: labels[statusId], date_modified: mailTime(minute) })
  }
}

/** The order moves on by itself. */
export function addParcel(books: Books, order: Row, told: Fields): Row {
  const items = told['items'] as readonly { order_product_id: number; quantity: number }[]
  const parcel: Row = {
    tracking_carrier: '',
    tracking_link: '',
    shipping_method: '',
    shipping_provider: '',
    ...told,
    id: books.next(),
    order_id: order.id,
    date_created: mailTime(books.next()),
  }
  books.parcels.push(parcel)
  for (const { order_product_id: id, quantity } of items) {
    const line = books.lines.find((one) => one.id === id)
    if (line) line['quantity_shipped'] = Number(line['quantity_shipped']) + quantity
    order['items_shipped'] = Number(order['items_shipped']) + quantity
  }
  const statusId = Number(order['items_shipped']) >= Number(order['items_total']) ? 2 : 3
  Object.assign(order, { status_id: statusId, status: labels[statusId], date_modified: mailTime(books.next()) })
  return parcel
}

export function setStatus(books: Books, order: Row, statusId: number): void {
  Object.assign(order, { status_id: statusId, status: labels[statusId], date_modified: mailTime(books.next()) })
}
