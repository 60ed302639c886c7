import type { Products, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { compareDecimals, decimal } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import { bodyOf, type Fields, fieldsOf, idIn, maybeText } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { findBySku } from './find-by-sku.ts'
import { findOne, listAll, listChanged, readSetting } from './pages.ts'
import { type Credentials, root, type Settings, type WooShop } from './settings.ts'
import { type Measures, toProduct } from './translate-product.ts'

export const productsPath = `${root}/products`

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  translate: toProduct,
  export: { repeatable: true, send: exportProduct },
}

const readMeasures = async (shop: WooShop): Promise<Measures> => ({
  currency: await readSetting(shop, `${root}/settings/general/woocommerce_currency`),
  weightUnit: await readSetting(shop, `${root}/settings/products/woocommerce_weight_unit`),
})

/** A product of several variants names only their ids; they are asked for product by product. */
async function complete(shop: WooShop, product: Fields, measures: Measures): Promise<Fields> {
  const path = `${productsPath}/${idIn(product, 'id')}/variations`
  return { ...product, measures, variants: product['type'] === 'variable' ? await listAll(shop, path) : [] }
}

async function getProduct(shop: WooShop, remoteId: string): Promise<Fields | null> {
  const found = await findOne(shop, productsPath, remoteId)
  // By its own path a variation is found here too, but it is no product.
  if (found === null || found['type'] === 'variation') return null
  return await complete(shop, found, await readMeasures(shop))
}

async function listProducts(shop: WooShop, query: ReadQuery): Promise<RawPage> {
  // Few at a time: some of them cost a request of their own.
  const page = await listChanged(shop, productsPath, { ...query, limit: Math.min(query.limit, 50) })
  if (page.items.length === 0) return page
  const measures = await readMeasures(shop)
  const items: Fields[] = []
  for (const product of page.items) items.push(await complete(shop, fieldsOf(product), measures))
  return { ...page, items }
}

/* Making and changing -------------------------------------------------------------------------------------------- */

/** One with the same SKU is changed; the platform refuses a second one, so that twice does no harm. */
async function exportProduct(shop: WooShop, draft: ProductDraft): Promise<RemoteProduct> {
  const measures = await readMeasures(shop)
  if (draft.currency !== measures.currency) throw refused(`Prices in this shop are in ${measures.currency}.`)
  const [known, ...others] = await findBySku(shop, [draft.sku])
  if (others.length > 0) throw refused('Several articles of the shop have this SKU.')
  if (!known) {
    const body = { type: 'simple', sku: draft.sku, ...shownOf(draft), ...imagesOf(draft), ...soldOf(draft) }
    const made = fieldsOf(bodyOf(await shop.remote.request({ method: 'POST', path: productsPath, body })))
    return toProduct(await complete(shop, made, measures))
  }
  const path = `${productsPath}/${known.productId}`
  const product = known.variationId ? fieldsOf(await findOne(shop, productsPath, known.productId)) : known.row
  const put = async (target: string, old: Fields, wanted: Fields) => {
    const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => old[name] !== value))
    if (Object.keys(body).length === 0) return
    bodyOf(await shop.remote.request({ method: 'PUT', path: target, body, repeatable: true }))
  }
  // Every image that is sent is copied into the shop anew, so they are sent only where there are none.
  const images = Array.isArray(product['images']) && product['images'].length > 0 ? {} : imagesOf(draft)
  const whole = { ...shownOf(draft), ...images }
  await put(path, product, known.variationId ? whole : { ...whole, ...soldOf(draft, product) })
  if (known.variationId) await put(`${path}/variations/${known.variationId}`, known.row, soldOf(draft, known.row))
  return toProduct(await getProduct(shop, known.productId))
}

const statuses = { active: 'publish', draft: 'draft', archived: 'private', inactive: 'private' } as const

/** What is not sent stays as it is. */
const shownOf = ({ title, description_html: description, status }: ProductDraft): Fields => ({
  name: title,
  ...(description == null ? {} : { description }),
  ...(status === undefined ? {} : { status: statuses[status] }),
})

const imagesOf = ({ images }: ProductDraft): Fields =>
  images && images.length > 0 ? { images: images.map(({ url, alt }) => ({ src: url, alt: alt ?? '' })) } : {}

const soldOf = ({ price, currency, quantity }: ProductDraft, now: Fields = {}): Fields => ({
  ...pricesOf(decimal(price, digitsOf(currency)), now),
  ...(quantity == null ? {} : { manage_stock: true, stock_quantity: quantity }),
})

/**
 * While an article is on sale, customers pay that price, whatever the regular one is: a new price ends the sale. The price
 * of the sale, or the one that it is reduced from, is none.
 */
function pricesOf(price: string, now: Fields): Fields {
  const sale = now['on_sale'] === true ? maybeText(now, 'sale_price') : null
  if (sale === null) return { regular_price: price }
  const regular = maybeText(now, 'regular_price') ?? sale
  const isNew = [sale, regular].every((one) => compareDecimals(decimal(one), price) !== 0)
  return isNew ? { regular_price: price, sale_price: '' } : {}
}
