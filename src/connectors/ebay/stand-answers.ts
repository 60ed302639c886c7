import { type Fields, isFields, recordsIn, textIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { type Books, colourOf, type Item, type Order, time } from './stand-records.ts'

export interface Asked {
  books: Books
  query: Fields
  body: Fields
  /** What stands in the place of `*`. */
  name: string
}

type Answer = Omit<RemoteAnswer, 'headers'> & { headers?: Record<string, string> }

const no = (status: number, errorId: number, message: string): Answer => ({
  status,
  body: { errors: [{ errorId, domain: 'API', category: 'REQUEST', message }] },
})

const shown = ({ parcels, ...order }: Order, isAlone: boolean): Fields => ({
  ...order,
  fulfillmentHrefs: parcels.map(({ fulfillmentId }) => `https://api.ebay.com/x/${fulfillmentId}`),
  // As eBay has it: only the order by itself says why it is to be cancelled.
  cancelStatus: isAlone ? order['cancelStatus'] : { ...(order['cancelStatus'] as Fields), cancelRequests: [] },
})

const listOrders = ({ books, query }: Asked): Answer => {
  const limit = Number(query['limit'] ?? 50)
  const offset = Number(query['offset'] ?? 0)
  if (limit > 200) return no(400, 30820, 'The limit is too high.')
  const filter = String(query['filter'] ?? '')
  const match = /^lastmodifieddate:\[([^\].]+\.\d{3}Z)\.\.([^\]]*)\]$/.exec(filter)
  if (filter !== '' && !match) return no(400, 30700, 'Invalid filter.')
  const from = match?.[1] ?? time(books.now - 90 * 86_400_000)
  if (Date.parse(from) < books.now - 2 * 365 * 86_400_000) return no(400, 30800, 'The date is too far in the past.')
  const to = match?.[2] || '9999'
  const found = [...books.orders.values()]
    .filter((order) => textIn(order, 'lastModifiedDate') >= from && textIn(order, 'lastModifiedDate') <= to)
    // Newest sale first: an order that nobody should rely on.
    .sort((a, b) => (textIn(a, 'creationDate') < textIn(b, 'creationDate') ? 1 : -1))
  const orders = found.slice(offset, offset + limit).map((order) => shown(order, false))
  return { status: 200, body: { href: 'https://api.ebay.com/x', total: found.length, limit, offset, orders } }
}

const getOrder = ({ books, name }: Asked): Answer => {
  const order = books.orders.get(name)
  return order ? { status: 200, body: shown(order, true) } : no(404, 32000, 'No such order.')
}

const listParcels = ({ books, name }: Asked): Answer => {
  const order = books.orders.get(name)
  if (!order) return no(400, 32100, 'Invalid order id.')
  return { status: 200, body: { fulfillments: order.parcels, total: order.parcels.length } }
}

const changed = (books: Books, order: Order, change: Fields): void => {
  books.now += 1000
  Object.assign(order, change, { lastModifiedDate: time(books.now) })
}

const addParcel = ({ books, name, body }: Asked): Answer => {
  const order = books.orders.get(name)
  if (!order) return no(400, 32100, 'Invalid order id.')
  const tracking = textIn(body, 'trackingNumber')
  if (!/^[A-Za-z0-9]+$/.test(tracking)) return no(400, 32720, 'Invalid tracking number.')
  const lineItems = recordsIn(body, 'lineItems')
  const shippedDate = body['shippedDate'] ?? time(books.now)
  const parcel = { fulfillmentId: tracking, shipmentTrackingNumber: tracking, lineItems, shippedDate }
  order.parcels.push({ ...parcel, shippingCarrierCode: body['shippingCarrierCode'] })
  const lines = recordsIn(order, 'lineItems').map((line) => ({ ...line, lineItemFulfillmentStatus: 'FULFILLED' }))
  changed(books, order, { lineItems: lines, orderFulfillmentStatus: 'FULFILLED' })
  return { status: 201, body: '', headers: { location: `https://api.ebay.com/x/${tracking}` } }
}

const checkCancel = ({ books, body }: Asked): Answer => {
  const order = books.orders.get(String(body['legacyOrderId']))
  const eligible = order !== undefined && order.parcels.length === 0
  const failureReason = eligible ? [] : ['ORDER_ALREADY_SHIPPED']
  return { status: 200, body: { eligible, failureReason, legacyOrderId: body['legacyOrderId'] } }
}

const cancel = ({ books, body }: Asked): Answer => {
  const order = books.orders.get(String(body['legacyOrderId']))
  if (!order) return { status: 404, body: { error: [{ message: 'No such order.' }] } }
  books.cancelled.push(order.orderId)
  const request = { cancelRequestId: 'c', cancelReason: body['cancelReason'], cancelInitiator: 'SELLER' }
  const status = { cancelState: 'CANCELED', cancelledDate: time(books.now), cancelRequests: [request] }
  changed(books, order, { cancelStatus: status })
  return { status: 200, body: { cancelId: '5' } }
}

/** The buyer asked, the seller agrees. */
const approve = ({ books, name }: Asked): Answer => {
  const order = [...books.orders.values()].find((one) =>
    recordsIn({ cancelRequests: [], ...(one['cancelStatus'] as Fields) }, 'cancelRequests').some(
      ({ cancelRequestId }) => cancelRequestId === name,
    ),
  )
  if (!order) return { status: 404, body: { error: [{ message: 'No such request.' }] } }
  books.cancelled.push(order.orderId)
  changed(books, order, { cancelStatus: { ...(order['cancelStatus'] as Fields), cancelState: 'CANCELED' } })
  return { status: 200, body: {} }
}

const shownItem = (books: Books, { sku, quantity, places }: Item): Fields => {
  const groups = [...books.groups.values()].filter(({ skus }) => skus.includes(sku)).map(({ key }) => key)
  const parts = Object.entries(places).map(([merchantLocationKey, count]) => ({ merchantLocationKey, quantity: count }))
  return {
    sku,
    locale: 'en_US',
    condition: 'NEW',
    ...(groups.length > 0 ? { inventoryItemGroupKeys: groups } : {}),
    product: {
      title: `Article ${sku}`,
      description: '<p>Fine.</p>',
      brand: 'Dockside',
      ean: ['4006381333931'],
      aspects: { Colour: [colourOf(sku)], Brand: ['Dockside'] },
    },
    packageWeightAndSize: { weight: { value: 1.5, unit: 'POUND' } },
    availability: {
      shipToLocationAvailability: { quantity, ...(parts.length > 0 ? { availabilityDistributions: parts } : {}) },
    },
  }
}

const listItems = ({ books, query }: Asked): Answer => {
  const limit = Number(query['limit'] ?? 25)
  const page = Number(query['offset'] ?? 0)
  const all = [...books.items.values()]
  const inventoryItems = all.slice(page * limit, (page + 1) * limit).map((item) => shownItem(books, item))
  const size = inventoryItems.length
  return { status: 200, body: { href: '/x', total: all.length, size, limit, inventoryItems } }
}

const getItem = ({ books, name }: Asked): Answer => {
  const item = books.items.get(name)
  return item ? { status: 200, body: shownItem(books, item) } : no(404, 25710, 'We did not find the resource.')
}

const getGroup = ({ books, name }: Asked): Answer => {
  const group = books.groups.get(name)
  if (!group) return no(404, 25705, 'We did not find the group.')
  const body = {
    title: `Group ${name}`,
    description: '<p>In many colours.</p>',
    imageUrls: ['https://i.ebayimg.com/group.jpg'],
    aspects: { Brand: ['Dockside'] },
    variantSKUs: group.skus,
    variesBy: {
      aspectsImageVariesBy: ['Colour'],
      specifications: [{ name: 'Colour', values: ['blue', 'red', 'green'] }],
    },
  }
  return { status: 200, body }
}

const getItems = ({ books, body }: Asked): Answer => {
  const requests = recordsIn(body, 'requests')
  if (requests.length > 25) return no(400, 25706, 'Too many at once.')
  const responses = requests.map((request) => {
    const sku = textIn(request, 'sku')
    const item = books.items.get(sku)
    if (!item) return { sku, statusCode: 404, errors: [{ errorId: 25710, message: 'We did not find the resource.' }] }
    return { sku, statusCode: 200, inventoryItem: shownItem(books, item) }
  })
  return { status: 200, body: { responses } }
}

const listOffers = ({ books, query }: Asked): Answer => {
  const item = books.items.get(String(query['sku']))
  if (!item || item.offers.length === 0) return no(404, 25713, 'This Offer is not available.')
  const offers = item.offers.map(({ offerId, price, availableQuantity, status }) => ({
    offerId,
    sku: item.sku,
    marketplaceId: 'EBAY_US',
    format: 'FIXED_PRICE',
    categoryId: '112581',
    ...(availableQuantity === null ? {} : { availableQuantity }),
    pricingSummary: { price: { value: price, currency: 'USD' } },
    status,
    ...(status === 'PUBLISHED' ? { listing: { listingId: `11${offerId.slice(1)}`, listingStatus: 'ACTIVE' } } : {}),
  }))
  return { status: 200, body: { href: '/x', total: offers.length, size: offers.length, limit: 100, offers } }
}

const setQuantity = ({ books, body }: Asked): Answer => {
  const [request, ...more] = recordsIn(body, 'requests')
  if (!request || more.length > 0) return no(400, 25705, 'Only one SKU may be updated.')
  const sku = textIn(request, 'sku')
  const item = books.items.get(sku)
  const stock = request['shipToLocationAvailability']
  if (!item || !isFields(stock)) {
    const errors = [{ errorId: 25702, message: 'The SKU could not be found.' }]
    return { status: 200, body: { responses: [{ sku, statusCode: 400, errors }] } }
  }
  item.quantity = Number(stock['quantity'])
  const parts = stock['availabilityDistributions'] == null ? [] : recordsIn(stock, 'availabilityDistributions')
  item.places = Object.fromEntries(parts.map((part) => [textIn(part, 'merchantLocationKey'), Number(part['quantity'])]))
  for (const one of recordsIn(request, 'offers')) {
    const offer = item.offers.find(({ offerId }) => offerId === one['offerId'])
    if (offer) offer.availableQuantity = Number(one['availableQuantity'])
  }
  return { status: 200, body: { responses: [{ sku, statusCode: 200 }] } }
}

const user = (): Answer => ({
  status: 200,
  body: { userId: 'ma8vp1jySJC', username: 'ada_antiques', accountType: 'BUSINESS', status: 'CONFIRMED' },
})

export const answers: Readonly<Record<string, (asked: Asked) => Answer>> = {
  'GET /commerce/identity/v1/user/': user,
  'GET /sell/fulfillment/v1/order': listOrders,
  'GET /sell/fulfillment/v1/order/*': getOrder,
  'GET /sell/fulfillment/v1/order/*/shipping_fulfillment': listParcels,
  'POST /sell/fulfillment/v1/order/*/shipping_fulfillment': addParcel,
  'POST /post-order/v2/cancellation/check_eligibility': checkCancel,
  'POST /post-order/v2/cancellation': cancel,
  'POST /post-order/v2/cancellation/*/approve': approve,
  'GET /sell/inventory/v1/inventory_item': listItems,
  'GET /sell/inventory/v1/inventory_item/*': getItem,
  'GET /sell/inventory/v1/inventory_item_group/*': getGroup,
  'POST /sell/inventory/v1/bulk_get_inventory_item': getItems,
  'GET /sell/inventory/v1/offer': listOffers,
  'POST /sell/inventory/v1/bulk_update_price_quantity': setQuantity,
}
