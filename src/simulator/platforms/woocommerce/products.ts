import { convert, decimal, unitsOf } from '../../amounts.ts'
import { isWithin } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, isAnswer, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, rowsOf, textOf, wholeOf } from '../../json.ts'
import { optionsOf, type Product, titleOf, totalOf, type Variant } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import type { Article, ProductWords } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { articleOf, productIdOf, variantIdOf } from './ids.ts'
import { invalid, no, notFound, pageFrom, spanIn } from './reply.ts'
import { dates, type Site } from './site.ts'
import { asHtml } from './words.ts'

/** The currency that products are priced in. */
export const home = 'EUR'

/** One that is made with variations has none at first. */
export const isVariable = ({ variants }: Product): boolean => variants.length !== 1

function articleView(variant: Variant) {
  const { sku, barcode, price: cents, compareAt, grams } = variant
  const price = decimal(convert(cents, home), home)
  const stock = totalOf(variant)
  return {
    ...{ sku, global_unique_id: barcode, price, on_sale: compareAt !== null },
    sale_price: compareAt === null ? '' : price,
    regular_price: compareAt === null ? price : decimal(compareAt, home),
    ...{ manage_stock: true, stock_quantity: stock, stock_status: stock > 0 ? 'instock' : 'outofstock' },
    weight: String(grams / 1000),
  }
}

const statuses = { active: 'publish', draft: 'draft', archived: 'private' } as const
const nothing = {
  ...{ sku: '', price: '', regular_price: '', sale_price: '', on_sale: false, manage_stock: false },
  ...{ stock_quantity: null, stock_status: 'instock', weight: '' },
}

const linkOf = ({ index }: Product, { url }: Site) => `${url}/product/product-${index + 1}/`

export function productView(product: Product, site: Site) {
  const { index, variants } = product
  const [first] = variants
  const variable = isVariable(product)
  const drawn = site.draw()
  return {
    id: productIdOf(index),
    name: asHtml(product.title),
    permalink: linkOf(product, site),
    ...dates('date_created', product.createdAt),
    ...dates('date_modified', product.updatedAt),
    type: variable ? 'variable' : 'simple',
    status: statuses[product.status],
    description: product.html,
    ...(first && !variable ? articleView(first) : nothing),
    related_ids: [1, 2, 3].map((n) => productIdOf((index + drawn + n) % 60)),
    parent_id: 0,
    categories: [{ id: 15, name: asHtml(product.type), slug: product.type.toLowerCase() }],
    brands: [{ id: 16, name: asHtml(product.vendor), slug: 'brand' }],
    tags: product.tags.map((name, id) => ({ id: id + 1, name: asHtml(name), slug: name })),
    images: product.images.map(({ url, alt }, i) => ({
      ...{ id: index * 10 + i, ...dates('date_created', product.createdAt), src: url, name: '', alt: alt ?? '' },
    })),
    attributes: optionsOf(product).map(({ name, values }, position) => ({
      ...{ id: name === 'Colour' ? 1 : 0, name, position, visible: true, variation: true, options: values.map(asHtml) },
    })),
    variations: variable ? variants.map((variant) => variantIdOf(product, variant)) : [],
  }
}

export const variationView = (product: Product, variant: Variant, site: Site) => ({
  id: variantIdOf(product, variant),
  type: 'variation',
  parent_id: productIdOf(product.index),
  name: variant.title,
  permalink: `${linkOf(product, site)}?variation=${variant.position}`,
  ...dates('date_created', product.createdAt),
  ...dates('date_modified', Math.max(product.updatedAt, variant.stockUpdatedAt)),
  status: statuses[product.status],
  description: '',
  ...articleView(variant),
  attributes: variant.options.map(({ name, value }) => ({
    id: name === 'Colour' ? 1 : 0,
    name,
    option: asHtml(value),
  })),
})

const stages: Readonly<Record<string, Product['status'] | undefined>> = {
  ...{ publish: 'active', draft: 'draft', private: 'archived' },
}

/** A product, or one of its variations. */
interface Listed {
  product: Product
  variant: Variant | null
}

export function createProducts({ shop: { stockroom } }: World, site: Site) {
  const view = ({ product, variant }: Listed) =>
    variant ? variationView(product, variant, site) : productView(product, site)

  /** By its own path a variation is found as well as below its product. */
  function find(id: string, parent: string | null): Listed | null {
    const named = articleOf(id)
    const product = named && stockroom.product(named.index)
    if (!product || (parent !== null && String(productIdOf(product.index)) !== parent)) return null
    if (named.position < 0) return parent === null ? { product, variant: null } : null
    const variant = isVariable(product) ? product.variants[named.position] : undefined
    return variant ? { product, variant } : null
  }
  const unknown = (parent: string | null) => notFound(parent === null ? 'product' : 'product_variation')

  function list(call: Call): Answer {
    const { query } = call
    const span = site.age === 'new' ? spanIn(call, 'modified_after', 'modified_before') : {}
    if (isAnswer(span)) return span
    const orderby = query.get('orderby') ?? 'date'
    if (site.age === 'refuses' && orderby === 'modified') return invalid('orderby')
    const skus = query.get('sku')?.split(',')
    const rows = skus ? skus.flatMap(allBySku) : stockroom.byChange().map((product) => whole(product))
    const type = query.get('type')
    const matches = rows
      .filter(({ product }) => isWithin(product.updatedAt, span))
      .filter(({ product }) => type === null || type === (isVariable(product) ? 'variable' : 'simple'))
    if (orderby !== 'modified') matches.sort((a, b) => a.product.index - b.product.index)
    if ((query.get('order') ?? 'desc') === 'desc') matches.reverse()
    return pageFrom(call, matches, view)
  }

  const whole = (product: Product): Listed => ({ product, variant: null })
  /** Numbers of products that have variations. */
  const own = new Map<string, Product>()
  const listed = (article: Article): Listed => (isVariable(article.product) ? article : whole(article.product))
  /** Plug-ins let several have one. */
  const allBySku = (sku: string): Listed[] => {
    const product = own.get(sku)
    return product ? [whole(product)] : stockroom.articlesWith(sku).map(listed)
  }
  const bySku = (sku: string): Listed | null => allBySku(sku)[0] ?? null

  /** A price on sale stays what it is when the regular one changes, until that falls below it. */
  function setPrice(variant: Variant, input: Fields, subject: string, record: Recorder): void {
    const { price, compareAt } = variant
    const regular = unitsOf(textOf(input['regular_price']) ?? '', home) ?? compareAt ?? price
    const received =
      input['sale_price'] === undefined ? compareAt !== null && price : unitsOf(input['sale_price'], home)
    const sale = typeof received === 'number' && received < regular ? received : null
    if ((sale ?? regular) === price && (sale === null ? null : regular) === compareAt) return
    stockroom.reprice(variant, sale ?? regular, sale === null ? null : regular)
    record.effect('price.set', subject)
  }

  function change({ product, variant }: Listed, input: Fields, record: Recorder): void {
    const article = variant ?? (isVariable(product) ? undefined : product.variants[0])
    const subject = String(variant ? variantIdOf(product, variant) : productIdOf(product.index))
    const quantity = wholeOf(input['stock_quantity'])
    if (article) setPrice(article, input, subject, record)
    if (article && quantity !== null && stockroom.setTotal(article, quantity)) record.effect('inventory.set', subject)
    if (!variant && stockroom.change(product, shownIn(input))) record.effect('product.update', subject)
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const sku = textOf(input['sku']) ?? ''
    if (sku !== '' && bySku(sku)) return taken(sku)
    const variants = input['type'] === 'variable' ? [] : [variantIn(input)]
    const blank = { title: 'Product', html: '', status: 'active' as const, images: [] }
    const product = stockroom.add({ ...blank, ...shownIn(input), variants })
    if (variants.length === 0) own.set(sku, product)
    record.effect('product.create', String(productIdOf(product.index)), sku === '' ? null : sku)
    return answer(201, productView(product, site))
  }

  /** What is wrong with one of them is told in its place. */
  function batch(call: Call, record: Recorder, parent: string | null): Answer {
    const product = parent === null ? null : find(parent, null)?.product
    const create = rowsOf(product && call.fields()['create']).map((input) => {
      const wanted = variantIn(input)
      if (!product || stockroom.bySku(wanted.sku)) return { id: 0, error: taken(wanted.sku).body }
      const variant = stockroom.addVariant(product, wanted)
      record.effect('item.create', variant.sku, null, variant.sku)
      return variationView(product, variant, site)
    })
    const update = rowsOf(call.fields()['update']).map(({ id, ...input }) => {
      const article = find(textOf(id) ?? '', parent)
      if (!article) return { id, error: unknown(parent).body }
      change(article, input, record)
      return view(article)
    })
    return answer(200, { create, update })
  }

  const ofProduct = forOne((id) => find(id, null), unknown(null))
  const ofVariation = forOne((parent, id) => find(id, parent), unknown('parent'))
  const update = (article: Listed, call: Call, record: Recorder): Answer => {
    change(article, call.fields(), record)
    return answer(200, view(article))
  }
  const variations = ofProduct(({ product }, call) =>
    pageFrom(call, isVariable(product) ? product.variants : [], (variant) => view({ product, variant })),
  )
  const below = '/products/:id/variations'
  const routes: readonly RouteRow[] = [
    ['GET', '/products', 'products.list', list],
    ['POST', '/products', 'products.create', create],
    ['POST', '/products/batch', 'products.batch', (call, record) => batch(call, record, null)],
    ['GET', '/products/:id', 'products.get', ofProduct((article) => answer(200, view(article)))],
    ['PUT', '/products/:id', 'products.update', ofProduct(update)],
    ['GET', below, 'variations.list', variations],
    ['POST', `${below}/batch`, 'variations.batch', (call, record, [id]) => batch(call, record, id)],
    ['PUT', `${below}/:variation`, 'variations.update', ofVariation(update)],
  ]
  return { routes }
}

const taken = (sku: string): Answer =>
  no(400, 'product_invalid_sku', 'Invalid or duplicated SKU.', { unique_sku: `${sku}-1` })

function variantIn({ sku, regular_price: price, stock_quantity: stock, attributes }: Fields) {
  const options = rowsOf(attributes).flatMap(({ name, option }) =>
    option === undefined ? [] : [{ name: textOf(name) ?? 'Colour', value: String(option) }],
  )
  const sold = { price: unitsOf(textOf(price) ?? '0', home) ?? 0, stock: wholeOf(stock) ?? 0 }
  return { sku: textOf(sku) ?? '', title: titleOf(options), options, ...sold }
}

/** What people see of it, as far as it was told. */
const shownIn = ({ name, description, status, images }: Fields): ProductWords =>
  wordsTold({
    ...{ title: textOf(name), html: textOf(description), status: stages[textOf(status) ?? ''] ?? null },
    images: Array.isArray(images) ? imagesIn(images, ({ src, alt }) => ({ url: src, alt })) : null,
  })
