import type { Operation } from '../../../commerce/connector/parts.ts'
import { type ArticleDraft, articlesOf, type ProductDraft } from '../../../commerce/product.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { BigShop } from '../settings.ts'
import { variantBySku } from '../stock/find-by-sku.ts'
import { setLevels } from '../stock/set-levels.ts'
import { setImages } from './set-images.ts'

/** The id of the product that now says so. No sku is there twice: sending it again finds what was made. */
export async function exportProduct(shop: BigShop, draft: ProductDraft, operation: Operation): Promise<string> {
  const currency = textIn(fieldsOf(await ask(shop, { path: '/v2/store' })), 'currency')
  if (currency !== draft.currency) throw refused(say('prices_in', { currency }))
  const known = new Map<string, Fields>()
  for (const { sku } of articlesOf(draft)) {
    const variant = await variantBySku(shop, sku)
    if (variant) known.set(sku, variant)
  }
  const [id, ...others] = new Set([...known.values()].map((variant) => idIn(variant, 'product_id')))
  if (others.length > 0) throw refused(say('several_products'))
  if (id === undefined) return await makeProduct(shop, draft)
  await changeProduct(shop, { id, draft, known }, operation)
  return id
}

const shared = ({ title, description_html: description, status, images }: ProductDraft): Fields => ({
  name: title,
  ...(description == null ? {} : { description }),
  ...(status === undefined ? {} : { is_visible: status === 'active' }),
  ...(images
    ? { images: images.map(({ url, alt }, n) => ({ image_url: url, description: alt ?? '', sort_order: n })) }
    : {}),
})

async function makeProduct(shop: BigShop, draft: ProductDraft): Promise<string> {
  const { variants } = draft
  const tracking = articlesOf(draft).some(({ quantity }) => quantity !== null)
  const body = {
    ...shared({ ...draft, status: draft.status ?? 'active' }),
    type: 'physical',
    sku: draft.sku,
    price: Number(draft.price),
    // Required; we do not know it.
    weight: 0,
    ...(tracking ? { inventory_tracking: variants ? 'variant' : 'product' } : {}),
    ...(draft.quantity == null ? {} : { inventory_level: draft.quantity }),
    ...(variants ? { variants: articlesOf(draft).map(newVariant) } : {}),
  }
  const made = fieldsOf(await ask(shop, { method: 'POST', path: '/v3/catalog/products', body }))
  return idIn(fieldsIn(made, 'data'), 'id')
}

const newVariant = ({ sku, price, quantity, options }: ArticleDraft): Fields => ({
  ...{ sku, price: Number(price), ...(quantity === null ? {} : { inventory_level: quantity }) },
  option_values: options.map(({ name, value }) => ({ option_display_name: name, label: value })),
})

interface Changing {
  id: string
  draft: ProductDraft
  known: ReadonlyMap<string, Fields>
}

/** Prices belong to variants; other variants of the product are left alone. */
async function changeProduct(shop: BigShop, { id, draft, known }: Changing, operation: Operation): Promise<void> {
  const articles = articlesOf(draft)
  // Products are made with all their variants at once: these were chosen otherwise by somebody in the store.
  const missing = articles.find(({ sku }) => !known.has(sku))
  if (missing) throw refused(say('variant_missing', { sku: missing.sku }))
  const path = `/v3/catalog/products/${id}`
  const { images: _, ...product } = shared(draft)
  await ask(shop, { method: 'PUT', path, body: product, repeatable: true })
  if (draft.images) await setImages(shop, id, draft.images)
  for (const { sku, price } of articles) {
    const variant = known.get(sku)
    if (!variant) continue
    const body = { price: Number(price) }
    await ask(shop, { method: 'PUT', path: `${path}/variants/${idIn(variant, 'id')}`, body, repeatable: true })
  }
  const counted = articles.flatMap(({ sku, quantity }) => (quantity === null ? [] : [{ sku, quantity }]))
  const results = counted.length === 0 ? [] : await setLevels(shop, counted, operation)
  const reason = results.find(({ ok }) => !ok)?.error
  if (reason) throw refused(reason)
}
