import { articlesOf, nameOfArticle, optionsOf, type ProductDraft, type RemoteProduct } from '../../commerce/product.ts'
import { bodyOf, type Fields, fieldsIn, fieldsOf, idIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { salesChannelOf } from './auth.ts'
import { setStock } from './inventory.ts'
import { pageById } from './pages.ts'
import { getProduct, inFull, pathOf } from './products.ts'
import type { MedusaShop } from './settings.ts'
import { isPlain, toProduct } from './translate-product.ts'

/** Sent again, it changes nothing: articles are known by their sku, which the server keeps from being there twice. */
export async function exportProduct(shop: MedusaShop, draft: ProductDraft): Promise<RemoteProduct> {
  const articles = articlesOf(draft)
  const known = await productWith(
    shop,
    articles.map(({ sku }) => sku),
  )
  const id = known ? idIn(known, 'id') : await create(shop, draft)
  if (known) await update(shop, known, draft)
  for (const { sku, quantity } of articles) if (quantity !== null) await setStock(shop, sku, quantity)
  const priced = { ...shop, settings: { ...shop.settings, currency: draft.currency } }
  return toProduct(await getProduct(shop, id), priced)
}

const skusOf = (product: Fields) => recordsIn(product, 'variants').map(({ sku }) => sku)

async function productWith(shop: MedusaShop, skus: readonly string[]): Promise<Fields | null> {
  const found = new Map<string, Fields>()
  for (const sku of skus) {
    const list = { ...inFull, filter: { 'variants[sku]': sku } }
    const { items } = await pageById(shop, list, { cursor: null, limit: 10 })
    for (const product of items) if (skusOf(product).includes(sku)) found.set(idIn(product, 'id'), product)
  }
  const [product = null, ...others] = found.values()
  if (others.length > 0) throw refused(say('several_products'))
  return product
}

const statuses = { active: 'published', draft: 'draft', archived: 'draft', inactive: 'rejected' } as const

/** What is not sent stays as it is. */
const wordsOf = ({ title, description_html: description, status, images }: ProductDraft): Fields => ({
  title,
  ...(description == null ? {} : { description }),
  ...(status === undefined ? {} : { status: statuses[status] }),
  ...(images ? { images: images.map(({ url }) => ({ url })) } : {}),
})

const priceOf = ({ price, currency }: Pick<ProductDraft, 'price' | 'currency'>): Fields => ({
  currency_code: currency.toLowerCase(),
  amount: Number(price),
})

/** The server wants something to choose, even where there is nothing. */
const only = { name: 'Default', value: 'Default' }

async function create(shop: MedusaShop, draft: ProductDraft): Promise<string> {
  const channel = await salesChannelOf(shop)
  const sold = articlesOf(draft).map((one) => ({ ...one, title: nameOfArticle(one, draft.title) }))
  const articles = sold.map((one) => (one.options.length > 0 ? one : { ...one, options: [only] }))
  const variants = articles.map(({ sku, title, price, options }) => ({
    ...{ title, sku, manage_inventory: true, prices: [priceOf({ price, currency: draft.currency })] },
    options: Object.fromEntries(options.map(({ name, value }) => [name, value])),
  }))
  const body = {
    ...wordsOf({ ...draft, status: draft.status ?? 'active' }),
    // Titles are no names: two products may share one.
    handle: draft.sku.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    options: optionsOf(articles).map(({ name, values }) => ({ title: name, values })),
    variants,
    ...(channel === null ? {} : { sales_channels: [{ id: channel }] }),
  }
  const profile = await shippingProfileOf(shop)
  const send = (whole: Fields) => shop.remote.request({ method: 'POST', path: inFull.path, body: whole })
  const sent = await send(profile === null ? body : { ...body, shipping_profile_id: profile })
  // Servers before 2.4 know no such field, and have made nothing then.
  const isUnknown = sent.status === 400 && JSON.stringify(sent.body).includes('Unrecognized')
  const answer = bodyOf(isUnknown ? await send(body) : sent)
  return textIn(fieldsIn(fieldsOf(answer), 'product'), 'id')
}

/** What has none cannot be bought: no way of sending fits it. */
async function shippingProfileOf({ remote }: MedusaShop): Promise<string | null> {
  const answer = await remote.request({ method: 'GET', path: '/admin/shipping-profiles', query: { limit: 50 } })
  const profiles = recordsIn(fieldsOf(bodyOf(answer)), 'shipping_profiles')
  const defaultProfile = profiles.find(({ type }) => type === 'default') ?? profiles[0]
  return defaultProfile ? idIn(defaultProfile, 'id') : null
}

async function update(shop: MedusaShop, product: Fields, draft: ProductDraft): Promise<void> {
  const own = pathOf(idIn(product, 'id'))
  const articles = articlesOf(draft)
  // Products are made with all their variants at once: these were chosen otherwise by somebody in the shop.
  const missing = articles.find(({ sku }) => !skusOf(product).includes(sku))
  if (missing) throw refused(say('variant_missing', { sku: missing.sku }))
  bodyOf(await shop.remote.request({ method: 'POST', path: own, body: wordsOf(draft), repeatable: true }))
  for (const { sku, price } of articles) {
    const variant = fieldsOf(recordsIn(product, 'variants').find((one) => one['sku'] === sku))
    const body = { prices: pricesWith(variant, { price, currency: draft.currency }) }
    const path = `${own}/variants/${idIn(variant, 'id')}`
    bodyOf(await shop.remote.request({ method: 'POST', path, body, repeatable: true }))
  }
}

/** The prices of a variant are sent all together: those that are not named would be gone. */
export function pricesWith(variant: Fields, wanted: Pick<ProductDraft, 'price' | 'currency'>): Fields[] {
  const there = recordsIn({ rows: variant['prices'] ?? [] }, 'rows')
  const kept = there
    .filter((price) => !isPlain(price, wanted.currency))
    .map(({ currency_code, amount, min_quantity, max_quantity, rules }) => ({
      ...{ currency_code, amount },
      ...(min_quantity == null ? {} : { min_quantity }),
      ...(max_quantity == null ? {} : { max_quantity }),
      ...(Object.keys(fieldsOf(rules ?? {})).length === 0 ? {} : { rules }),
    }))
  return [...kept, priceOf(wanted)]
}
