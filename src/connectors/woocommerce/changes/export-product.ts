import { compareDecimals, decimal } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { type ArticleDraft, articlesOf, type ProductDraft } from '../../../commerce/product.ts'
import { bodyOf, type Fields, fieldsOf, idIn, maybeText } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { findBySku } from '../find-by-sku.ts'
import { findOne } from '../pages.ts'
import { productsPath, type WooShop } from '../settings.ts'
import { plain } from '../values.ts'

/** The id of the product that now says so. One with the same SKU is changed; the platform refuses a second one, so that twice does no harm. */
export async function exportProduct(shop: WooShop, draft: ProductDraft): Promise<string> {
  const [known, ...others] = await findBySku(shop, [draft.sku])
  if (others.length > 0) throw refused(say('skus_ambiguous'))
  const [article] = articlesOf(draft)
  const sold = (now?: Fields) => (article ? soldOf(article, draft, now) : {})
  if (!known) {
    const body = { type: 'simple', sku: draft.sku, ...shownOf(draft), ...imagesOf(draft), ...sold() }
    return idIn(fieldsOf(bodyOf(await shop.remote.request({ method: 'POST', path: productsPath, body }))), 'id')
  }
  const path = `${productsPath}/${known.productId}`
  const product = known.variationId ? fieldsOf(await findOne(shop, productsPath, known.productId)) : known.row
  const whole = changedWords(draft, product)
  await put(shop, path, product, known.variationId ? whole : { ...whole, ...sold(product) })
  if (known.variationId) await put(shop, `${path}/variations/${known.variationId}`, known.row, sold(known.row))
  return known.productId
}

const isSameName = (wanted: unknown, held: unknown): boolean =>
  typeof wanted === 'string' && typeof held === 'string' && plain(wanted) === plain(held)

/** What differs is sent, and nothing where nothing does. */
export async function put({ remote }: WooShop, path: string, old: Fields, wanted: Fields): Promise<void> {
  const isSo = (name: string, value: unknown) =>
    old[name] === value || (name === 'name' && isSameName(value, old[name]))
  const body = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSo(name, value)))
  if (Object.keys(body).length === 0) return
  bodyOf(await remote.request({ method: 'PUT', path, body, repeatable: true }))
}

const statuses = { active: 'publish', draft: 'draft', archived: 'private', inactive: 'private' } as const

/** What is not sent stays as it is. */
export const shownOf = ({ title, description_html: description, status }: ProductDraft): Fields => ({
  name: title,
  ...(description == null ? {} : { description }),
  ...(status === undefined ? {} : { status: statuses[status] }),
})

export const imagesOf = ({ images }: ProductDraft): Fields =>
  images && images.length > 0 ? { images: images.map(({ url, alt }) => ({ src: url, alt: alt ?? '' })) } : {}

/** Every image that is sent is copied into the shop anew, so they are sent only where there are none. */
export const changedWords = (draft: ProductDraft, product: Fields): Fields => ({
  ...shownOf(draft),
  ...(Array.isArray(product['images']) && product['images'].length > 0 ? {} : imagesOf(draft)),
})

export const soldOf = (
  { price, quantity }: Pick<ArticleDraft, 'price' | 'quantity'>,
  { currency }: Pick<ProductDraft, 'currency'>,
  now: Fields = {},
): Fields => ({
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
