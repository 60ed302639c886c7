import { convert } from '../../amounts.ts'
import type { Moment } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Parts, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf } from '../../json.ts'
import { locations, type Product, productTime, reservedOf, type Variant, variantTime } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import type { ProductWords } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { articleOf, idOf, locationIdOf, numberIn, partIn, productIdOf, timeOf } from './ids.ts'
import { invalid, notFound, pageAmong, selectFields } from './query.ts'

const statuses = { active: 'published', draft: 'draft', archived: 'rejected' } as const
export const productStages: Readonly<Record<string, Product['status'] | undefined>> = {
  ...{ published: 'active', draft: 'draft', proposed: 'draft', rejected: 'archived' },
}

export interface Price {
  currency_code: string
  amount: number
}

/** Prices in dollars follow those in euros, unless somebody has set them. */
export const usualPrices = ({ price }: Variant): readonly Price[] => [
  { currency_code: 'usd', amount: convert(price, 'USD') / 100 },
]

const stamps = (created: Moment, updated = created) => ({
  ...{ created_at: timeOf(created), updated_at: timeOf(updated) },
})

export function variantView(product: Product, variant: Variant, others: readonly Price[]) {
  const own = { currency_code: 'eur', amount: variant.price / 100 }
  const options = variant.options.length > 0 ? variant.options : [{ name: 'Default', value: 'Default' }]
  return {
    ...{ id: articleOf('variant', variant), product_id: productIdOf(product.index), title: variant.title },
    ...{ sku: variant.sku, barcode: variant.barcode, allow_backorder: false, manage_inventory: true },
    ...stamps(product.createdAt, variantTime(product, variant)),
    prices: [own, ...others].map((price, n) => ({
      ...{ id: `${articleOf('price', variant)}${n}`, ...price, min_quantity: null, max_quantity: null, rules: {} },
    })),
    options: options.map(({ name, value }, n) => ({
      ...{ id: `${articleOf('optval', variant)}${n || ''}`, value },
      option: { id: `${idOf('opt', product.index)}${n || ''}`, title: name },
    })),
    inventory_items: [{ inventory_item_id: articleOf('iitem', variant), required_quantity: 1 }],
  }
}

export function productView(product: Product, pricesOf: (variant: Variant) => readonly Price[]) {
  const variants = product.variants.map((variant) => variantView(product, variant, pricesOf(variant)))
  const chosen = Map.groupBy(
    variants.flatMap(({ options }) => options),
    ({ option }) => option.id,
  )
  return {
    ...{ id: productIdOf(product.index), title: product.title, subtitle: '', description: product.html },
    ...{ handle: handleOf(product), status: statuses[product.status], thumbnail: '' },
    ...stamps(product.createdAt, productTime(product)),
    type: { id: idOf('ptyp', 1), value: product.type },
    tags: product.tags.map((value, n) => ({ id: idOf('ptag', n), value })),
    images: product.images.map(({ url }, n) => ({ id: idOf('img', product.index * 100 + n), url })),
    options: [...chosen.values()].map((all) => ({
      ...all[0]?.option,
      values: all.map(({ id, value }) => ({ id, value })),
    })),
    variants,
  }
}

export const handleOf = ({ variants }: Product): string =>
  (variants[0]?.sku ?? '').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** An article that was made here lies nowhere until somebody says how many there are. */
export const levelsOf = (product: Product, variant: Variant) =>
  variant.stockUpdatedAt === product.createdAt ? [] : locations.map((_, location) => levelView(variant, location))

function levelView(variant: Variant, location: number) {
  const [available, reserved] = [variant.stock[location] ?? 0, reservedOf(variant, location)]
  return {
    ...{ id: `${articleOf('ilev', variant)}${location}`, inventory_item_id: articleOf('iitem', variant) },
    ...{ location_id: locationIdOf(location), stocked_quantity: available + reserved, reserved_quantity: reserved },
    ...{ metadata: {}, ...stamps(variant.stockUpdatedAt) },
  }
}

export const itemView = (product: Product, variant: Variant) => ({
  ...{ id: articleOf('iitem', variant), sku: variant.sku, requires_shipping: true, ...stamps(product.createdAt) },
  variants: [{ id: articleOf('variant', variant) }],
  location_levels: levelsOf(product, variant),
})

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
      variants: wanted.map(({ sku, title, options }) => ({
        ...{ sku: String(sku), title: String(title), price: 0, stock: 0 },
        options: Object.entries(fieldsOf(options)).flatMap(([name, value]) =>
          name === 'Default' ? [] : [{ name, value: String(value) }],
        ),
      })),
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
