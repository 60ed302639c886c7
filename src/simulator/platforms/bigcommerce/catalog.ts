import { sumOf, unitsOf } from '../../amounts.ts'
import { inSeconds, isWithin, type Moment } from '../../clock.ts'
import { type Answer, answer, below, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, parseJson, rowsOf, textOf, wholeOf } from '../../json.ts'
import { type Product, titleOf, totalOf, type Variant } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import type { Stockroom } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { productIdOf, productIndexOf, variantAt, variantIdOf } from './ids.ts'
import { dataOf, gone, pageOf, problem, spanIn } from './reply.ts'

/** The currency of the store. */
export const home = 'EUR'

const isoTime = (moment: Moment): string => inSeconds(moment).replace('Z', '+00:00')
/** v3 has amounts as numbers. */
const amount = (cents: number): number => cents / 100

/** A product without choices is counted as itself, others by variant. */
export const isCountedAsProduct = ({ variants }: Product): boolean => variants.length === 1

export function createBrands({ byChange }: Pick<Stockroom, 'byChange'>) {
  const names = [...new Set(byChange().map(({ vendor }) => vendor))].filter((name) => name !== '').sort()
  return {
    all: names.map((name, i) => ({ id: i + 1, name })),
    idOf: ({ vendor }: Product): number => names.indexOf(vendor) + 1,
  }
}

export function productView(product: Product, brandId: number, include: readonly string[]) {
  const { index, variants, status, images } = product
  const [first] = variants
  return {
    id: productIdOf(index),
    name: product.title,
    type: 'physical',
    sku: first && variants.length === 1 ? first.sku : '',
    description: product.html,
    weight: (first?.grams ?? 0) / 1000,
    price: amount(first?.price ?? 0),
    ...{ cost_price: 0, sale_price: 0, retail_price: amount(first?.compareAt ?? 0) },
    brand_id: brandId,
    inventory_level: sumOf(variants, totalOf),
    inventory_tracking: isCountedAsProduct(product) ? 'product' : 'variant',
    is_visible: status !== 'draft',
    availability: status === 'archived' ? 'disabled' : 'available',
    search_keywords: product.tags.join(','),
    custom_url: { url: `/product-${index + 1}/`, is_customized: false },
    ...{ date_created: isoTime(product.createdAt), date_modified: isoTime(product.updatedAt) },
    ...(include.includes('variants') ? { variants: variants.map((variant) => variantView(product, variant)) } : {}),
    ...(include.includes('images') ? { images: images.map((image, i) => imageView(product, image, i)) } : {}),
  }
}

/** Kept under a name of the platform's own, which begins as that of the picture did. */
const imageView = ({ index }: Product, image: Product['images'][number], i: number) => ({
  ...{ id: imageIdOf(image), product_id: productIdOf(index), is_thumbnail: i === 0, sort_order: i },
  ...{ description: image.alt ?? '', url_standard: image.url, url_thumbnail: image.url },
  image_file: `x/1/${image.url
    .split('/')
    .at(-1)
    ?.replace(/(\.\w+)?$/, '__1$1')}`,
})
const imageIds = new WeakMap<object, number>()
let images = 0
function imageIdOf(image: object): number {
  const id = imageIds.get(image) ?? ++images
  imageIds.set(image, id)
  return id
}

/** What a variant has in common with its product it does not say. */
export function variantView(product: Product, variant: Variant) {
  const [first] = product.variants
  return {
    ...{ id: variantIdOf(variant), product_id: productIdOf(product.index), sku: variant.sku },
    price: variant.price === first?.price ? null : amount(variant.price),
    ...{ sale_price: null, retail_price: amount(variant.compareAt ?? 0), weight: variant.grams / 1000 },
    ...{ upc: variant.barcode, inventory_level: totalOf(variant), purchasing_disabled: false },
    option_values: variant.options.map(({ name, value }) => ({
      ...{ id: variantIdOf(variant), label: value, option_id: productIdOf(product.index), option_display_name: name },
    })),
  }
}

/** Products, variants and brands of v3. Neither a name nor a sku is there twice. */
export function catalogRoutes({ shop }: World): readonly RouteRow[] {
  const { stockroom } = shop
  const brands = createBrands(stockroom)
  const view = (product: Product, { query }: Call) =>
    productView(product, brands.idOf(product), (query.get('include') ?? '').split(','))
  const ofProduct = forOne((id) => stockroom.product(productIndexOf(id)), gone('product'))
  const isTaken = (name: string | null, by: Product | null) =>
    name !== null && stockroom.byChange().some((one) => one !== by && one.title === name)

  function list(call: Call): Answer {
    const { query } = call
    const span = spanIn(call, 'date_modified:min', 'date_modified:max')
    if (!span) return problem(422, 'A filter is invalid.')
    const ids = query.get('id:in')?.split(',')
    const all = query.get('sort') === 'date_modified' ? stockroom.byChange() : stockroom.byNumber()
    const rows = all
      .filter(({ updatedAt }) => isWithin(updatedAt, span))
      .filter(({ index }) => !ids || ids.includes(String(productIdOf(index))))
    if (query.get('direction') === 'desc') rows.reverse()
    return pageOf(call, rows, (product) => view(product, call))
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const [name, sku] = [textOf(input['name']), textOf(input['sku'])]
    const price = unitsOf(textOf(input['price']) ?? '', home)
    if (name === null || price === null || typeof input['weight'] !== 'number')
      return problem(422, 'name, price and weight are required')
    if (isTaken(name, null)) return problem(409, 'The product name is a duplicate')
    if (sku !== null && stockroom.bySku(sku)) return problem(409, 'The product sku is a duplicate')
    const variants = rowsOf(input['variants']).map((row) => variantIn(row, price))
    if (variants.some((one) => stockroom.bySku(one.sku))) return problem(409, 'A variant sku is a duplicate')
    const stock = wholeOf(input['inventory_level']) ?? 0
    const product = stockroom.add({
      ...{ title: name, html: textOf(input['description']) ?? '', status: statusIn(input) ?? 'draft' },
      images: imagesIn(input['images'], ({ image_url: url, description: alt }) => ({ url, alt })),
      variants: variants.length > 0 ? variants : [{ sku: sku ?? '', title: 'Default Title', price, stock }],
    })
    record.effect('product.create', String(productIdOf(product.index)), sku, sku)
    return dataOf(view(product, call))
  }

  const update = ofProduct((product, call, record, [id]) => {
    const input = call.fields()
    const title = textOf(input['name'])
    if (isTaken(title, product)) return problem(409, 'The product name is a duplicate')
    const words = wordsTold({ title, html: textOf(input['description']), status: statusIn(input) })
    if (stockroom.change(product, words)) record.effect('product.update', id)
    return dataOf(view(product, call))
  })

  const listImages = ofProduct((product, call) =>
    pageOf(call, product.images, (image) => imageView(product, image, product.images.indexOf(image))),
  )
  const addImage = ofProduct((product, call, record, [id]) => {
    const [made] = imagesIn([call.fields()], ({ image_url: url, description: alt }) => ({ url, alt }))
    if (!made) return problem(422, 'image_url is required')
    stockroom.change(product, { images: [...product.images, made] })
    record.effect('product.update', id)
    return dataOf(imageView(product, made, product.images.length - 1))
  })
  const removeImage = ofProduct((product, _, record, [id, image]) => {
    const left = product.images.filter((one) => String(imageIdOf(one)) !== image)
    if (stockroom.change(product, { images: left })) record.effect('product.update', id)
    return answer(204)
  })

  const updateVariant = ofProduct((product, call, record, [, part]) => {
    const place = variantAt(Number(part))
    const variant = place.product === product.index ? product.variants[place.position] : undefined
    if (!variant) return gone('variant')
    const price = unitsOf(textOf(call.fields()['price']) ?? '', home)
    if (price !== null && stockroom.reprice(variant, price)) record.effect('price.set', part)
    return dataOf(variantView(product, variant))
  })

  /** All of them or none. A sale is what buyers pay, and the price what they would pay without it. */
  function updateVariants(call: Call, record: Recorder): Answer {
    const rows = rowsOf(parseJson(call.raw.toString())).map((row) => ({ row, article: articleOf(row['id']) }))
    if (rows.some(({ article }) => article === null)) return problem(422, 'A variant does not exist.')
    for (const { row, article } of rows) {
      const [price, sale] = [row['price'], row['sale_price']].map((value) => unitsOf(textOf(value) ?? '', home))
      if (!article || price == null) continue
      const [pays, before] = sale ? [sale, price] : [price, sale === 0 ? null : article.variant.compareAt]
      if (stockroom.reprice(article.variant, pays, before)) record.effect('price.set', String(row['id']))
    }
    return dataOf(rows.flatMap(({ article }) => (article ? [variantView(article.product, article.variant)] : [])))
  }
  const articleOf = (id: unknown) =>
    stockroom.articles().find(({ variant }) => String(variantIdOf(variant)) === String(id)) ?? null

  function variants(call: Call): Answer {
    const [sku, id] = ['sku', 'id'].map((name) => call.query.get(name))
    const named = id == null ? sku && stockroom.article(sku) : articleOf(id)
    const rows = sku == null && id == null ? stockroom.articles() : named ? [named] : []
    return pageOf(call, rows, ({ product, variant }) => variantView(product, variant))
  }

  function listBrands(call: Call): Answer {
    const ids = call.query.get('id:in')?.split(',')
    const rows = brands.all.filter(({ id }) => !ids || ids.includes(String(id)))
    return pageOf(call, rows, (brand) => brand)
  }

  return below('/v3/catalog', [
    ['GET', '/products', 'products.list', list],
    ['POST', '/products', 'products.create', create],
    ['GET', '/products/:id', 'products.get', ofProduct((product, call) => dataOf(view(product, call)))],
    ['PUT', '/products/:id', 'products.update', update],
    ['GET', '/products/:id/images', 'images.list', listImages],
    ['POST', '/products/:id/images', 'images.create', addImage],
    ['DELETE', '/products/:id/images/:image', 'images.delete', removeImage],
    ['PUT', '/products/:id/variants/:variant', 'variants.update', updateVariant],
    ['GET', '/variants', 'variants.list', variants],
    ['PUT', '/variants', 'variants.update_all', updateVariants],
    ['GET', '/brands', 'brands.list', listBrands],
  ])
}

function variantIn({ sku, price, inventory_level: level, option_values: values }: Fields, usual: number) {
  const options = rowsOf(values).map(({ option_display_name: name, label }) => ({
    ...{ name: String(name), value: String(label) },
  }))
  const sold = { price: unitsOf(textOf(price) ?? '', home) ?? usual, stock: wholeOf(level) ?? 0 }
  return { sku: String(sku), title: titleOf(options), options, ...sold }
}

const statusIn = ({ is_visible }: Fields): Product['status'] | null =>
  typeof is_visible === 'boolean' ? (is_visible ? 'active' : 'draft') : null
