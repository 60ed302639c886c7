import { decimal } from '../../amounts.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, listOf, parseJson, rowsOf, textOf, wholeOf } from '../../json.ts'
import { type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { currency } from './catalog.ts'
import { indexIn, productIdOf, variantIdOf } from './ids.ts'
import { dateOf } from './order-view.ts'
import { invalid, missing } from './reply.ts'

const nothing = '00000000-0000-0000-0000-000000000000'
const most = 100

const isSingle = ({ variants }: Product): boolean => variants.length === 1

/** What products that are sold as they are call their variant. */
const ownIdOf = (product: Product, variant: Variant): string => (isSingle(product) ? nothing : variantIdOf(variant))

const amount = (cents: number): number => Number(decimal(cents, currency))

const pricesOf = ({ price, compareAt }: Variant) => ({
  ...{ currency, price: amount(compareAt ?? price), discountedPrice: amount(price) },
})

const stockOf = (variant: Variant) => ({
  trackQuantity: true,
  quantity: totalOf(variant),
  inStock: totalOf(variant) > 0,
})

/** Catalog V1: questions are texts within the question, prices are numbers, stock is one number for each article. */
function productView(product: Product, withVariants: boolean) {
  const { index, variants, images } = product
  const [first] = variants
  return {
    ...{ id: productIdOf(index), numericId: String(index + 1), name: product.title, slug: `product-${index + 1}` },
    ...{
      visible: product.status === 'active',
      productType: 'physical',
      description: product.html,
      brand: product.vendor,
    },
    ...(first && isSingle(product) ? { sku: first.sku } : {}),
    ...(first ? { priceData: pricesOf(first), stock: stockOf(first), weight: first.grams / 1000 } : {}),
    manageVariants: !isSingle(product),
    ...{ lastUpdated: dateOf(product.updatedAt), createdDate: dateOf(product.createdAt) },
    media: { items: images.map(({ url, alt }) => ({ mediaType: 'image', title: alt ?? '', image: { url } })) },
    productPageUrl: { base: 'https://harbour.example/', path: `/product-page/product-${index + 1}` },
    variants: withVariants
      ? variants.map((variant) => ({
          id: ownIdOf(product, variant),
          choices: Object.fromEntries(variant.options.map(({ name, value }) => [name, value])),
          variant: { priceData: pricesOf(variant), weight: variant.grams / 1000, sku: variant.sku, visible: true },
          stock: stockOf(variant),
        }))
      : [],
  }
}

export function oldCatalogRoutes({ shop: { stockroom } }: World): readonly RouteRow[] {
  function query(call: Call): Answer {
    const { query: asked, includeVariants, includeHiddenProducts } = call.fields()
    const { filter, sort, paging } = fieldsOf(asked)
    if (
      [filter, sort].some((text) => text !== undefined && (typeof text !== 'string' || parseJson(text) === undefined))
    )
      return invalid('filter and sort must be JSON strings')
    const { limit: wanted, offset: from } = fieldsOf(paging)
    const [limit, offset] = [wholeOf(wanted ?? most) ?? 0, wholeOf(from ?? 0) ?? -1]
    if (limit < 1 || limit > most || offset < 0) return invalid(`limit must be between 1 and ${most}`)
    const ids = listOf(fieldsOf(fieldsOf(parseJson(String(filter ?? '{}')))['id'])['$in'])
    const all = stockroom
      .byNumber()
      .filter(({ status }) => includeHiddenProducts === true || status === 'active')
      .filter(({ index }) => filter === undefined || ids.includes(productIdOf(index)))
    const some = all.slice(offset, offset + limit)
    const products = some.map((product) => productView(product, includeVariants === true))
    return answer(200, { products, metadata: { items: some.length, offset }, totalResults: all.length })
  }

  function setStock(product: Product, call: Call, record: Recorder): Answer {
    const { trackQuantity, variants } = fieldsOf(call.fields()['inventoryItem'])
    const wanted = rowsOf(variants).map(({ variantId, quantity }) => ({
      variant: product.variants.find((one) => ownIdOf(product, one) === textOf(variantId)),
      quantity: wholeOf(quantity),
    }))
    if (trackQuantity !== true || wanted.some(({ quantity }) => quantity === null))
      return invalid('quantity is not valid')
    // What is no variant of the product changes nothing, and nothing is said of it.
    for (const { variant, quantity } of wanted)
      if (variant && stockroom.setTotal(variant, quantity ?? 0)) record.effect('inventory.set', variant.sku)
    return answer(200, {})
  }

  const ofProduct = forOne((id) => stockroom.product(indexIn('product', id)), missing('Product'))
  return [
    ['POST', '/stores-reader/v1/products/query', 'products.query', query, { writes: false }],
    ['PATCH', '/stores/v2/inventoryItems/product/:id', 'inventory.update', ofProduct(setStock)],
  ]
}
