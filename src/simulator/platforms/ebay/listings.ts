import { unitsOf } from '../../amounts.ts'
import { type Answer, answer, below, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, isFields, rowsOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { Article } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { listingIdOf, marketplace, money } from './orders.ts'
import { no } from './reply.ts'

export const inventory = '/sell/inventory/v1'
const atOnce = 25

/** Articles are known by their sku, things in several kinds by a key of their own. */
const groupKeyOf = ({ index }: Product): string => `GROUP-${String(index + 1).padStart(5, '0')}`
const isGrouped = ({ variants }: Product) => variants.length > 1
export const productIdOf = (product: Product | null): string =>
  product && isGrouped(product) ? groupKeyOf(product) : (product?.variants[0]?.sku ?? '')
export const locationKeyOf = (location: number): string => `HARBOUR-${location + 1}`
const locationKeys = locations.map((_, location) => locationKeyOf(location))

/** Every second product is offered with a number of its own, which sells no more than that whatever there is. */
const hasOwnNumber = ({ product }: Variant): boolean => product % 2 === 0

/** Articles, groups of them and offers. Where goods lie is told, unless the seller has no locations. */
export function listingRoutes({ shop: { stockroom }, settings }: World): readonly RouteRow[] {
  const placed = settings.variant['locations'] !== 'none'
  const ownNumbers = new Map<string, number>()
  const missing = () => no(404, 25_710, 'We did not find the resource you are looking for.')

  function itemView({ product, variant }: Article) {
    const { sku, stock, grams, barcode, title } = variant
    const colour = title === 'Default Title' ? {} : { Colour: [title] }
    const parts = stock.map((quantity, i) => ({
      ...{ merchantLocationKey: locationKeyOf(i), quantity, fulfillmentTime: { value: i + 1, unit: 'BUSINESS_DAY' } },
    }))
    return {
      ...{ sku, locale: 'de_DE', condition: 'NEW' },
      ...(isGrouped(product) ? { groupIds: [groupKeyOf(product)], inventoryItemGroupKeys: [groupKeyOf(product)] } : {}),
      product: {
        ...{ title: product.title, description: product.html, brand: product.vendor, ean: barcode ? [barcode] : [] },
        ...{ imageUrls: product.images.map(({ url }) => url), aspects: { ...colour, Brand: [product.vendor] } },
      },
      packageWeightAndSize: { weight: { value: grams / 1000, unit: 'KILOGRAM' } },
      availability: {
        shipToLocationAvailability: {
          quantity: totalOf(variant),
          ...(placed ? { availabilityDistributions: parts } : {}),
        },
      },
    }
  }

  /** What is called offset here is the number of the page. */
  function items({ query }: Call): Answer {
    const [limit, page] = [Number(query.get('limit') ?? 25), Number(query.get('offset') ?? 0)]
    if (limit < 1 || limit > 200) return no(400, 25_706, 'Invalid limit.')
    const all = stockroom.articles().sort((a, b) => a.product.index - b.product.index)
    const some = all.slice(page * limit, (page + 1) * limit)
    const inventoryItems = some.map(itemView)
    return answer(200, { total: all.length, size: some.length, limit, inventoryItems })
  }

  const item = (sku: string): object | null => {
    const article = stockroom.article(sku)
    return article && itemView(article)
  }

  function someItems(call: Call): Answer {
    const requests = rowsOf(call.fields()['requests'])
    if (requests.length > atOnce) return no(400, 25_706, `No more than ${atOnce} at once.`)
    const responses = requests.map((request) => {
      const sku = textOf(request['sku']) ?? ''
      const inventoryItem = item(sku)
      return inventoryItem ? { sku, statusCode: 200, inventoryItem } : { sku, statusCode: 404, errors: [] }
    })
    return answer(200, { responses })
  }

  function group(product: Product): Answer {
    const values = product.variants.map(({ title }) => title)
    return answer(200, {
      ...{ title: product.title, description: product.html, aspects: { Brand: [product.vendor] } },
      ...{ imageUrls: product.images.map(({ url }) => url), variantSKUs: product.variants.map(({ sku }) => sku) },
      variesBy: { aspectsImageVariesBy: ['Colour'], specifications: [{ name: 'Colour', values }] },
    })
  }
  const groupOf = (key: string) => {
    const product = stockroom.product(Number(/^GROUP-(\d{5,9})$/.exec(key)?.[1] ?? 0) - 1)
    return product && isGrouped(product) ? product : null
  }

  /** An article that was never offered is answered as if there was no such thing. */
  function offers({ query }: Call): Answer {
    const article = stockroom.article(query.get('sku') ?? '')
    if (!article || article.product.status === 'archived') return no(404, 25_713, 'This Offer is not available.')
    const { product, variant } = article
    const { sku, position, price, compareAt } = variant
    const listed = { listing: { listingId: listingIdOf(product.index), listingStatus: 'ACTIVE' } }
    const offer = {
      ...{ offerId: String(8_000_000_000 + product.index * 100 + position), sku, marketplaceId: marketplace.id },
      ...{ format: 'FIXED_PRICE', categoryId: '112581' },
      ...(hasOwnNumber(variant) ? { availableQuantity: ownNumbers.get(sku) ?? totalOf(variant) } : {}),
      pricingSummary: {
        price: money(price),
        ...(compareAt !== null && compareAt > price ? { originalRetailPrice: money(compareAt) } : {}),
      },
      ...(product.status === 'active' ? { status: 'PUBLISHED', ...listed } : { status: 'UNPUBLISHED' }),
    }
    // Begun for another site, and never published.
    const draft = { ...offer, offerId: `9${offer.offerId}`, marketplaceId: 'EBAY_AT', status: 'UNPUBLISHED' }
    return answer(200, { total: 2, size: 2, limit: 100, offers: [draft, offer] })
  }

  /** One article at a time, with all its offers. Drafts among them spoil it: it is made for what is published. */
  function setQuantity(call: Call, record: Recorder): Answer {
    const [request, ...more] = rowsOf(call.fields()['requests'])
    if (!request || more.length > 0) return no(400, 25_705, 'Only one SKU may be updated at a time.')
    const sku = textOf(request['sku']) ?? ''
    const variant = stockroom.bySku(sku)
    const outcome = (response: object) => answer(200, { responses: [{ sku, ...response }] })
    const refused = (errorId: number, message: string) => outcome({ statusCode: 400, errors: [{ errorId, message }] })
    if (!variant) return refused(25_702, `${sku} could not be found or is not available.`)
    const asked = rowsOf(request['offers'])
    const isDraft = asked.some(({ offerId }) => textOf(offerId)?.startsWith('9'))
    if (isDraft || (asked.length > 0 && stockroom.product(variant.product)?.status !== 'active'))
      return refused(25_713, 'This Offer is not available : it is not published.')
    const wanted = quantitiesIn(request['shipToLocationAvailability'], variant)
    if (!wanted) return refused(25_703, 'A location is not known.')
    for (const [location, quantity] of wanted.entries())
      if (stockroom.setStock(variant, location, quantity))
        record.effect('inventory.set', `${sku} ${locationKeyOf(location)}`)
    for (const { availableQuantity, price } of asked) {
      const [own, units] = [wholeOf(availableQuantity), unitsOf(textOf(fieldsOf(price)['value']) ?? '', 'EUR')]
      if (own !== null) ownNumbers.set(sku, own)
      if (units !== null && stockroom.reprice(variant, units)) record.effect('price.set', sku)
    }
    return outcome({ statusCode: 200 })
  }

  const reading = { writes: false }
  return below(inventory, [
    ['GET', '/inventory_item', 'items.list', items],
    ['GET', '/inventory_item/:sku', 'items.get', forOne(item, missing)((view) => answer(200, view))],
    ['POST', '/bulk_get_inventory_item', 'items.get_some', someItems, reading],
    ['GET', '/inventory_item_group/:key', 'groups.get', forOne(groupOf, missing)(group)],
    ['GET', '/offer', 'offers.list', offers],
    ['POST', '/bulk_update_price_quantity', 'inventory.set', setQuantity],
  ])
}

/** By location, the others as they are; null where one is named that nobody knows. */
function quantitiesIn(value: unknown, variant: Variant): readonly number[] | null {
  const [first = 0, ...others] = variant.stock
  if (!isFields(value)) return variant.stock
  const parts = rowsOf(value['availabilityDistributions'])
  const total = wholeOf(value['quantity'])
  if (parts.length === 0) return [total === null ? first : total - totalOf(variant) + first, ...others]
  const counts = new Map(parts.map((part) => [String(part['merchantLocationKey']), wholeOf(part['quantity'])]))
  if ([...counts.keys()].some((key) => !locationKeys.includes(key))) return null
  return locationKeys.map((key) => counts.get(key) ?? 0)
}
