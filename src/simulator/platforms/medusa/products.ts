import type { Answer, Call, Recorder } from '../../http/call.ts'
import { forOne, type Parts, type RouteRow } from '../../http/route-table.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../json.ts'
import { type Product, productTime, type Variant, variantTime } from '../../shop/goods.ts'
import { imagesIn } from '../../shop/received.ts'
import { answer, type World } from '../../world.ts'
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
    const entries = stockroom.byChange().flatMap((product) =>
      product.variants.map((variant) => ({
        ...{ id: articleOf('variant', variant), created: product.createdAt, updated: variantTime(product, variant) },
        skus: [variant.sku],
        view: () => ({ ...variantView(product, variant, pricesOf(variant)), product: viewOf(product) }),
      })),
    )
    return pageAmong('variants', entries, call)
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    if (settings.variant['version'] === '2.0' && input['shipping_profile_id'] !== undefined)
      return invalid("Invalid request: Unrecognized fields: 'shipping_profile_id'")
    const wanted = listOf(input['variants']).map(fieldsOf)
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
    const words = wordsIn(call.fields())
    const now = { title: product.title, html: product.html, status: product.status, images: product.images }
    if (JSON.stringify({ ...now, ...words }) !== JSON.stringify(now)) {
      stockroom.change(product, words)
      record.effect('product.update', productIdOf(product.index))
    }
    return show(product)
  }

  /** All of a variant's prices at once: what is not named is gone. True if the price of the books has changed. */
  function setPrices(variant: Variant, prices: unknown): boolean {
    const named = listOf(prices)
      .map(fieldsOf)
      .map(({ currency_code, amount }) => ({ currency_code: String(currency_code), amount: Number(amount) }))
    const own = named.find(({ currency_code }) => currency_code === 'eur')
    const foreign = named.filter((price) => price !== own)
    others.set(variant, foreign)
    return stockroom.reprice(variant, Math.round((own?.amount ?? 0) * 100))
  }

  function updateVariant(product: Product, call: Call, record: Recorder, [, id]: Parts): Answer {
    const variant = product.variants[partIn('variant', product.index, id)]
    if (!variant) return notFound(`Variant with id: ${id} was not found`)
    if (setPrices(variant, call.fields()['prices'])) record.effect('price.set', id)
    return show(product)
  }

  const ofProduct = forOne(
    (id) => stockroom.product(numberIn('prod', id)),
    () => notFound('Product not found'),
  )
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

function wordsIn(input: Fields): Partial<Pick<Product, 'title' | 'html' | 'status' | 'images'>> {
  const { description, images } = input
  const [title, status] = [textOf(input['title']), textOf(input['status'])]
  const stage = Object.entries(productStages).find(([word]) => word === status)?.[1]
  return {
    ...(title === null ? {} : { title }),
    ...(typeof description === 'string' ? { html: description } : {}),
    ...(stage ? { status: stage } : {}),
    ...(Array.isArray(images) ? { images: imagesIn(images, ({ url }) => ({ url, alt: null })) } : {}),
  }
}
