import { convert, unitsOf } from '../../amounts.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import { setTotal, totalOf } from '../../shop/stockroom.ts'
import { answer, type World } from '../../world.ts'
import { articleIdOf, productIdOf, written } from './ids.ts'
import { noEntity, refusal, searchAmong } from './search.ts'
import { locationOf, sourceOf, sourceViews } from './sources.ts'

/** A product, or one of the articles of a configurable one. */
interface Article {
  product: Product
  variant: Variant | null
}

const isConfigurable = ({ variants }: Product): boolean => variants.length > 1
const skuOf = ({ product, variant }: Article): string =>
  variant?.sku ??
  (isConfigurable(product) ? (product.variants[0]?.sku ?? '').replace(/-\d+$/, '') : (product.variants[0]?.sku ?? ''))
const idOf = ({ product, variant }: Article): number =>
  variant ? articleIdOf(product, variant) : productIdOf(product.index)
/** An article that changes leaves its product's own time as it was. */
const changedAt = ({ product, variant }: Article): string =>
  written(variant ? Math.max(product.updatedAt, variant.stockUpdatedAt) : product.updatedAt)

/** What the articles differ in; each colour has a number. */
const colours = ['Red', 'Grün', '藍', 'Off-white']
const colour = {
  ...{ attribute_id: 93, attribute_code: 'color', default_frontend_label: 'Colour', frontend_input: 'select' },
  ...{ entity_type_id: '4', is_required: false, frontend_labels: [] },
  options: [{ label: ' ', value: '' }, ...colours.map((label, n) => ({ label, value: String(50 + n) }))],
}

function view(article: Article) {
  const { product, variant } = article
  const configurable = isConfigurable(product) && !variant
  const priced = variant ?? (configurable ? null : product.variants[0])
  const attributes = [
    ['description', product.html],
    ...(variant ? [['color', String(50 + variant.position)]] : []),
    ...(priced?.barcode ? [['ean', priced.barcode]] : []),
  ]
  const numbers = product.variants.map((one) => articleIdOf(product, one))
  const option = { id: product.index + 1, attribute_id: '93', label: 'Colour', position: 0 }
  return {
    id: idOf(article),
    sku: skuOf(article),
    name: variant ? `${product.title} ${variant.title}` : product.title,
    attribute_set_id: 4,
    ...(priced ? { price: convert(priced.price, 'EUR') / 100, weight: priced.grams / 1000 } : {}),
    status: product.status === 'active' ? 1 : 2,
    visibility: variant ? 1 : 4,
    type_id: configurable ? 'configurable' : 'simple',
    created_at: written(product.createdAt),
    updated_at: changedAt(article),
    extension_attributes: {
      website_ids: [1],
      ...(configurable
        ? {
            configurable_product_options: [{ ...option, values: numbers.map((_, n) => ({ value_index: 50 + n })) }],
            configurable_product_links: numbers,
          }
        : {}),
    },
    product_links: [],
    media_gallery_entries: product.images.map(({ url, alt }, n) => ({
      ...{ id: product.index * 10 + n, media_type: 'image', label: alt ?? '', position: n + 1, disabled: false },
      ...{ types: ['image'], file: `/p/r/${url.split('/').at(-1)}` },
    })),
    custom_attributes: attributes.map(([attribute_code, value]) => ({ attribute_code, value })),
  }
}

const stockView = (product: Product, variant: Variant) => ({
  ...{ item_id: articleIdOf(product, variant) + 5_000_000, product_id: articleIdOf(product, variant), stock_id: 1 },
  ...{ qty: totalOf(variant), is_in_stock: totalOf(variant) > 0, is_qty_decimal: false, min_qty: 0, backorders: 0 },
  ...{
    show_default_notification_message: false,
    use_config_min_qty: true,
    use_config_min_sale_qty: 1,
    min_sale_qty: 1,
  },
  ...{ use_config_max_sale_qty: true, max_sale_qty: 10_000, use_config_backorders: true, notify_stock_qty: 1 },
  ...{ use_config_notify_stock_qty: true, use_config_qty_increments: true, qty_increments: 0 },
  ...{ use_config_enable_qty_inc: true, enable_qty_increments: false, use_config_manage_stock: true },
  ...{ manage_stock: true, low_stock_date: '', is_decimal_divided: false, stock_status_changed_auto: 0 },
})

export function createProducts({ shop: { stockroom } }: World) {
  const articles = (): Article[] =>
    stockroom
      .byChange()
      .flatMap((product): Article[] => [
        { product, variant: null },
        ...(isConfigurable(product) ? product.variants.map((variant) => ({ product, variant })) : []),
      ])
  const fields: Readonly<Record<string, ((article: Article) => unknown) | undefined>> = {
    ...{ entity_id: idOf, sku: skuOf, updated_at: changedAt, visibility: ({ variant }) => (variant ? 1 : 4) },
  }
  const held = (article: Article, field: string) => (fields[field] ?? ((one) => fieldsOf(view(one))[field]))(article)
  const bySku = (sku: string): { product: Product; variant: Variant } | null => {
    const variant = stockroom.bySku(sku)
    const product = variant && stockroom.product(variant.product)
    return product && { product, variant }
  }

  /** Saving a product whose SKU is there changes it; what is not told stays as it is. */
  function save(call: Call, record: Recorder): Answer {
    const input = fieldsOf(call.fields()['product'])
    const sku = textOf(input['sku'])
    if (sku === null) return refusal(400, 'The value of attribute "%1" must be set.', ['sku'])
    const known = articles().find((article) => skuOf(article) === sku)
    const price = unitsOf(textOf(input['price']), 'EUR')
    if (known) {
      const priced = known.variant ?? (isConfigurable(known.product) ? null : known.product.variants[0])
      if (priced && price !== null && price !== priced.price) stockroom.reprice(priced, price)
      if (!known.variant) stockroom.change(known.product, shownIn(input))
      record.effect('product.update', String(idOf(known)))
      return answer(200, view(known))
    }
    const blank = { title: sku, html: '', status: 'active' as const, images: [] }
    const variants = [{ sku, title: 'Default Title', price: price ?? 0, stock: 0 }]
    const product = stockroom.add({ ...blank, ...shownIn(input), variants })
    record.effect('product.create', String(productIdOf(product.index)), sku)
    return answer(200, view({ product, variant: null }))
  }

  /** One that is not as it must be spoils all that came with it. */
  function saveSources(call: Call, record: Recorder): Answer {
    const items = listOf(call.fields()['sourceItems']).map(fieldsOf)
    if (items.some((item) => locationOf(item['source_code']) < 0)) return refusal(400, 'Validation Failed')
    for (const { sku, source_code: source, quantity } of items) {
      const variant = stockroom.bySku(textOf(sku) ?? '')
      if (!variant) continue
      stockroom.setStock(variant, locationOf(source), wholeOf(quantity) ?? 0)
      record.effect('inventory.set', `${variant.sku} ${String(source)}`)
    }
    return answer(200, [])
  }

  return {
    list: (call: Call) => searchAmong(call, articles(), { held, view }),
    attributes: (call: Call) =>
      searchAmong(call, [colour], { held: (row, field) => fieldsOf(row)[field], view: (row) => row }),
    save,
    sources: (call: Call) =>
      searchAmong(call, sourceViews, { held: (row, field) => fieldsOf(row)[field], view: (row) => row }),
    sourceItems(call: Call): Answer {
      const rows = stockroom
        .variantsByChange()
        .flatMap(({ sku, stock }) =>
          stock.map((quantity, n) => ({ sku, source_code: sourceOf(n), quantity, status: quantity > 0 ? 1 : 0 })),
        )
      return searchAmong(call, rows, { held: (row, field) => fieldsOf(row)[field], view: (row) => row })
    },
    saveSources,
    stock(sku: string): Answer {
      const known = bySku(sku)
      return known ? answer(200, stockView(known.product, known.variant)) : noEntity()
    },
    setStock(sku: string, call: Call, record: Recorder): Answer {
      const known = bySku(sku)
      const quantity = wholeOf(fieldsOf(call.fields()['stockItem'])['qty'])
      if (!known) return noEntity()
      if (quantity !== null) setTotal(stockroom, known.variant, quantity)
      record.effect('inventory.set', sku)
      return answer(200, stockView(known.product, known.variant).item_id)
    },
  }
}

function shownIn(input: Fields): Partial<Pick<Product, 'title' | 'html' | 'status'>> {
  const title = textOf(input['name'])
  const status = wholeOf(input['status'])
  const received = listOf(input['custom_attributes']).map(fieldsOf)
  const html = textOf(received.find(({ attribute_code: code }) => code === 'description')?.['value'])
  return {
    ...(title === null ? {} : { title }),
    ...(html === null ? {} : { html }),
    ...(status === null ? {} : { status: status === 1 ? 'active' : 'draft' }),
  }
}
