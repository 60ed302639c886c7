import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import { bodyOf, type Fields, fieldsIn, fieldsOf, idIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { salesChannelOf } from './auth.ts'
import { setStock } from './inventory.ts'
import { pageById } from './pages.ts'
import { getProduct, inFull, pathOf } from './products.ts'
import type { MedusaShop } from './settings.ts'
import { isPlain, toProduct } from './translate-product.ts'

/** Sent again, it changes nothing: the article is known by its sku, which the server keeps from being there twice. */
export async function exportProduct(shop: MedusaShop, draft: ProductDraft): Promise<RemoteProduct> {
  const known = await productWith(shop, draft.sku)
  const id = known ? idIn(known, 'id') : await create(shop, draft)
  if (known) await update(shop, known, draft)
  if (draft.quantity != null) await setStock(shop, draft.sku, draft.quantity)
  const priced = { ...shop, settings: { ...shop.settings, currency: draft.currency } }
  return toProduct(await getProduct(shop, id), priced)
}

async function productWith(shop: MedusaShop, sku: string): Promise<Fields | null> {
  const list = { ...inFull, filter: { 'variants[sku]': sku } }
  const { items } = await pageById(shop, list, { cursor: null, limit: 10 })
  return items.find((product) => recordsIn(product, 'variants').some((variant) => variant['sku'] === sku)) ?? null
}

const statuses = { active: 'published', draft: 'draft', archived: 'draft', inactive: 'rejected' } as const

const wordsOf = (draft: ProductDraft): Fields => ({
  title: draft.title,
  description: draft.description_html ?? '',
  status: statuses[draft.status ?? 'active'],
  ...(draft.images ? { images: draft.images.map(({ url }) => ({ url })) } : {}),
})

const priceOf = ({ price, currency }: Pick<ProductDraft, 'price' | 'currency'>): Fields => ({
  currency_code: currency.toLowerCase(),
  amount: Number(price),
})

async function create(shop: MedusaShop, draft: ProductDraft): Promise<string> {
  const only = 'Default'
  const channel = await salesChannelOf(shop)
  const variant = {
    ...{ title: draft.title, sku: draft.sku, manage_inventory: true },
    ...{ prices: [priceOf(draft)], options: { [only]: only } },
  }
  const body = {
    ...wordsOf(draft),
    // Titles are no names: two products may share one.
    handle: draft.sku.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    options: [{ title: only, values: [only] }],
    variants: [variant],
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
  bodyOf(await shop.remote.request({ method: 'POST', path: own, body: wordsOf(draft), repeatable: true }))
  const variant = fieldsOf(recordsIn(product, 'variants').find(({ sku }) => sku === draft.sku))
  const request = { path: `${own}/variants/${idIn(variant, 'id')}`, body: { prices: pricesWith(variant, draft) } }
  bodyOf(await shop.remote.request({ method: 'POST', repeatable: true, ...request }))
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
