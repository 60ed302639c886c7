import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import { decimal } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { optionsOf, type RemoteProduct, type Variant } from '../../../commerce/product.ts'
import { type Fields, fieldsOf, isFields, maybeText, textIn } from '../../../commerce/reading.ts'
import type { EbayShop } from '../settings.ts'
import { manyIn, partIn, refusalIn, trade } from './trading.ts'

/** Listings as the Seller Hub shows them, whatever they were made with: by their number, with their variations. */

const maxListings = 200

/** What is listed now. eBay does not say when a listing changed, so all of them are read each time. */
export async function listListings(shop: EbayShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const [, page = '1', size = String(Math.min(limit, maxListings))] = /^(\d{1,6})\|(\d{1,3})$/.exec(cursor ?? '') ?? []
  const Pagination = { EntriesPerPage: size, PageNumber: page }
  const answer = await trade(shop, 'GetMyeBaySelling', { ActiveList: { Include: 'true', Pagination } })
  if (!answer.isDone) throw refusalIn(answer)
  const active = partIn(answer, 'ActiveList')
  const counts = partIn(active, 'PaginationResult')
  const items = manyIn(partIn(active, 'ItemArray'), 'Item')
  const isLast = items.length === 0 || Number(page) >= Number(counts['TotalNumberOfPages'] ?? 1)
  return {
    items,
    next: isLast ? null : `${Number(page) + 1}|${size}`,
    total: counts['TotalNumberOfEntries'] === undefined ? null : Number(counts['TotalNumberOfEntries']),
  }
}

const noItem = '17'

export async function getListing(shop: EbayShop, id: string): Promise<Fields | null> {
  if (!/^\d{1,19}$/.test(id)) return null
  const answer = await trade(shop, 'GetItem', { ItemID: id, DetailLevel: 'ReturnAll' })
  if (manyIn(answer, 'Errors').some((error) => error['ErrorCode'] === noItem)) return null
  if (!answer.isDone) throw refusalIn(answer)
  return isFields(answer['Item']) ? answer['Item'] : null
}

export const isListing = (raw: Fields): boolean => raw['ItemID'] !== undefined

export const variationsIn = (listing: Fields): readonly Fields[] => manyIn(partIn(listing, 'Variations'), 'Variation')

/** How many of a listing, or of a variation of it, can be bought: some calls tell all that there ever were. */
export function availableIn(part: Fields): number {
  const own = maybeText(part, 'QuantityAvailable')
  const sold = maybeText(partIn(part, 'SellingStatus'), 'QuantitySold') ?? '0'
  return Math.max(0, Number(own ?? Number(maybeText(part, 'Quantity') ?? '0') - Number(sold)))
}

/** Without a sku it is known by the number of the listing. */
export const articleOf = (listing: Fields, part: Fields): string => maybeText(part, 'SKU') ?? textIn(listing, 'ItemID')

export const isAuction = (listing: Fields): boolean => listing['ListingType'] === 'Chinese'

export function toListing(raw: unknown): RemoteProduct {
  const listing = fieldsOf(raw)
  const id = textIn(listing, 'ItemID')
  const variations = variationsIn(listing)
  const variants = (variations.length > 0 ? variations : [listing]).map((part) => toVariant(listing, part))
  const picture = maybeText(partIn(listing, 'PictureDetails'), 'GalleryURL')
  return {
    remote_id: id,
    title: textIn(listing, 'Title'),
    description_html: maybeText(listing, 'Description'),
    status: 'active',
    remote_status: maybeText(listing, 'ListingType') ?? 'FixedPriceItem',
    brand: null,
    type: null,
    tags: [],
    images: picture === null ? [] : [{ url: picture, alt: null, position: 0 }],
    options: optionsOf(variants),
    variants,
    url: `https://www.ebay.com/itm/${id}`,
    remote_created_at: null,
    remote_updated_at: null,
    // As with articles of the Inventory API: what was read last counts.
    remote_version: '0',
    raw,
  }
}

function toVariant(listing: Fields, part: Fields): Variant {
  const specifics = manyIn(partIn(part, 'VariationSpecifics'), 'NameValueList')
  const options = specifics.map((one) => ({ name: textIn(one, 'Name'), value: String(one['Value'] ?? '') }))
  return {
    remote_id: articleOf(listing, part),
    inventory_item_remote_id: null,
    sku: maybeText(part, 'SKU'),
    barcode: null,
    title: options.map(({ value }) => value).join(' / ') || null,
    options,
    price: priceIn(part),
    compare_at_price: null,
    weight: null,
    quantity: availableIn(part),
    track_inventory: true,
  }
}

export function priceIn(part: Fields): Variant['price'] {
  const status = partIn(part, 'SellingStatus')
  const { '#text': amount, '@currencyID': currency } =
    status['CurrentPrice'] === undefined ? partIn(part, 'StartPrice') : partIn(status, 'CurrentPrice')
  if (typeof amount !== 'string' || typeof currency !== 'string') return null
  return { amount: decimal(amount, digitsOf(currency)), currency }
}
