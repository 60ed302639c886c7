import { decimal, unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, forOne, isAnswer, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, listOf, rowsOf } from '../../json.ts'
import { locations, optionsOf, type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { indexIn, productIdOf, variantIdOf } from './ids.ts'
import { dateOf, locationsView, priceIn, shown } from './order-view.ts'
import { pageOf, questionIn } from './query.ts'
import { invalid, missing, no } from './reply.ts'

export const currency = 'EUR'
const base = '/stores/v3'

const amountOf = (cents: number) => ({ amount: decimal(cents, currency) })

const choicesOf = ({ options }: Variant, named: boolean) =>
  options.map(({ name, value }) => ({
    optionChoiceIds: { optionId: name, choiceId: value },
    ...(named ? { optionChoiceNames: { optionName: name, choiceName: value, renderType: 'TEXT_CHOICES' } } : {}),
  }))

const variantView = (variant: Variant) => ({
  ...{ visible: true, sku: variant.sku, barcode: variant.barcode },
  price: {
    actualPrice: amountOf(variant.price),
    ...(variant.compareAt === null ? {} : { compareAtPrice: amountOf(variant.compareAt) }),
  },
  physicalProperties: { weight: variant.grams / 1000 },
  inventoryStatus: { inStock: totalOf(variant) > 0, preorderEnabled: false },
})

const byTime = (product: Product): string => `${dateOf(product.updatedAt)} ${productIdOf(product.index)}`

/** Much of a product is told only to those who ask for it by name. */
function productView(product: Product, fields: readonly string[], whole: boolean) {
  const { index, variants, images } = product
  const has = (name: string) => fields.includes(name)
  const slug = `product-${index + 1}`
  const prices = variants.map(({ price }) => price)
  const price = priceIn(currency)
  return {
    ...{ id: productIdOf(index), revision: String(product.version), name: product.title, slug },
    ...{ createdDate: dateOf(product.createdAt), updatedDate: dateOf(product.updatedAt), productType: 'PHYSICAL' },
    ...{ visible: product.status === 'active', visibleInPos: true, brand: { name: product.vendor } },
    ...(has('URL')
      ? { url: { relativePath: `/product-page/${slug}`, url: `https://harbour.example/product-page/${slug}` } }
      : {}),
    ...(has('PLAIN_DESCRIPTION') ? { plainDescription: product.html } : {}),
    ...(has('CURRENCY') ? { currency } : {}),
    ...(has('MEDIA_ITEMS_INFO')
      ? {
          media: {
            itemsInfo: {
              items: images.map(({ url, alt }, i) => ({
                ...{ id: `${index}-${i}`, mediaType: 'IMAGE', image: { id: `${index}-${i}`, url } },
                ...(alt === null ? {} : { altText: alt }),
              })),
            },
          },
        }
      : {}),
    options: optionsOf(product).map(({ name, values }) => ({
      ...{ id: name, name, optionRenderType: 'TEXT_CHOICES' },
      choicesSettings: {
        choices: values.map((value) => ({ choiceId: value, name: value, choiceType: 'CHOICE_TEXT' })),
      },
    })),
    physicalProperties: has('WEIGHT_MEASUREMENT_UNIT_INFO')
      ? { weightMeasurementUnitInfo: { weightMeasurementUnit: 'KG' } }
      : {},
    actualPriceRange: { minValue: price(Math.min(...prices)), maxValue: price(Math.max(...prices)) },
    variantSummary: { variantCount: variants.length },
    ...(whole
      ? {
          variantsInfo: {
            variants: variants.map((variant) => ({
              ...{ id: variantIdOf(variant), ...variantView(variant) },
              choices: choicesOf(variant, has('VARIANT_OPTION_CHOICE_NAMES')),
            })),
          },
        }
      : {}),
  }
}

export function catalogRoutes({ shop: { stockroom }, settings }: World): readonly RouteRow[] {
  const fieldsIn = (value: unknown) => listOf(value).map(String)

  /** Lists show no variants. */
  function query(call: Call): Answer {
    const body = call.fields()
    const question = questionIn(body['query'], { most: 100, among: ['id'] })
    if (isAnswer(question)) return question
    const { from, among } = question
    const wanted = stockroom
      .byChange()
      .filter(({ updatedAt }) => from === null || shown(updatedAt) >= from)
      .filter(({ index }) => among['id']?.includes(productIdOf(index)) ?? true)
    const sorted = wanted.map((product) => [byTime(product), product] as const).sort(([a], [b]) => (a < b ? -1 : 1))
    const { rows, end } = pageOf(sorted, question)
    const fields = fieldsIn(body['fields'])
    return answer(200, { products: rows.map((one) => productView(one, fields, false)), pagingMetadata: end })
  }

  /** Those of products that are sold in several kinds; one that is sold as it is has none here. */
  function queryVariants(call: Call): Answer {
    const body = call.fields()
    const named = 'productData.productId'
    const question = questionIn(body['query'], { most: 1000, among: [named] })
    if (isAnswer(question)) return question
    const wanted = question.among[named]
    const rows = stockroom
      .byNumber()
      .filter(({ index, variants }) => variants.length > 1 && (wanted?.includes(productIdOf(index)) ?? true))
      .flatMap((product) => product.variants.map((variant) => [variantIdOf(variant), { product, variant }] as const))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = pageOf(rows, question)
    const variants = page.rows.map(({ product, variant }) => ({
      ...{ variantId: variantIdOf(variant), ...variantView(variant), optionChoices: choicesOf(variant, true) },
      productData: { productId: productIdOf(product.index), name: product.title, currency },
    }))
    return answer(200, { variants, pagingMetadata: page.end })
  }

  /** Variants are told as a whole, and by whoever has seen the last revision. What is left out of one is gone. */
  function update(product: Product, call: Call, record: Recorder): Answer {
    const { revision, variantsInfo } = fieldsOf(call.fields()['product'])
    if (revision !== String(product.version)) return no(409, 'INVALID_REVISION', 'Product was changed meanwhile')
    const told = new Map(rowsOf(fieldsOf(variantsInfo)['variants']).map((one) => [one['id'], one] as const))
    if (told.size !== product.variants.length) return invalid('variants must be those of the product')
    for (const variant of product.variants) {
      const { sku, price } = told.get(variantIdOf(variant)) ?? {}
      const { actualPrice, compareAtPrice } = fieldsOf(price)
      const cents = unitsOf(fieldsOf(actualPrice)['amount'], currency)
      if (sku !== variant.sku || cents === null) return invalid('a variant has no sku or no price')
      const before = compareAtPrice === undefined ? null : unitsOf(fieldsOf(compareAtPrice)['amount'], currency)
      if (stockroom.reprice(variant, cents, before)) record.effect('price.set', variant.sku)
    }
    return answer(200, { product: productView(product, [], true) })
  }

  const ofProduct = forOne((id) => stockroom.product(indexIn('product', id)), missing('Product'))
  const version = settings.variant['catalog'] === 'v1' ? 'V1_CATALOG' : (settings.variant['catalog'] ?? 'V3_CATALOG')
  const reads = { writes: false } as const
  return [
    ['GET', `${base}/provision/version`, 'version.get', () => answer(200, { catalogVersion: version })],
    ['POST', `${base}/products/query`, 'products.query', query, reads],
    ['POST', `${base}/products/query-variants`, 'products.variants', queryVariants, reads],
    [
      ...(['GET', `${base}/products/:id`, 'products.get'] as const),
      ofProduct((product, { query: asked }) =>
        answer(200, { product: productView(product, asked.getAll('fields'), true) }),
      ),
    ],
    ['PATCH', `${base}/products/:id`, 'products.update', ofProduct(update)],
    [
      ...(['POST', `${base}/locations/query`, 'locations.query'] as const),
      () => answer(200, { storesLocations: locationsView(locations) }),
      reads,
    ],
  ]
}
