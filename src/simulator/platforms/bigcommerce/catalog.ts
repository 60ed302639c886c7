import { unitsOf } from '../../amounts.ts'
import { isWithin } from '../../clock.ts'
import { type Answer, below, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, textOf, wholeOf } from '../../json.ts'
import type { Product } from '../../shop/goods.ts'
import { imagesIn, wordsTold } from '../../shop/received.ts'
import type { World } from '../../world.ts'
import { productIdOf, productIndexOf, variantAt } from './ids.ts'
import { createBrands, home, productView, variantView } from './product-views.ts'
import { dataOf, gone, pageOf, problem, spanIn } from './reply.ts'

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
    const stock = wholeOf(input['inventory_level']) ?? 0
    const product = stockroom.add({
      ...{ title: name, html: textOf(input['description']) ?? '', status: statusIn(input) ?? 'draft' },
      images: imagesIn(input['images'], ({ image_url: url, description: alt }) => ({ url, alt })),
      variants: [{ sku: sku ?? '', title: 'Default Title', price, stock }],
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

  const updateVariant = ofProduct((product, call, record, [, part]) => {
    const place = variantAt(Number(part))
    const variant = place.product === product.index ? product.variants[place.position] : undefined
    if (!variant) return gone('variant')
    const price = unitsOf(textOf(call.fields()['price']) ?? '', home)
    if (price !== null && stockroom.reprice(variant, price)) record.effect('price.set', part)
    return dataOf(variantView(product, variant))
  })

  function variants(call: Call): Answer {
    const sku = call.query.get('sku')
    const rows = sku === null ? stockroom.articles() : [stockroom.article(sku) ?? []].flat()
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
    ['PUT', '/products/:id/variants/:variant', 'variants.update', updateVariant],
    ['GET', '/variants', 'variants.list', variants],
    ['GET', '/brands', 'brands.list', listBrands],
  ])
}

const statusIn = ({ is_visible }: Fields): Product['status'] | null =>
  typeof is_visible === 'boolean' ? (is_visible ? 'active' : 'draft') : null
