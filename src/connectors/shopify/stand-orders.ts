import type { Fields } from '../../commerce/reading.ts'
import { connection } from './stand-graphql.ts'
import { type Books, gid, prices, type Row, sum, time } from './stand-records.ts'

/** Orders of the stand in all states, and the parcels that were sent of them. */

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

export function makeOrder(books: Books, n: number): Row {
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
