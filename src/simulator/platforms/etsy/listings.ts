import { digitsOf } from '../../amounts.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { Product } from '../../shop/goods.ts'
import { answer, type World } from '../../world.ts'
import { currency, inventoryView, listingIndexOf, listingView, stateOf, stockOf } from './listing-view.ts'
import { no, notFound, pageIn } from './reply.ts'

const includesIn = ({ query }: Call): readonly string[] => query.get('includes')?.split(',') ?? []

export function createListings({ shop }: World, shopId: number) {
  const { stockroom } = shop
  const generations = new Map<number, number>()
  const generationOf = ({ index }: Pick<Product, 'index'>) => generations.get(index) ?? 0
  const show = (product: Product, includes: readonly string[]) =>
    listingView(product, includes, { shopId, generation: generationOf(product) })
  const found = (id: string, use: (product: Product) => Answer): Answer => {
    const product = stockroom.product(listingIndexOf(id))
    return product ? use(product) : notFound()
  }

  function list(call: Call): Answer {
    const page = pageIn(call.query)
    if (!page) return no(400, 'Invalid limit or offset.')
    const state = call.query.get('state') ?? 'active'
    const all = stockroom
      .byChange()
      .filter((product) => stateOf(product) === state)
      .sort((a, b) => a.index - b.index)
    const some = all.slice(page.offset, page.offset + page.limit)
    return answer(200, { count: all.length, results: some.map((product) => show(product, includesIn(call))) })
  }

  /** Everything anew: what is not told is gone, and every product has another id. */
  function setInventory(product: Product, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const received = listOf(input['products']).map(fieldsOf)
    if (received.some((one) => 'product_id' in one || 'is_deleted' in one)) return no(400, 'Invalid keys in products.')
    const offers = received.map((one) => {
      const { quantity, price } = fieldsOf(listOf(one['offerings'])[0])
      const variant = product.variants.find(({ sku }) => sku === textOf(one['sku']))
      return { variant, quantity: wholeOf(quantity), price: Math.round(Number(price) * 10 ** digitsOf(currency)) }
    })
    if (offers.length === 0 || offers.some(({ quantity, variant }) => quantity === null || quantity < 0 || !variant))
      return no(400, 'The products are not those of the listing.')
    if (offers.every(({ quantity }) => quantity === 0)) return no(400, 'One offering must have quantity greater than 0')
    const shared = listOf(input['quantity_on_property']).length === 0
    if (shared && new Set(offers.map(({ quantity }) => quantity)).size > 1)
      return no(400, 'quantity must be consistent across all products.')
    generations.set(product.index, generationOf(product) + 1)
    for (const { variant, quantity, price } of offers) {
      if (!variant || quantity === null) continue
      if (price !== variant.price) {
        stockroom.reprice(variant, price)
        record.effect('price.set', variant.sku)
      }
      if (quantity === stockOf(variant)) continue
      // There is but one number here; behind it the locations of the shop share it out.
      stockroom.setStock(variant, 0, quantity - (stockOf(variant) - (variant.stock[0] ?? 0)))
      record.effect('inventory.set', variant.sku)
    }
    return answer(200, inventoryView(product, generationOf(product)))
  }

  return {
    generationOf,
    list,
    get: (id: string, call: Call) => found(id, (product) => answer(200, show(product, includesIn(call)))),
    inventory: (id: string) => found(id, (product) => answer(200, inventoryView(product, generationOf(product)))),
    setInventory: (id: string, call: Call, record: Recorder) =>
      found(id, (product) => setInventory(product, call, record)),
  }
}
