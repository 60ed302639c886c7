import { type Fields, recordsIn, textIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { type Books, type Listing, money, parcelOf, shopId } from './stand-records.ts'

export interface Asked {
  books: Books
  id: number
  query: Fields
  body: Fields
}

type Answer = Omit<RemoteAnswer, 'headers'>

const no = (status: number, error: string): Answer => ({ status, body: { error } })

const pageOf = (all: readonly unknown[], { limit, offset }: Fields): Answer => {
  const from = Number(offset ?? 0)
  if (from > 12_000) return no(400, 'The offset is too high.')
  return { status: 200, body: { count: all.length, results: all.slice(from, from + Number(limit ?? 25)) } }
}

const listReceipts = ({ books, query }: Asked): Answer => {
  const { min_last_modified: min, max_last_modified: max } = query
  if (min != null && Number(min) < 946_684_800) return no(400, 'Invalid min_last_modified.')
  const time = (receipt: Fields) => Number(receipt['updated_timestamp'])
  const found = [...books.receipts.values()]
    .filter((one) => (min == null || time(one) >= Number(min)) && (max == null || time(one) <= Number(max)))
    .sort((a, b) => time(a) - time(b))
  return pageOf(query['sort_order'] === 'asc' ? found : found.reverse(), query)
}

const getReceipt = ({ books, id }: Asked): Answer => {
  const receipt = books.receipts.get(id)
  return receipt ? { status: 200, body: structuredClone(receipt) } : no(404, 'Resource not found')
}

const carriers = ['bpost', 'dhl', 'fedex', 'ups', 'usps', 'other']

const addTracking = ({ books, id, body }: Asked): Answer => {
  const receipt = books.receipts.get(id)
  if (!receipt) return no(404, 'Resource not found')
  const code = textIn(body, 'tracking_code')
  if (!carriers.includes(textIn(body, 'carrier_name'))) return no(400, 'The carrier name is not supported.')
  books.letters.push(`${id} ${code}`)
  books.now += 10
  const parcel = parcelOf(1000 + books.letters.length, textIn(body, 'carrier_name'), code, books.now)
  receipt['shipments'] = [...recordsIn(receipt, 'shipments'), parcel]
  Object.assign(receipt, {
    is_shipped: true,
    status: 'completed',
    updated_timestamp: books.now,
    update_timestamp: books.now,
  })
  return { status: 200, body: structuredClone(receipt) }
}

const shown = ({ id, state, changed, inventory }: Listing): Fields => ({
  listing_id: id,
  user_id: 7,
  shop_id: shopId,
  title: `Cup ${id}`,
  description: 'Blue.\nHolds <much>.',
  state,
  created_timestamp: changed - 1000,
  updated_timestamp: changed,
  last_modified_timestamp: changed,
  quantity: 4,
  url: `https://www.etsy.com/listing/${id}`,
  tags: ['cup'],
  item_weight: 0.3,
  item_weight_unit: 'kg',
  price: money(1250),
  images: [
    { listing_id: id, listing_image_id: 2, rank: 2, url_fullxfull: 'https://i.etsystatic.com/2.jpg', alt_text: null },
    {
      listing_id: id,
      listing_image_id: 1,
      rank: 1,
      url_fullxfull: 'https://i.etsystatic.com/1.jpg',
      alt_text: 'Front',
    },
  ],
  ...(inventory ? { inventory: structuredClone(inventory) } : {}),
})

const listListings = ({ books, query }: Asked): Answer =>
  pageOf([...books.listings.values()].filter(({ state }) => state === (query['state'] ?? 'active')).map(shown), query)

const getListing = ({ books, id }: Asked): Answer => {
  const listing = books.listings.get(id)
  return listing ? { status: 200, body: shown(listing) } : no(404, 'Resource not found')
}

const getInventory = ({ books, id }: Asked): Answer => {
  const inventory = books.listings.get(id)?.inventory
  return inventory ? { status: 200, body: structuredClone(inventory) } : no(404, 'Resource not found')
}

/** Everything anew: what is not told is gone, and every product has another id. */
const putInventory = ({ books, id, body }: Asked): Answer => {
  const listing = books.listings.get(id)
  if (!listing) return no(404, 'Resource not found')
  const told = recordsIn(body, 'products')
  if (told.some((one) => one['product_id'] !== undefined || one['is_deleted'] !== undefined)) {
    return no(400, 'Invalid keys in products.')
  }
  const numbers = new Set(told.flatMap((one) => recordsIn(one, 'offerings').map(({ quantity }) => quantity)))
  const by = body['quantity_on_property']
  if (Array.isArray(by) && by.length === 0 && numbers.size > 1) return no(400, 'quantity must be consistent.')
  const products = told.map((one, k) => ({
    product_id: 1_000_000 + id * 10 + k,
    sku: one['sku'],
    is_deleted: false,
    property_values: recordsIn(one, 'property_values').map((value) => ({ scale_name: null, ...value })),
    offerings: recordsIn(one, 'offerings').map(({ price, ...rest }) => ({
      ...rest,
      offering_id: 2_000_000 + id * 10 + k,
      is_deleted: false,
      price: money(Math.round(Number(price) * 100)),
    })),
  }))
  books.now += 10
  listing.inventory = { ...body, products }
  listing.changed = books.now
  return { status: 200, body: structuredClone(listing.inventory) }
}

export const answers: Readonly<Record<string, (asked: Asked) => Answer>> = {
  'GET /users/me': () => ({ status: 200, body: { user_id: 7, shop_id: shopId } }),
  'GET /shops/42': () => ({ status: 200, body: { shop_id: shopId, user_id: 7, shop_name: 'AdaCups' } }),
  'GET /shops/42/receipts': listReceipts,
  'GET /shops/42/receipts/#': getReceipt,
  'POST /shops/42/receipts/#/tracking': addTracking,
  'GET /shops/42/listings': listListings,
  'GET /listings/#': getListing,
  'GET /listings/#/inventory': getInventory,
  'PUT /listings/#/inventory': putInventory,
}
