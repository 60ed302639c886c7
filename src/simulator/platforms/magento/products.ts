import { convert, unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { type Product, totalOf, type Variant } from '../../shop/goods.ts'
import { wordsTold } from '../../shop/received.ts'
import type { ProductWords } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { productIdOf, variantIdOf, written } from './orders.ts'
import { noEntity, refusal, searchAmong } from './search.ts'
import { locationOf, sourceOf, sourceViews } from './sources.ts'

/** A product, or one of the articles of a configurable one. */
interface Article {
  product: Product
  variant: Variant | null
}

const isConfigurable = ({ variants }: Product): boolean => variants.length > 1
export const articleIdOf = (product: Product, { position }: Variant): number =>
  isConfigurable(product) ? variantIdOf(product.index, position) : productIdOf(product.index)
function skuOf({ product, variant }: Article): string {
  const { sku } = variant ?? product.variants[0] ?? { sku: '' }
  return variant || !isConfigurable(product) ? sku : sku.replace(/-\d+$/, '')
}
const idOf = ({ product, variant }: Article): number =>
  variant ? articleIdOf(product, variant) : productIdOf(product.index)
/** What has a price: a configurable product has none of its own. */
const pricedOf = ({ product, variant }: Article): Variant | null =>
  variant ?? (isConfigurable(product) ? null : (product.variants[0] ?? null))
/** An article that changes leaves its product's own time as it was. */
const changedAt = ({ product, variant }: Article): string =>
  written(variant ? Math.max(product.updatedAt, variant.stockUpdatedAt) : product.updatedAt)

/** What the articles differ in; each colour has a number. */
const colours = ['Red', 'Grün', '藍', 'Off-white']
const colour: Fields = {
  ...{ attribute_id: 93, attribute_code: 'color', default_frontend_label: 'Colour', frontend_input: 'select' },
  ...{ entity_type_id: '4', is_required: false, frontend_labels: [] },
  options: [{ label: ' ', value: '' }, ...colours.map((label, n) => ({ label, value: String(50 + n) }))],
}

function view(article: Article): Fields {
  const { product, variant } = article
  const configurable = isConfigurable(product) && !variant
  const priced = pricedOf(article)
  const attributes = [
    ['description', product.html],
    ...(variant ? [['color', String(50 + variant.position)]] : []),
    ...(priced?.barcode ? [['ean', priced.barcode]] : []),
  ]
  const links = product.variants.map((one) => articleIdOf(product, one))
  const option = { id: product.index + 1, attribute_id: '93', label: 'Colour', position: 0 }
  const values = links.map((_, n) => ({ value_index: 50 + n }))
  const family = { configurable_product_options: [{ ...option, values }], configurable_product_links: links }
  return {
    ...{ id: idOf(article), sku: skuOf(article), type_id: configurable ? 'configurable' : 'simple' },
    name: variant ? `${product.title} ${variant.title}` : product.title,
    ...(priced ? { price: convert(priced.price, 'EUR') / 100, weight: priced.grams / 1000 } : {}),
    ...{ status: product.status === 'active' ? 1 : 2, visibility: variant ? 1 : 4 },
    ...{ created_at: written(product.createdAt), updated_at: changedAt(article) },
    extension_attributes: { website_ids: [1], ...(configurable ? family : {}) },
    media_gallery_entries: product.images.map(({ url, alt }, n) => ({
      ...{ id: product.index * 10 + n, media_type: 'image', label: alt ?? '', position: n + 1, disabled: false },
      ...{ types: ['image'], file: `/p/r/${url.split('/').at(-1)}` },
    })),
    custom_attributes: attributes.map(([attribute_code, value]) => ({ attribute_code, value })),
  }
}

/** What is the same for all that is counted. */
const stockRules = {
  ...{ is_qty_decimal: false, min_qty: 0, backorders: 0, min_sale_qty: 1, max_sale_qty: 10_000, notify_stock_qty: 1 },
  ...{ show_default_notification_message: false, use_config_min_qty: true, use_config_min_sale_qty: 1 },
  ...{ use_config_max_sale_qty: true, use_config_backorders: true, use_config_notify_stock_qty: true },
  ...{ use_config_qty_increments: true, qty_increments: 0, use_config_enable_qty_inc: true },
  ...{ enable_qty_increments: false, use_config_manage_stock: true, manage_stock: true, low_stock_date: '' },
  ...{ is_decimal_divided: false, stock_status_changed_auto: 0 },
}
function stockView(product: Product, variant: Variant) {
  const [id, qty] = [articleIdOf(product, variant), totalOf(variant)]
  return { item_id: id + 5_000_000, product_id: id, stock_id: 1, qty, is_in_stock: qty > 0, ...stockRules }
}

export function productRoutes({ shop: { stockroom }, settings }: World): readonly RouteRow[] {
  const articles = (): Article[] =>
    stockroom.byChange().flatMap((product): Article[] => {
      const kinds = isConfigurable(product) ? product.variants.map((variant) => ({ product, variant })) : []
      return [{ product, variant: null }, ...kinds]
    })
  const fields: Readonly<Record<string, ((article: Article) => unknown) | undefined>> = {
    ...{ entity_id: idOf, sku: skuOf, updated_at: changedAt },
  }
  const held = (article: Article, field: string) => (fields[field] ?? ((one) => view(one)[field]))(article)

  /** Saving a product whose SKU is there changes it; what is not told stays as it is. */
  function save(call: Call, record: Recorder): Answer {
    const input = fieldsOf(call.fields()['product'])
    const sku = textOf(input['sku'])
    if (sku === null) return refusal(400, 'The value of attribute "%1" must be set.', ['sku'])
    const known = articles().find((article) => skuOf(article) === sku)
    const price = unitsOf(textOf(input['price']), 'EUR')
    if (known) {
      const priced = pricedOf(known)
      if (priced && price !== null) stockroom.reprice(priced, price)
      if (!known.variant) stockroom.change(known.product, shownIn(input))
      record.effect('product.update', String(idOf(known)))
      return answer(200, view(known))
    }
    const variants = [{ sku, title: 'Default Title', price: price ?? 0, stock: 0 }]
    const product = stockroom.add({ title: sku, html: '', status: 'active', images: [], ...shownIn(input), variants })
    record.effect('product.create', String(productIdOf(product.index)), sku)
    return answer(200, view({ product, variant: null }))
  }

  /** What is wrong with some of them is told, and the others are set. */
  function setPrices(call: Call, record: Recorder): Answer {
    const errors = rowsOf(call.fields()['prices']).flatMap(({ sku, price }) => {
      const article = articles().find((one) => skuOf(one) === sku)
      const [priced, units] = [article && pricedOf(article), unitsOf(textOf(price), 'EUR')]
      if (!priced || units === null)
        return [{ message: 'Invalid attribute %fieldName = %fieldValue.', parameters: ['SKU', sku] }]
      if (stockroom.reprice(priced, units)) record.effect('price.set', priced.sku)
      return []
    })
    return answer(200, errors)
  }

  /** One that is not as it must be spoils all that came with it. */
  function saveSources(call: Call, record: Recorder): Answer {
    const items = rowsOf(call.fields()['sourceItems'])
    if (items.some((item) => locationOf(item['source_code']) < 0)) return refusal(400, 'Validation Failed')
    for (const { sku, source_code: source, quantity } of items) {
      const variant = stockroom.bySku(textOf(sku) ?? '')
      if (variant && stockroom.setStock(variant, locationOf(source), wholeOf(quantity) ?? 0))
        record.effect('inventory.set', `${variant.sku} ${String(source)}`)
    }
    return answer(200, [])
  }
  const sourceItems = () =>
    stockroom
      .variantsByChange()
      .flatMap(({ sku, stock }) =>
        stock.map((quantity, n): Fields => ({ sku, source_code: sourceOf(n), quantity, status: quantity > 0 ? 1 : 0 })),
      )

  const ofArticle = forOne(stockroom.article, noEntity)
  const setStock = ofArticle(({ product, variant }, call, record) => {
    const quantity = wholeOf(fieldsOf(call.fields()['stockItem'])['qty'])
    if (quantity !== null && stockroom.setTotal(variant, quantity)) record.effect('inventory.set', variant.sku)
    return answer(200, stockView(product, variant).item_id)
  })
  const getStock = ofArticle(({ product, variant }) => answer(200, stockView(product, variant)))
  const among = (rows: () => readonly Fields[]) => (call: Call) => searchAmong(call, rows(), (row) => row)
  const sources: readonly RouteRow[] = [
    ['GET', '/V1/inventory/sources', 'sources.list', among(() => sourceViews)],
    ['GET', '/V1/inventory/source-items', 'source-items.list', among(sourceItems)],
    ['POST', '/V1/inventory/source-items', 'source-items.save', saveSources],
  ]
  return [
    ['GET', '/V1/products', 'products.list', (call) => searchAmong(call, articles(), view, held)],
    ['POST', '/V1/products', 'products.save', save],
    ['POST', '/V1/products/base-prices', 'prices.set', setPrices],
    ['GET', '/V1/products/attributes', 'attributes.list', among(() => [colour])],
    ['GET', '/V1/stockItems/:sku', 'stock.get', getStock],
    ['PUT', '/V1/products/:sku/stockItems/:id', 'stock.set', setStock],
    ...(settings.variant['stock'] === 'single' ? [] : sources),
  ]
}

function shownIn(input: Fields): ProductWords {
  const [title, status] = [textOf(input['name']), wholeOf(input['status'])]
  const received = rowsOf(input['custom_attributes'])
  const html = textOf(received.find(({ attribute_code: code }) => code === 'description')?.['value'])
  return wordsTold({ title, html, status: status === null ? null : status === 1 ? 'active' : 'draft' })
}
