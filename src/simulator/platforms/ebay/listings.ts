import { unitsOf } from '../../amounts.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { Parts } from '../../http/route-table.ts'
import { fieldsOf, isFields, listOf, textOf, wholeOf } from '../../json.ts'
import { locations, type Product, type Variant } from '../../shop/goods.ts'
import { answer, type World } from '../../world.ts'
import { groupKeyOf, listingIdOf, locationKeyOf, offerIdOf } from './ids.ts'
import { marketplace, money } from './order-view.ts'
import { no } from './reply.ts'

export const inventory = '/sell/inventory/v1'
const atOnce = 25
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** Every second product is offered with a number of its own, which sells no more than that whatever there is. */
const hasOwnNumber = ({ product }: Variant): boolean => product % 2 === 0

/** Articles, groups of them and offers. Where goods lie is told, unless the seller has no locations. */
export function createListings({ shop, settings }: World) {
  const { stockroom } = shop
  const placed = settings.variant['locations'] !== 'none'
  const ownNumbers = new Map<string, number>()
  const productOf = (variant: Variant | null) => variant && stockroom.product(variant.product)
  const isGrouped = ({ variants }: Product) => variants.length > 1
  const missing = () => no(404, 25_710, 'We did not find the resource you are looking for.')

  function itemView(product: Product, variant: Variant) {
    const { sku, stock, grams, barcode, title } = variant
    const colour = title === 'Default Title' ? {} : { Colour: [title] }
    const parts = stock.map((quantity, i) => ({ merchantLocationKey: locationKeyOf(i), quantity }))
    return {
      ...{ sku, locale: 'de_DE', condition: 'NEW' },
      ...(isGrouped(product) ? { groupIds: [groupKeyOf(product)], inventoryItemGroupKeys: [groupKeyOf(product)] } : {}),
      product: {
        ...{ title: product.title, description: product.html, brand: product.vendor, ean: barcode ? [barcode] : [] },
        ...{ imageUrls: product.images.map(({ url }) => url), aspects: { ...colour, Brand: [product.vendor] } },
      },
      packageWeightAndSize: { weight: { value: grams / 1000, unit: 'KILOGRAM' } },
      availability: {
        shipToLocationAvailability: { quantity: sum(stock), ...(placed ? { availabilityDistributions: parts } : {}) },
      },
    }
  }

  /** What is called offset here is the number of the page. */
  function items({ query }: Call): Answer {
    const [limit, page] = [Number(query.get('limit') ?? 25), Number(query.get('offset') ?? 0)]
    if (limit < 1 || limit > 200) return no(400, 25_706, 'Invalid limit.')
    const products = stockroom.byChange().toSorted((a, b) => a.index - b.index)
    const all = products.flatMap((product) => product.variants.map((variant) => ({ product, variant })))
    const some = all.slice(page * limit, (page + 1) * limit)
    const inventoryItems = some.map(({ product, variant }) => itemView(product, variant))
    return answer(200, {
      href: `${inventory}/inventory_item`,
      total: all.length,
      size: some.length,
      limit,
      inventoryItems,
    })
  }

  function item(sku: string): object | null {
    const variant = stockroom.bySku(sku)
    const product = productOf(variant)
    return variant && product ? itemView(product, variant) : null
  }

  function someItems(call: Call): Answer {
    const requests = listOf(call.fields()['requests'])
    if (requests.length > atOnce) return no(400, 25_706, `No more than ${atOnce} at once.`)
    const responses = requests.map((request) => {
      const sku = textOf(fieldsOf(request)['sku']) ?? ''
      const inventoryItem = item(sku)
      return inventoryItem ? { sku, statusCode: 200, inventoryItem } : { sku, statusCode: 404, errors: [] }
    })
    return answer(200, { responses })
  }

  function group(_: Call, __: Recorder, [key]: Parts): Answer {
    const product = stockroom.product(Number(/^GROUP-(\d{1,9})$/.exec(key)?.[1] ?? 0) - 1)
    if (!product || groupKeyOf(product) !== key || !isGrouped(product)) return missing()
    const values = product.variants.map(({ title }) => title)
    return answer(200, {
      ...{ title: product.title, description: product.html, aspects: { Brand: [product.vendor] } },
      ...{ imageUrls: product.images.map(({ url }) => url), variantSKUs: product.variants.map(({ sku }) => sku) },
      variesBy: { aspectsImageVariesBy: ['Colour'], specifications: [{ name: 'Colour', values }] },
    })
  }

  /** An article that was never offered is answered as if there was no such thing. */
  function offers({ query }: Call): Answer {
    const variant = stockroom.bySku(query.get('sku') ?? '')
    const product = productOf(variant)
    if (!variant || !product || product.status === 'archived') return no(404, 25_713, 'This Offer is not available.')
    const listed = { listing: { listingId: listingIdOf(product.index), listingStatus: 'ACTIVE' } }
    const dearer = variant.compareAt !== null && variant.compareAt > variant.price ? variant.compareAt : null
    const offer = {
      ...{ offerId: offerIdOf(variant), sku: variant.sku, marketplaceId: marketplace.id, format: 'FIXED_PRICE' },
      categoryId: '112581',
      ...(hasOwnNumber(variant) ? { availableQuantity: ownNumbers.get(variant.sku) ?? sum(variant.stock) } : {}),
      pricingSummary: {
        price: money(variant.price),
        ...(dearer === null ? {} : { originalRetailPrice: money(dearer) }),
      },
      ...(product.status === 'active' ? { status: 'PUBLISHED', ...listed } : { status: 'UNPUBLISHED' }),
    }
    return answer(200, { href: `${inventory}/offer`, total: 1, size: 1, limit: 100, offers: [offer] })
  }

  /** One article at a time, with all its offers. Drafts among them spoil it: it is made for what is published. */
  function setQuantity(call: Call, record: Recorder): Answer {
    const [request, ...more] = listOf(call.fields()['requests']).map(fieldsOf)
    if (!request || more.length > 0) return no(400, 25_705, 'Only one SKU may be updated at a time.')
    const sku = textOf(request['sku']) ?? ''
    const variant = stockroom.bySku(sku)
    const outcome = (statusCode: number, errors: object[] = []) =>
      answer(200, { responses: [{ sku, statusCode, ...(errors.length > 0 ? { errors } : {}) }] })
    if (!variant) return outcome(400, [{ errorId: 25_702, message: `${sku} could not be found or is not available.` }])
    const asked = listOf(request['offers']).map(fieldsOf)
    if (asked.length > 0 && productOf(variant)?.status !== 'active')
      return outcome(400, [{ errorId: 25_713, message: 'This Offer is not available : it is not published.' }])
    const wanted = quantitiesIn(request['shipToLocationAvailability'], variant)
    if (!wanted) return outcome(400, [{ errorId: 25_703, message: 'A location is not known.' }])
    wanted.forEach((quantity, location) => {
      if (quantity === variant.stock[location]) return
      stockroom.setStock(variant, location, quantity)
      record.effect('inventory.set', `${sku} ${locationKeyOf(location)}`)
    })
    for (const { availableQuantity, price } of asked) {
      const [own, units] = [wholeOf(availableQuantity), unitsOf(textOf(fieldsOf(price)['value']) ?? '', 'EUR')]
      if (own !== null) ownNumbers.set(sku, own)
      if (units === null || units === variant.price) continue
      stockroom.reprice(variant, units)
      record.effect('price.set', sku)
    }
    return outcome(200)
  }

  /** By location, the others as they are; null where one is named that nobody knows. */
  function quantitiesIn(value: unknown, { stock }: Variant): readonly number[] | null {
    if (!isFields(value)) return stock
    const parts = listOf(value['availabilityDistributions']).map(fieldsOf)
    const rest = sum(stock.slice(1))
    if (parts.length === 0) return [(wholeOf(value['quantity']) ?? sum(stock)) - rest, ...stock.slice(1)]
    const counts = new Map(parts.map((part) => [textOf(part['merchantLocationKey']), wholeOf(part['quantity'])]))
    const known = locations.map((_, i) => locationKeyOf(i))
    if ([...counts.keys()].some((key) => key === null || !known.includes(key))) return null
    return known.map((key) => counts.get(key) ?? 0)
  }

  return {
    ...{ items, someItems, group, offers, setQuantity, placed },
    item: (_: Call, __: Recorder, [sku]: Parts) => {
      const view = item(sku)
      return view ? answer(200, view) : missing()
    },
    locations: () =>
      answer(200, {
        ...{ total: locations.length, limit: 100, offset: 0 },
        locations: (placed ? locations : []).map((name, i) => ({
          ...{ merchantLocationKey: locationKeyOf(i), name, merchantLocationStatus: 'ENABLED' },
          ...{ locationTypes: ['WAREHOUSE'], location: { address: { city: 'Köln', country: 'DE' } } },
        })),
      }),
    productId: (index: number): string => {
      const product = stockroom.product(index)
      return product && isGrouped(product) ? groupKeyOf(product) : (product?.variants[0]?.sku ?? '')
    },
  }
}
