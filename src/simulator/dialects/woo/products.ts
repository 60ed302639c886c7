import { unitsOf } from '../../amounts.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import { answer, type World } from '../../world.ts'
import { positionOf, productIdOf, productIndexOf, variantIdOf } from './ids.ts'
import { invalid, no, notFound, pageIn, pageOf, spanIn } from './reply.ts'
import { home, productView, variationView } from './views.ts'

const stages: Readonly<Record<string, Product['status'] | undefined>> = {
  publish: 'active',
  draft: 'draft',
  private: 'archived',
}

export function createProducts({ shop }: World) {
  const { stockroom } = shop
  const found = (id: string, use: (product: Product) => Answer): Answer => {
    const product = stockroom.product(productIndexOf(id))
    return product ? use(product) : notFound('product')
  }
  const variation = (product: Product, id: string, use: (variant: Variant) => Answer): Answer => {
    const variant = product.variants.length > 1 ? product.variants[positionOf(product, id)] : undefined
    return variant ? use(variant) : notFound('product_variation')
  }

  function list(call: Call): Answer {
    const page = pageIn(call)
    if (!page) return invalid('page, per_page')
    const span = spanIn(call, 'modified_after', 'modified_before')
    if (typeof span === 'string') return invalid(span)
    const skus = call.query.get('sku')?.split(',')
    const owners = skus && new Set(skus.flatMap((sku) => stockroom.bySku(sku)?.product ?? []))
    const matches = stockroom
      .byChange()
      .filter(
        ({ updatedAt }) =>
          (span.from === null || updatedAt >= span.from) && (span.before === null || updatedAt < span.before),
      )
      .filter(({ index }) => !owners || owners.has(index))
    if (call.query.get('orderby') !== 'modified') matches.sort((a, b) => a.index - b.index)
    if ((call.query.get('order') ?? 'desc') === 'desc') matches.reverse()
    const first = (page.page - 1) * page.perPage
    return pageOf(call, page, matches.length, matches.slice(first, first + page.perPage).map(productView))
  }

  /** There is but one number here; behind it the locations of the shop share it out. */
  function setStock(variant: Variant, quantity: number): void {
    const rest = variant.stock.slice(1).reduce((sum, count) => sum + count, 0)
    stockroom.setStock(variant, 0, quantity - rest)
  }

  /** What may be set on a simple product and on a variation alike; true if anything was. */
  function setArticle(variant: Variant, input: Fields, subject: string, record: Recorder): boolean {
    const price = unitsOf(textOf(input['regular_price']) ?? '', home)
    const quantity = wholeOf(input['stock_quantity'])
    if (price !== null && price !== variant.price) {
      stockroom.reprice(variant, price)
      record.effect('price.set', subject)
    }
    if (quantity !== null) {
      setStock(variant, quantity)
      record.effect('inventory.set', subject)
    }
    return price !== null || quantity !== null
  }

  function create(call: Call, record: Recorder): Answer {
    const input = call.fields()
    const sku = textOf(input['sku']) ?? ''
    if (sku !== '' && stockroom.bySku(sku)) return no(400, 'product_invalid_sku', 'Invalid or duplicated SKU.')
    const product = stockroom.add({
      title: textOf(input['name']) ?? 'Product',
      html: textOf(input['description']) ?? '',
      status: stages[textOf(input['status']) ?? 'publish'] ?? 'active',
      images: imagesIn(input) ?? [],
      variants: [
        {
          sku,
          title: 'Default Title',
          price: unitsOf(textOf(input['regular_price']) ?? '0', home) ?? 0,
          stock: wholeOf(input['stock_quantity']) ?? 0,
        },
      ],
    })
    record.effect('product.create', String(productIdOf(product.index)), sku === '' ? null : sku)
    return answer(201, productView(product))
  }

  function update(product: Product, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const subject = String(productIdOf(product.index))
    const [first] = product.variants
    if (first && product.variants.length === 1) setArticle(first, input, subject, record)
    const images = imagesIn(input)
    const status = stages[textOf(input['status']) ?? '']
    const title = textOf(input['name'])
    const html = textOf(input['description'])
    if (images || status || title !== null || html !== null) {
      stockroom.change(product, {
        ...(title === null ? {} : { title }),
        ...(html === null ? {} : { html }),
        ...(status ? { status } : {}),
        ...(images ? { images } : {}),
      })
      record.effect('product.update', subject)
    }
    return answer(200, productView(product))
  }

  function variations(product: Product, call: Call): Answer {
    const page = pageIn(call)
    if (!page) return invalid('page, per_page')
    const all = product.variants.length > 1 ? product.variants : []
    const first = (page.page - 1) * page.perPage
    const rows = all.slice(first, first + page.perPage).map((variant) => variationView(product, variant))
    return pageOf(call, page, all.length, rows)
  }

  function updateVariation(product: Product, variant: Variant, call: Call, record: Recorder): Answer {
    setArticle(variant, call.fields(), String(variantIdOf(product, variant)), record)
    return answer(200, variationView(product, variant))
  }

  return {
    list,
    create,
    get: (id: string) => found(id, (product) => answer(200, productView(product))),
    update: (id: string, call: Call, record: Recorder) => found(id, (product) => update(product, call, record)),
    variations: (id: string, call: Call) => found(id, (product) => variations(product, call)),
    variation: (id: string, part: string) =>
      found(id, (product) => variation(product, part, (variant) => answer(200, variationView(product, variant)))),
    updateVariation: (id: string, part: string, call: Call, record: Recorder) =>
      found(id, (product) => variation(product, part, (variant) => updateVariation(product, variant, call, record))),
  }
}

function imagesIn(input: Fields): Product['images'] | null {
  if (!Array.isArray(input['images'])) return null
  return listOf(input['images']).flatMap((value) => {
    const { src, alt } = fieldsOf(value)
    const url = textOf(src)
    return url === null ? [] : [{ url, alt: textOf(alt) }]
  })
}
