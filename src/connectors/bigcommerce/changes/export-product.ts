import type { Operation } from '../../../commerce/connector.ts'
import type { ProductDraft } from '../../../commerce/product.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { ask } from '../ask.ts'
import { variantBySku } from '../find-by-sku.ts'
import { setLevels } from '../set-levels.ts'
import type { BigShop } from '../settings.ts'
import { setImages } from './set-images.ts'

/** The id of the product that now says so. No sku is there twice: sending it again finds what was made. */
export async function exportProduct(shop: BigShop, draft: ProductDraft, operation: Operation): Promise<string> {
  const currency = textIn(fieldsOf(await ask(shop, { path: '/v2/store' })), 'currency')
  if (currency !== draft.currency) throw refused(`Prices in this shop are in ${currency}.`)
  const variant = await variantBySku(shop, draft.sku)
  return variant ? await changeProduct(shop, draft, { variant, operation }) : await makeProduct(shop, draft)
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
  const body = {
    ...shared({ ...draft, status: draft.status ?? 'active' }),
    type: 'physical',
    sku: draft.sku,
    price: Number(draft.price),
    // Required; we do not know it.
    weight: 0,
    ...(draft.quantity == null ? {} : { inventory_tracking: 'product', inventory_level: draft.quantity }),
  }
  const made = fieldsOf(await ask(shop, { method: 'POST', path: '/v3/catalog/products', body }))
  return idIn(fieldsIn(made, 'data'), 'id')
}

/** The price belongs to the variant; other variants of the product are left alone. */
async function changeProduct(
  shop: BigShop,
  draft: ProductDraft,
  { variant, operation }: { variant: Fields; operation: Operation },
): Promise<string> {
  const id = idIn(variant, 'product_id')
  const path = `/v3/catalog/products/${id}`
  const { images: _, ...product } = shared(draft)
  await ask(shop, { method: 'PUT', path, body: product, repeatable: true })
  if (draft.images) await setImages(shop, id, draft.images)
  const price = { price: Number(draft.price) }
  await ask(shop, { method: 'PUT', path: `${path}/variants/${idIn(variant, 'id')}`, body: price, repeatable: true })
  if (draft.quantity != null) {
    const [result] = await setLevels(shop, [{ sku: draft.sku, quantity: draft.quantity }], operation)
    if (result?.error) throw refused(result.error)
  }
  return id
}
