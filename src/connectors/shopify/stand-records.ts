import type { Fields } from '../../commerce/reading.ts'
import { connection, isFound } from './stand-graphql.ts'

/** The records of the stand: a shop for coffee, in the shapes of the platform. */

export type Row = Record<string, unknown> & { id: string }

export const gid = (kind: string, n: number) => `gid://shopify/${kind}/${n}`
const sum = (amount: number) => ({ shopMoney: { amount: amount.toFixed(1), currencyCode: 'EUR' } })
/** One a minute, so that all of them differ. */
export const time = (minute: number) => new Date(Date.UTC(2026, 8, 1, 8, minute)).toISOString().replace('.000Z', 'Z')

export interface Books {
  orders: Row[]
  products: Row[]
  places: Row[]
  levels: Row[]
  hooks: Row[]
  /** Keys of changes that have been carried out. */
  keys: Map<string, string>
  /** Counts up: nothing gets an id twice, and every change is later than the one before. */
  next(): number
}

const prices = [12.5, 7, 19.9, 4.35]

export function makeBooks(orderCount: number): Books {
  let counter = 100_000
  const books: Books = {
    orders: [],
    products: [],
    places: [],
    levels: [],
    hooks: [],
    keys: new Map(),
    next: () => ++counter,
  }
  for (const n of [1, 2]) {
    const place: Row = { __typename: 'Location', id: gid('Location', n), isActive: true, fulfillsOnlineOrders: n === 1 }
    place['inventoryLevels'] = connection(
      () => books.levels.filter((level) => level['location'] === place),
      (level, { query }) => isFound(level, query),
    )
    books.places.push(place)
  }
  for (let n = 1; n <= 23; n++) addProduct(books, n)
  for (let n = 1; n <= orderCount; n++) books.orders.push(makeOrder(books, n))
  return books
}

export function addVariant(books: Books, product: Row, told: Fields): Row {
  const n = books.next()
  const item: Row = { __typename: 'InventoryItem', id: gid('InventoryItem', n), tracked: true, sku: told['sku'] }
  const variant: Row = {
    __typename: 'ProductVariant',
    id: gid('ProductVariant', n),
    title: 'Default Title',
    barcode: null,
    compareAtPrice: null,
    selectedOptions: [{ name: 'Title', value: 'Default Title' }],
    product,
    inventoryItem: item,
    inventoryQuantity: 0,
    ...told,
  }
  item['measurement'] = { weight: { value: 0.25, unit: 'KILOGRAMS' } }
  item['variants'] = connection(() => [variant])
  item['inventoryLevel'] = ({ locationId }: Fields) =>
    books.levels.find((one) => one['item'] === item && (one['location'] as Row).id === locationId) ?? null
  return variant
}

export function stock(books: Books, item: Row, place: Row, available: number, at = time(books.next())): Row {
  const level: Row = { __typename: 'InventoryLevel', id: gid('InventoryLevel', books.next()), item, location: place }
  level['available'] = available
  level['updatedAt'] = at
  level['quantities'] = ({ names }: Fields) =>
    (names as string[]).map((name) => ({
      name,
      quantity:
        name === 'committed' || name === 'reserved' ? 1 : Number(level['available']) + (name === 'on_hand' ? 2 : 0),
    }))
  books.levels.push(level)
  return level
}

export function makeProduct(books: Books, told: Fields): Row {
  const product: Row = {
    __typename: 'Product',
    id: gid('Product', books.next()),
    handle: null,
    descriptionHtml: '',
    status: 'ACTIVE',
    vendor: 'Roastery',
    productType: 'Coffee',
    tags: ['fresh'],
    createdAt: time(0),
    updatedAt: time(books.next()),
    onlineStoreUrl: null,
    options: [{ name: 'Title', values: ['Default Title'] }],
    files: [{ url: 'https://cdn.example.com/bag.png', alt: 'A bag' }],
    list: [],
    ...told,
  }
  product['media'] = connection(() =>
    (product['files'] as Fields[]).map(({ url, alt }, n) => ({
      id: `${n}`,
      preview: { image: { url, altText: alt } },
    })),
  )
  product['variants'] = connection(() => product['list'] as Row[])
  product['variantsCount'] = () => ({ count: (product['list'] as Row[]).length })
  books.products.push(product)
  return product
}

const productStatuses = ['ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED']

function addProduct(books: Books, n: number): void {
  const product = makeProduct(books, {
    title: `Coffee ${n}`,
    status: productStatuses[n % productStatuses.length],
    updatedAt: time(n * 3),
  })
  // One has more variants than are told with it.
  const variants = n === 5 ? 45 : n % 3 === 0 ? 2 : 1
  for (let v = 1; v <= variants; v++) {
    const variant = addVariant(books, product, { sku: `COFFEE-${n}-${v}`, price: (prices[n % 4] ?? 1).toFixed(2) })
    ;(product['list'] as Row[]).push(variant)
    // A place has some of them, the other has few.
    for (const place of books.places.slice(0, n % 4 === 0 ? 2 : 1)) {
      stock(books, variant['inventoryItem'] as Row, place, n * v, time(n * 5 + v))
    }
  }
}

const kinds: readonly [financial: string | null, sent: string][] = [
  ['PAID', 'UNFULFILLED'],
  ['PAID', 'FULFILLED'],
  ['PENDING', 'UNFULFILLED'],
  ['AUTHORIZED', 'UNFULFILLED'],
  ['PAID', 'PARTIALLY_FULFILLED'],
  ['PARTIALLY_REFUNDED', 'FULFILLED'],
  ['REFUNDED', 'UNFULFILLED'],
  ['PAID', 'ON_HOLD'],
  ['PAID', 'SCHEDULED'],
  ['PARTIALLY_PAID', 'IN_PROGRESS'],
  ['EXPIRED', 'UNFULFILLED'],
  [null, 'FULFILLMENT_NOT_REQUIRED'],
]

function makeOrder(books: Books, n: number): Row {
  const [financial, sent] = kinds[n % kinds.length] ?? ['PAID', 'UNFULFILLED']
  const count = n === 7 ? 33 : 1 + (n % 3)
  const variants = books.products.flatMap((product) => product['list'] as Row[])
  const lines = Array.from({ length: count }, (_, at) => {
    const variant = variants[(n + at) % variants.length] as Row
    return { variant, title: `Coffee ${n}`, quantity: 1 + (at % 2), price: prices[(n + at) % 4] ?? 1 }
  })
  const order = newOrder(books, { name: `#${1000 + n}`, financial, sent, lines, at: time(n * 7) })
  const fulfilled = sent === 'FULFILLED' || sent === 'PARTIALLY_FULFILLED'
  if (fulfilled) send(books, order, n, sent === 'FULFILLED')
  if (n % 11 === 0) Object.assign(order, { cancelledAt: time(n * 7), cancelReason: 'CUSTOMER', updatedAt: time(n * 7) })
  return order
}

/** One parcel for all, or several; one order has more than are told with it. */
function send(books: Books, order: Row, n: number, all: boolean): void {
  const lines = order['lines'] as Row[]
  const parcels = n === 13 ? 6 : 1
  for (let p = 0; p < parcels; p++) {
    const items = (all ? lines : lines.slice(0, 1)).map((line) => ({
      quantity: p === 0 ? Number(all ? line['quantity'] : 1) : 0,
      line,
    }))
    addParcel(books, order, {
      number: `SENT-${n}-${p}`,
      company: 'UPS',
      url: null,
      items,
      place: books.places[0] as Row,
    })
  }
  order['updatedAt'] = time(n * 7)
}

export interface NewLine {
  variant: Row | null
  title: string
  quantity: number
  price: number
}

export function newOrder(
  books: Books,
  told: { name: string; financial: string | null; sent: string; lines: readonly NewLine[]; at: string },
): Row {
  const lines = told.lines.map(
    ({ variant, title, quantity, price }): Row => ({
      __typename: 'LineItem',
      id: gid('LineItem', books.next()),
      title,
      variantTitle: null,
      sku: variant?.['sku'] ?? null,
      quantity,
      currentQuantity: quantity,
      requiresShipping: true,
      originalUnitPriceSet: sum(price),
      discountAllocations: [],
      taxLines: [],
      product: variant?.['product'] ?? null,
      variant,
    }),
  )
  const worth = told.lines.reduce((total, { quantity, price }) => total + quantity * price, 0)
  const place = {
    name: 'Ada Byron',
    firstName: 'Ada',
    lastName: 'Byron',
    company: null,
    address1: 'Dock 1',
    address2: null,
    city: 'Gent',
    province: null,
    provinceCode: null,
    zip: '9000',
    countryCodeV2: 'BE',
    phone: null,
  }
  const parts = lines.map((line) => ({
    __typename: 'FulfillmentOrderLineItem',
    id: gid('FulfillmentOrderLineItem', books.next()),
    remainingQuantity: Number(line['quantity']),
    lineItem: line,
  }))
  const part: Row = {
    __typename: 'FulfillmentOrder',
    id: gid('FulfillmentOrder', books.next()),
    assignedLocation: { location: books.places[0] },
    list: parts,
    lineItems: connection(() => parts),
    supportedActions: () => (parts.some((one) => one.remainingQuantity > 0) ? [{ action: 'CREATE_FULFILLMENT' }] : []),
  }
  const order: Row = {
    __typename: 'Order',
    id: gid('Order', books.next()),
    name: told.name,
    createdAt: told.at,
    processedAt: told.at,
    updatedAt: told.at,
    cancelledAt: null,
    cancelReason: null,
    closedAt: null,
    test: false,
    displayFinancialStatus: told.financial,
    displayFulfillmentStatus: told.sent,
    currencyCode: 'EUR',
    taxesIncluded: false,
    email: 'ada@example.com',
    phone: null,
    note: null,
    tags: ['web'],
    sourceIdentifier: null,
    customer: {
      id: gid('Customer', 5),
      firstName: 'Ada',
      lastName: 'Byron',
      defaultEmailAddress: { emailAddress: 'ada@example.com' },
      defaultPhoneNumber: null,
    },
    shippingAddress: place,
    billingAddress: place,
    subtotalPriceSet: sum(worth),
    totalDiscountsSet: sum(0),
    totalShippingPriceSet: sum(0),
    totalTaxSet: sum(0),
    totalPriceSet: sum(worth),
    totalRefundedSet: sum(0),
    shippingLine: { title: 'Standard' },
    lines,
    parcels: [],
    lineItems: connection(() => lines),
    fulfillmentOrders: connection(() => [part]),
    part,
  }
  order['fulfillments'] = ({ first }: Fields) => (order['parcels'] as Row[]).slice(0, Number(first ?? 250))
  return order
}

export function addParcel(
  books: Books,
  order: Row,
  told: { number: string; company: string; url: string | null; items: { quantity: number; line: Row }[]; place: Row },
): Row {
  const items = told.items.filter(({ quantity }) => quantity > 0)
  const nodes = items.map(({ quantity, line }) => ({
    id: gid('FulfillmentLineItem', books.next()),
    quantity,
    lineItem: line,
  }))
  const parcel: Row = {
    __typename: 'Fulfillment',
    id: gid('Fulfillment', books.next()),
    status: 'SUCCESS',
    displayStatus: 'IN_TRANSIT',
    createdAt: time(books.next()),
    deliveredAt: null,
    totalQuantity: items.reduce((count, { quantity }) => count + quantity, 0),
    location: told.place,
    trackingInfo: [{ company: told.company, number: told.number, url: told.url }],
    fulfillmentLineItems: connection(() => nodes),
  }
  for (const { quantity, line } of items) {
    const left = ((order['part'] as Row)['list'] as Row[]).find((one) => one['lineItem'] === line)
    if (left) left['remainingQuantity'] = Number(left['remainingQuantity']) - quantity
  }
  ;(order['parcels'] as Row[]).push(parcel)
  const open = ((order['part'] as Row)['list'] as Row[]).some((one) => Number(one['remainingQuantity']) > 0)
  Object.assign(order, {
    updatedAt: time(books.next()),
    displayFulfillmentStatus: open ? 'PARTIALLY_FULFILLED' : 'FULFILLED',
  })
  return parcel
}
