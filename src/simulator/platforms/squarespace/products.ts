import { convert, decimal, inCents, unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../../json.ts'
import { type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { productIdOf, productIndexOf, variantAt, variantIdOf } from './ids.ts'
import { askedIn, currency, inMilliseconds, no, notFound, pageSize, pagination, spanIn } from './reply.ts'

const money = (cents: number) => ({ currency, value: decimal(convert(cents, currency), currency) })

/** A reduced price is that of a sale; without one there is a price for it all the same, which is not asked. */
const pricingOf = ({ price, compareAt }: Variant) => ({
  ...{ basePrice: money(compareAt ?? price), onSale: compareAt !== null },
  salePrice: money(compareAt === null ? 0 : price),
})

/** Articles that are sold without being counted: the variant `unlimited` names their numbers. */
export const isUnlimited = ({ settings }: World, { sku }: Variant): boolean =>
  settings.variant['unlimited']?.split(',').includes(sku) ?? false

function variantView(world: World, variant: Variant) {
  const unlimited = isUnlimited(world, variant)
  return {
    ...{ id: variantIdOf(variant), sku: variant.sku, gtin: variant.barcode, mpn: null, image: null },
    pricing: pricingOf(variant),
    stock: { quantity: unlimited ? 0 : totalOf(variant), unlimited },
    attributes: Object.fromEntries(variant.options.map(({ name, value }) => [name, value])),
    shippingMeasurements: {
      weight: { unit: 'KILOGRAM', value: variant.grams / 1000 },
      dimensions: { unit: 'CENTIMETER', length: 0, width: 0, height: 0 },
    },
  }
}

function productView(world: World, product: Product) {
  const { index, title, html, tags, images } = product
  const slug = `thing-${index + 1}`
  return {
    ...{ id: productIdOf(index), type: 'PHYSICAL', storePageId: '65e5d4a6b1c8000000000001', name: title, tags },
    ...{ description: html, url: `https://${world.settings.shop}/store/p/${slug}`, urlSlug: slug, seoOptions: null },
    isVisible: product.status === 'active',
    variants: product.variants.map((variant) => variantView(world, variant)),
    images: images.map(({ url, alt }, n) => ({
      ...{ id: `${productIdOf(index)}-${n}`, altText: alt ?? '', url, availableFormats: ['original'] },
    })),
    ...{ createdOn: inMilliseconds(product.createdAt), modifiedOn: inMilliseconds(product.updatedAt) },
  }
}

export function productRoutes(world: World, path: string): readonly RouteRow[] {
  const { stockroom } = world.shop
  const sign = world.settings.variant['sort'] === 'oldest' ? 1 : -1

  function list({ query }: Call): Answer {
    const asked = askedIn(query, ['modifiedAfter', 'modifiedBefore', 'type'])
    if (typeof asked === 'string') return no(400, asked, 'INVALID_ARGUMENT')
    const { filters, after } = asked
    const span = spanIn(filters)
    if (typeof span === 'string') return no(400, span, 'INVALID_ARGUMENT')
    const place = ({ updatedAt: at, index }: Product) => ({ at, index })
    const behind = (one: { at: number; index: number }, other: { at: number; index: number }) =>
      sign * (one.at - other.at || one.index - other.index)
    const all = stockroom
      .byChange()
      .filter(({ updatedAt: at }) => at >= (span.from ?? 0) && at < (span.before ?? Number.POSITIVE_INFINITY))
      .sort((a, b) => behind(place(a), place(b)))
      .filter((product) => after === null || behind(place(product), after) > 0)
    const some = all.slice(0, pageSize)
    const last = all.length > some.length ? some.at(-1) : undefined
    const products = some.map((product) => productView(world, product))
    return answer(200, { products, pagination: pagination(path, filters, last ? place(last) : null) })
  }

  /** All of them, or none. */
  function several(_: Call, __: Recorder, [ids]: readonly [string, string]): Answer {
    const found = ids.split(',').map((id) => stockroom.product(productIndexOf(id)))
    if (found.length > pageSize) return no(400, 'No more than 50 products at once.', 'INVALID_ARGUMENT')
    const products = found.flatMap((product) => (product ? [productView(world, product)] : []))
    return products.length < found.length ? notFound() : answer(200, { products })
  }

  /** What is not told stays as it is. */
  function reprice(call: Call, record: Recorder, [id, variantId]: readonly [string, string]): Answer {
    const product = stockroom.product(productIndexOf(id))
    const { product: index, position } = variantAt(variantId)
    const variant = product && index === product.index ? product.variants[position] : undefined
    if (!product || !variant) return no(404, 'The variant was not found.', 'PRODUCT_VARIANT_NOT_FOUND')
    const { pricing } = call.fields()
    if (!isFields(pricing)) return no(400, 'Nothing is to be changed.', 'INVALID_ARGUMENT')
    const now = { ...pricingOf(variant), ...pricing }
    const [base, sale] = [centsIn(now.basePrice), centsIn(now.salePrice)]
    if (base === 'other' || sale === 'other')
      return no(409, 'The currency differs from the site’s.', 'CURRENCY_MISMATCH')
    if (base === null || (now.onSale && sale === null)) return no(400, 'A price is invalid.', 'INVALID_ARGUMENT')
    const [price, compareAt] = now.onSale ? [sale ?? 0, base] : [base, null]
    if (stockroom.reprice(variant, price, compareAt)) record.effect('price.set', variant.sku)
    return answer(200, variantView(world, variant))
  }

  return [
    ['GET', path, 'products.list', list],
    ['GET', `${path}/:ids`, 'products.get', several],
    ['POST', `${path}/:id/variants/:variant`, 'products.write', reprice],
  ]
}

function centsIn(value: unknown): number | null | 'other' {
  const told: Fields = fieldsOf(value)
  if (textOf(told['currency']) !== currency) return value == null ? null : 'other'
  const units = unitsOf(told['value'], currency)
  return units === null || units < 0 ? null : inCents(units, currency)
}
