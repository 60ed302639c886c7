import { convert, digitsOf, sumOf } from '../../amounts.ts'
import { second } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Handle, type Recorder, type RouteRow } from '../../http/route.ts'
import { listOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { no, notFound, pageIn } from './reply.ts'

export const currency = 'EUR'
const firstListing = 1_000_000_000
export const listingIdOf = (index: number): number => firstListing + index
const listingIndexOf = (id: string): number => (/^\d{10}$/.test(id) ? Number(id) - firstListing : -1)
/** Stock that is told anew makes new products: `generation` counts how often that was. */
export const productIdOf = (index: number, position: number, generation: number): number =>
  20_000_000_000 + index * 100_000 + generation * 100 + position

function stateOf({ status, variants }: Product, isDown: boolean): string {
  if (status !== 'active') return status === 'draft' ? 'draft' : 'expired'
  if (isDown) return 'inactive'
  return variants.some((variant) => totalOf(variant) > 0) ? 'active' : 'sold_out'
}

const price = (variant: Variant) => ({
  amount: convert(variant.price, currency),
  divisor: 100,
  currency_code: currency,
})
const colour = 200

/** All that a listing sells, with a number of its own for each kind. */
function inventoryView({ index, variants }: Product, generation: number) {
  const by = variants.length > 1 ? [colour] : []
  return {
    products: variants.map((variant) => {
      const id = productIdOf(index, variant.position, generation)
      const offering = {
        offering_id: 2 * id,
        quantity: totalOf(variant),
        price: price(variant),
        readiness_state_id: 77,
      }
      return {
        ...{ product_id: id, sku: variant.sku, is_deleted: false },
        offerings: [{ ...offering, is_enabled: true, is_deleted: false }],
        property_values: variant.options.map(({ name, value }) => ({
          ...{ property_id: colour, property_name: name, scale_id: null, scale_name: null },
          ...{ value_ids: [variant.position + 1], values: [value] },
        })),
      }
    }),
    ...{ price_on_property: by, quantity_on_property: by, sku_on_property: by, readiness_state_on_property: [] },
  }
}

export function createListings({ shop: { stockroom } }: World, shopId: number, base: string) {
  const generations = new Map<number, number>()
  const generationOf = (index: number) => generations.get(index) ?? 0
  const down = new Set<number>()
  const stateOfOne = (product: Product) => stateOf(product, down.has(product.index))
  const inventoryOf = (product: Product) => inventoryView(product, generationOf(product.index))

  const ofListing = forOne((id) => stockroom.product(listingIndexOf(id)), notFound)

  function show(product: Product, { query }: Pick<Call, 'query'>) {
    const { index, title, variants, images } = product
    const includes = query.get('includes')?.split(',') ?? []
    const [first] = variants
    const [created, changed] = [product.createdAt, product.updatedAt].map((moment) => Math.floor(moment / second))
    const id = listingIdOf(index)
    const pictures = images.map(({ url, alt }, rank) => ({
      ...{ listing_id: id, listing_image_id: index * 10 + rank + 1, rank: rank + 1, url_fullxfull: url, alt_text: alt },
    }))
    return {
      ...{ listing_id: id, user_id: 7, shop_id: shopId, title, state: stateOfOne(product), tags: product.tags },
      description: product.html.replaceAll(/<[^>]*>/g, ''),
      ...{ created_timestamp: created, updated_timestamp: changed, last_modified_timestamp: changed },
      quantity: sumOf(variants, totalOf),
      url: `https://www.etsy.com/listing/${id}`,
      ...{ item_weight: (first?.grams ?? 0) / 1000, item_weight_unit: 'kg', ...(first ? { price: price(first) } : {}) },
      ...(includes.includes('Images') ? { images: pictures } : {}),
      ...(includes.includes('Inventory') ? { inventory: inventoryOf(product) } : {}),
    }
  }

  function list(call: Call): Answer {
    const page = pageIn(call.query)
    if (!page) return no(400, 'Invalid limit or offset.')
    const state = call.query.get('state') ?? 'active'
    const all = stockroom.byNumber().filter((product) => stateOfOne(product) === state)
    const some = all.slice(page.offset, page.offset + page.limit)
    return answer(200, { count: all.length, results: some.map((product) => show(product, call)) })
  }

  /** By itself a listing comes without its stock, which several are asked for together: all of them or none. */
  const one: Handle = ofListing((product, call) =>
    call.query.get('includes')?.includes('Inventory') ? no(400, 'Invalid includes.') : answer(200, show(product, call)),
  )
  function some({ query }: Call): Answer {
    const found = (query.get('listing_ids') ?? '').split(',').map((id) => stockroom.product(listingIndexOf(id)))
    const results = found.flatMap((product) => (product ? [product] : []))
    if (results.length < found.length) return notFound()
    const shown = results.map((product) => ({ ...show(product, { query }), inventory: inventoryOf(product) }))
    return answer(200, { count: results.length, results: shown })
  }

  /** What was sold out is listed anew with one piece. */
  function setState(product: Product, call: Call, record: Recorder): Answer {
    const state = textOf(call.fields()['state'])
    const [first] = product.variants
    if (state === 'active' && stateOfOne(product) === 'sold_out' && first) stockroom.setTotal(first, 1)
    if (state === 'active') down.delete(product.index)
    else down.add(product.index)
    record.effect('listing.state', `${listingIdOf(product.index)} ${state}`)
    return answer(200, show(product, call))
  }

  /** Everything anew: what is not told is gone, and every product has another id. */
  function setInventory(product: Product, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const received = rowsOf(input['products'])
    if (received.some((one) => 'product_id' in one || 'is_deleted' in one)) return no(400, 'Invalid keys in products.')
    const offers = received.flatMap(({ sku, offerings }) => {
      const { quantity, price: told } = rowsOf(offerings)[0] ?? {}
      const variant = product.variants.find((one) => one.sku === textOf(sku))
      const cents = Math.round(Number(told) * 10 ** digitsOf(currency))
      return variant ? [{ variant, quantity: wholeOf(quantity) ?? -1, cents }] : []
    })
    const quantities = new Set(offers.map(({ quantity }) => quantity))
    if (offers.length === 0 || offers.length < received.length || Math.min(...quantities) < 0)
      return no(400, 'The products are not those of the listing.')
    if (Math.max(...quantities) === 0) return no(400, 'One offering must have quantity greater than 0')
    if (listOf(input['quantity_on_property']).length === 0 && quantities.size > 1)
      return no(400, 'quantity must be consistent across all products.')
    generations.set(product.index, generationOf(product.index) + 1)
    for (const { variant, quantity, cents } of offers) {
      if (stockroom.reprice(variant, cents)) record.effect('price.set', variant.sku)
      // There is but one number here; behind it the locations of the shop share it out.
      if (stockroom.setTotal(variant, quantity)) record.effect('inventory.set', variant.sku)
    }
    return answer(200, inventoryOf(product))
  }

  const routes: readonly RouteRow[] = [
    ['GET', `${base}/shops/${shopId}/listings`, 'listings.list', list],
    ['PATCH', `${base}/shops/${shopId}/listings/:id`, 'listings.state', ofListing(setState)],
    ['GET', `${base}/listings/batch/inventory`, 'inventory.list', some],
    ['GET', `${base}/listings/:id`, 'listings.get', one],
    [
      'GET',
      `${base}/listings/:id/inventory`,
      'inventory.get',
      ofListing((product) => answer(200, inventoryOf(product))),
    ],
    ['PUT', `${base}/listings/:id/inventory`, 'inventory.set', ofListing(setInventory)],
  ]
  return { generationOf, routes }
}
