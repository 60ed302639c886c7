import { type Answer, answer, type Call, forOne, type Parts, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, rowsOf, textOf } from '../../json.ts'
import { type Product, productTime, type Variant, variantTime } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import type { ProductWords } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { articleOf, numberIn, partIn, productIdOf } from './ids.ts'
import { handleOf, type Price, productStages, productView, usualPrices, variantView } from './product-view.ts'
import { invalid, notFound, pageAmong, selectFields } from './query.ts'

export function productRoutes({ shop: { stockroom }, settings }: World): readonly RouteRow[] {
  /** Prices in other currencies than that of the books, where somebody has set them. */
  const others = new WeakMap<Variant, readonly Price[]>()
  const pricesOf = (variant: Variant) => others.get(variant) ?? usualPrices(variant)
  const viewOf = (product: Product): Fields => productView(product, pricesOf)
  const show = (product: Product) => answer(200, { product: viewOf(product) })

  function list(call: Call): Answer {
    const entries = stockroom.byChange().map((product) => ({
      ...{ id: productIdOf(product.index), created: product.createdAt, updated: productTime(product) },
      ...{ skus: product.variants.map(({ sku }) => sku), view: () => viewOf(product) },
    }))
    return pageAmong('products', entries, call)
  }

  function listVariants(call: Call): Answer {
    const entries = stockroom.articles().map(({ product, variant }) => ({
      ...{ id: articleOf('variant', variant), created: product.createdAt, updated: variantTime(product, variant) },
      skus: [variant.sku],
      view: () => ({ ...variantView(product, variant, pricesOf(variant)), product: viewOf(product) }),
    }))
    return pageAmong('variants', entries, call)
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    if (settings.variant['version'] === '2.0' && input['shipping_profile_id'] !== undefined)
      return invalid("Invalid request: Unrecognized fields: 'shipping_profile_id'")
    const wanted = rowsOf(input['variants'])
    const taken = wanted.find(({ sku }) => stockroom.bySku(String(sku)))
    if (taken) return invalid(`Product variant with sku: ${taken['sku']}, already exists.`)
    const handle = textOf(input['handle'])
    if (stockroom.byChange().some((product) => handleOf(product) === handle))
      return invalid(`Product with handle: ${handle}, already exists.`)
    const product = stockroom.add({
      ...{ title: '', html: '', status: 'draft', images: [], ...wordsIn(input) },
      variants: wanted.map(({ sku, title }) => ({ sku: String(sku), title: String(title), price: 0, stock: 0 })),
    })
    for (const [position, variant] of product.variants.entries()) setPrices(variant, wanted[position]?.['prices'])
    record.effect('product.create', productIdOf(product.index), handle, handle)
    return show(product)
  }

  function update(product: Product, call: Call, record: Recorder): Answer {
    if (stockroom.change(product, wordsIn(call.fields()))) record.effect('product.update', productIdOf(product.index))
    return show(product)
  }

  /** All of a variant's prices at once: what is not named is gone. True if the price of the books has changed. */
  function setPrices(variant: Variant, prices: unknown): boolean {
    const named = rowsOf(prices).map(({ currency_code, amount }) => ({
      ...{ currency_code: String(currency_code), amount: Number(amount) },
    }))
    const own = named.find(({ currency_code }) => currency_code === 'eur')
    others.set(
      variant,
      named.filter((price) => price !== own),
    )
    return stockroom.reprice(variant, Math.round((own?.amount ?? 0) * 100))
  }

  function updateVariant(product: Product, call: Call, record: Recorder, [, id]: Parts): Answer {
    const variant = product.variants[partIn('variant', product.index, id)]
    if (!variant) return notFound(`Variant with id: ${id} was not found`)
    if (setPrices(variant, call.fields()['prices'])) record.effect('price.set', id)
    return show(product)
  }

  const ofProduct = forOne((id) => stockroom.product(numberIn('prod', id)), notFound('Product not found'))
  const get = (product: Product, call: Call) => answer(200, { product: selectFields(viewOf(product), call) })
  const base = '/admin/products'
  return [
    ['GET', base, 'products.list', list],
    ['POST', base, 'products.create', create],
    ['GET', `${base}/:id`, 'products.get', ofProduct(get)],
    ['POST', `${base}/:id`, 'products.update', ofProduct(update)],
    ['POST', `${base}/:id/variants/:part`, 'variants.update', ofProduct(updateVariant)],
    ['GET', '/admin/product-variants', 'variants.list', listVariants],
  ]
}

const wordsIn = ({ title, description, status, images }: Fields): ProductWords =>
  wordsTold({
    title: textOf(title),
    html: typeof description === 'string' ? description : null,
    status: productStages[String(status)] ?? null,
    images: Array.isArray(images) ? imagesIn(images, ({ url }) => ({ url, alt: null })) : null,
  })
