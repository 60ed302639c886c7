import { convert, unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { type Product, productTime, reservedOf, totalOf, type Variant, variantTime } from '../../shop/goods.ts'
import { wordsTold } from '../../shop/received.ts'
import type { ProductWords } from '../../shop/stockroom.ts'
import type { World } from '../../world.ts'
import { productIdOf, variantIdOf, written } from './orders.ts'
import { found, noEntity, offsetWithin, refusal, searchAmong } from './search.ts'
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
/** An article that changes leaves its product's own time as it was; stock is nobody's change. */
const changedAt = ({ product, variant }: Article): string => {
  if (variant) return written(variantTime(product, variant))
  return written(isConfigurable(product) ? productTime(product) : product.updatedAt)
}

/** What the articles differ in; each colour has a number. */
const colours = ['Red', 'Grün', '藍', 'Off-white']
const colour: Fields = {
  ...{ attribute_id: 93, attribute_code: 'color', default_frontend_label: 'Colour', frontend_input: 'select' },
  ...{ entity_type_id: '4', is_required: false, frontend_labels: [] },
  options: [{ label: ' ', value: '' }, ...colours.map((label, n) => ({ label, value: String(50 + n) }))],
}

function view(article: Article, bundles?: string): Fields {
  const { product, variant } = article
  const configurable = isConfigurable(product) && !variant
  const priced = pricedOf(article)
  const attributes = [
    ['description', product.html],
    ...(variant ? [['color', String(50 + variant.position)]] : []),
    ...(priced?.barcode ? [['ean', priced.barcode]] : []),
    ...(bundles ? [['shipment_type', bundles === 'apart' ? '1' : '0']] : []),
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

/** Orders hold goods until they are sent; those of the first source go first. */
const heldAt = (variant: Variant, place: number): number => (place === 0 ? reservedOf(variant, 0) : 0)

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
  const { bundles } = settings.variant
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
    const told = wholeOf(fieldsOf(fieldsOf(input['extension_attributes'])['stock_item'])['qty'])
    const sold = known && pricedOf(known)
    if (sold && told !== null && stockroom.setTotal(sold, told)) record.effect('inventory.set', sold.sku)
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
      const place = locationOf(source)
      if (variant && stockroom.setStock(variant, place, (wholeOf(quantity) ?? 0) - heldAt(variant, place)))
        record.effect('inventory.set', `${variant.sku} ${String(source)}`)
    }
    return answer(200, [])
  }
  const sourceItems = () =>
    stockroom.variantsByChange().flatMap((variant) => {
      const { sku, stock } = variant
      return stock.map((free, n): Fields => {
        const quantity = free + heldAt(variant, n)
        return { sku, source_code: sourceOf(n), quantity, status: quantity > 0 ? 1 : 0 }
      })
    })
  const stocks: readonly Fields[] = [
    {
      ...{ stock_id: 1, name: 'Default Stock' },
      extension_attributes: { sales_channels: [{ type: 'website', code: 'base' }] },
    },
  ]
  const links = sourceViews.map(({ source_code }, n): Fields => ({ stock_id: 1, source_code, priority: n + 1 }))
  /** What is left of all sources together once orders have got theirs. */
  const salable = () =>
    stockroom.variantsByChange().map((variant): Fields => {
      const qty = totalOf(variant)
      return { sku: variant.sku, qty, is_salable: qty > 0 }
    })

  const ofArticle = forOne(stockroom.article, noEntity)
  const setStock = ofArticle(({ product, variant }, call, record) => {
    const quantity = wholeOf(fieldsOf(call.fields()['stockItem'])['qty'])
    if (quantity !== null && stockroom.setTotal(variant, quantity)) record.effect('inventory.set', variant.sku)
    return answer(200, stockView(product, variant).item_id)
  })
  /** The list of what is running low is a list of all, if one asks for enough. */
  function lowStock(call: Call): Answer {
    const [most, page, size] = ['qty', 'currentPage', 'pageSize'].map((name) => Number(call.query.get(name)))
    const low = stockroom
      .articles()
      .map(({ product, variant }) => stockView(product, variant))
      .filter(({ qty }) => qty <= (most ?? 0))
    const criteria = { groups: [], sorts: [], page: page ?? 1, size: size ?? 20 }
    const first = offsetWithin(criteria, low.length)
    return found(call, criteria, low.slice(first, first + criteria.size), low.length)
  }
  const list = (call: Call) => searchAmong(call, articles(), (one) => view(one, bundles), held)
  const getStock = ofArticle(({ product, variant }) => answer(200, stockView(product, variant)))
  const among = (rows: () => readonly Fields[]) => (call: Call) => searchAmong(call, rows(), (row) => row)
  const sources: readonly RouteRow[] = [
    ['GET', '/V1/inventory/sources', 'sources.list', among(() => sourceViews)],
    ['GET', '/V1/inventory/source-items', 'source-items.list', among(sourceItems)],
    ['POST', '/V1/inventory/source-items', 'source-items.save', saveSources],
    ['GET', '/V1/inventory/stocks', 'stocks.list', among(() => stocks)],
    ['GET', '/V1/inventory/stock-source-links', 'stock-source-links.list', among(() => links)],
    ['GET', '/V1/inventory/export-stock-salable-qty/website/base', 'salable.list', among(salable)],
  ]
  return [
    ['GET', '/V1/products', 'products.list', list],
    ['POST', '/V1/products', 'products.save', save],
    ['POST', '/V1/products/base-prices', 'prices.set', setPrices],
    ['GET', '/V1/products/attributes', 'attributes.list', among(() => [colour])],
    ['GET', '/V1/stockItems/lowStock/', 'stock.low', lowStock],
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
