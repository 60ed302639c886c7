import type { Answer, Call, Recorder } from '../../http/call.ts'
import type { Handle, RouteRow } from '../../http/route-table.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../../json.ts'
import { type Product, productTime, type Variant, variantTime } from '../../shop/goods.ts'
import { answer, type World } from '../../world.ts'
import { articleIn, articleOf, ids, productIndexOf } from './ids.ts'
import { handleOf, type Price, productView, usualPrices, variantView } from './product-view.ts'
import { type Entry, invalid, isQuery, notFound, pageAmong, readQuery } from './query.ts'
import { selectFields } from './select-fields.ts'
import { productStages } from './words.ts'

export function productRoutes({ shop, settings }: World): readonly RouteRow[] {
  const { stockroom } = shop
  /** Prices in other currencies than that of the books, where somebody has set them. */
  const others = new WeakMap<Variant, readonly Price[]>()
  const pricesOf = (variant: Variant) => others.get(variant) ?? usualPrices(variant)
  const viewOf = (product: Product): Fields => productView(product, pricesOf)
  const found =
    (use: (product: Product, call: Call, record: Recorder, part: string) => Answer): Handle =>
    (call, record, [id, part]) => {
      const product = stockroom.product(productIndexOf(id))
      return product ? use(product, call, record, part) : notFound('Product not found')
    }
  const listed = (name: string, call: Call, entries: () => readonly Entry[]): Answer => {
    const query = readQuery(call, ['id', 'sku', 'variants'])
    return isQuery(query) ? pageAmong(name, entries(), query) : query
  }

  const list = (call: Call): Answer =>
    listed('products', call, () =>
      stockroom.byChange().map((product) => ({
        ...{ id: ids.product(product.index), created: product.createdAt, updated: productTime(product) },
        skus: product.variants.map(({ sku }) => sku),
        view: () => viewOf(product),
      })),
    )

  const variants = (call: Call): Answer =>
    listed('variants', call, () =>
      stockroom.byChange().flatMap((product) =>
        product.variants.map((variant) => ({
          ...{ id: articleOf('variant', variant), created: product.createdAt, updated: variantTime(product, variant) },
          skus: [variant.sku],
          view: () => ({ ...variantView(product, variant, pricesOf(variant)), product: viewOf(product) }),
        })),
      ),
    )

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    if (settings.variant['version'] === '2.0' && input['shipping_profile_id'] !== undefined)
      return invalid("Invalid request: Unrecognized fields: 'shipping_profile_id'")
    const wanted = listOf(input['variants']).map(fieldsOf)
    const taken = wanted.find(({ sku }) => stockroom.bySku(textOf(sku) ?? ''))
    if (taken) return invalid(`Product variant with sku: ${textOf(taken['sku'])}, already exists.`)
    const handle = textOf(input['handle'])
    if (stockroom.byChange().some((product) => handleOf(product) === handle))
      return invalid(`Product with handle: ${handle}, already exists.`)
    const product = stockroom.add({
      ...{ title: '', html: '', status: 'draft', images: [], ...wordsIn(input) },
      variants: wanted.map(({ sku, title }) => ({
        ...{ sku: textOf(sku) ?? '', title: textOf(title) ?? '', price: 0, stock: 0 },
      })),
    })
    for (const [position, { prices }] of wanted.entries()) setPrices(product.variants[position], prices)
    record.effect('product.create', ids.product(product.index), handle, handle)
    return answer(200, { product: viewOf(product) })
  }

  function update(product: Product, call: Call, record: Recorder): Answer {
    const words = wordsIn(call.fields())
    const now = { title: product.title, html: product.html, status: product.status, images: product.images }
    if (JSON.stringify({ ...now, ...words }) !== JSON.stringify(now)) {
      stockroom.change(product, words)
      record.effect('product.update', ids.product(product.index))
    }
    return answer(200, { product: viewOf(product) })
  }

  /** All of a variant's prices at once: what is not named is gone. True if the price of the books has changed. */
  function setPrices(variant: Variant | undefined, prices: unknown): boolean {
    if (!variant) return false
    const named = listOf(prices).map((one) => {
      const { currency_code, amount } = fieldsOf(one)
      return { currency_code: textOf(currency_code) ?? '', amount: Number(amount) }
    })
    const own = named.find(({ currency_code }) => currency_code === 'eur')
    others.set(
      variant,
      named.filter((price) => price !== own),
    )
    const cents = Math.round((own?.amount ?? 0) * 100)
    if (cents === variant.price) return false
    stockroom.reprice(variant, cents)
    return true
  }

  function updateVariant(product: Product, call: Call, record: Recorder, id: string): Answer {
    const [index, position] = articleIn('variant', id)
    const variant = index === product.index ? product.variants[position] : undefined
    if (!variant) return notFound(`Variant with id: ${id} was not found`)
    if (setPrices(variant, call.fields()['prices'])) record.effect('price.set', id)
    return answer(200, { product: viewOf(product) })
  }

  const get = (product: Product, { query }: Call) =>
    answer(200, { product: selectFields(viewOf(product), query.get('fields')) })
  const base = '/admin/products'
  return [
    ['GET', base, 'products.list', list],
    ['POST', base, 'products.create', create],
    ['GET', `${base}/:id`, 'products.get', found(get)],
    ['POST', `${base}/:id`, 'products.update', found(update)],
    ['POST', `${base}/:id/variants/:part`, 'variants.update', found(updateVariant)],
    ['GET', '/admin/product-variants', 'variants.list', variants],
  ]
}

function wordsIn(input: Fields): Partial<Pick<Product, 'title' | 'html' | 'status' | 'images'>> {
  const [title, status] = [textOf(input['title']), textOf(input['status'])]
  const stage = Object.entries(productStages).find(([word]) => word === status)?.[1]
  return {
    ...(title === null ? {} : { title }),
    ...(typeof input['description'] === 'string' ? { html: input['description'] } : {}),
    ...(stage ? { status: stage } : {}),
    ...(Array.isArray(input['images'])
      ? { images: input['images'].map((image) => ({ url: textOf(fieldsOf(image)['url']) ?? '', alt: null })) }
      : {}),
  }
}
