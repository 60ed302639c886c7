import type { RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import {
  bodyOf,
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  recordsIn,
  textIn,
  timeIn,
  timeOf,
} from '../../commerce/reading.ts'
import { salesChannelOf } from './auth.ts'
import { setStock } from './inventory.ts'
import { byIds, oneAt, pageBy, pageById } from './pages.ts'
import type { MedusaShop } from './settings.ts'
import { isPlain, toProduct } from './translate-product.ts'

const path = '/admin/products'
const pathOf = (remoteId: string) => `${path}/${encodeURIComponent(remoteId)}`

const fields = [
  'id,title,subtitle,description,handle,status,thumbnail,created_at,updated_at,*images,*options,*options.values,*type,*tags',
  '*variants,*variants.prices,*variants.options,*variants.options.option,*variants.inventory_items',
].join(',')

const inFull = { path, name: 'products', fields }
const variants = {
  path: '/admin/product-variants',
  name: 'variants',
  fields: 'id,sku,updated_at,product.id,product.updated_at',
}

export const getProduct = (shop: MedusaShop, remoteId: string): Promise<Fields | null> =>
  oneAt(shop, pathOf(remoteId), fields, 'product')

const productsFirst = 'p'
const variantsThen = 'v'

/** What has changed is first the products, then those of which only a variant has. */
export async function listProducts(shop: MedusaShop, query: ReadQuery): Promise<RawPage> {
  if (query.updatedSince === null)
    return await pageBy('created_at', shop, inFull, { cursor: query.cursor, limit: query.limit })
  const since = timeOf(query.updatedSince)
  const [stage = productsFirst, ...rest] = query.cursor?.split('|') ?? []
  const place = { updatedSince: since, cursor: rest.join('|') || null, limit: query.limit }
  const page =
    stage === variantsThen ? await changedByVariant(shop, since, place) : await changedItself(shop, since, place)
  if (page.next !== null) return { ...page, next: `${stage}|${page.next}` }
  return { ...page, next: stage === productsFirst ? variantsThen : null }
}

type Place = { updatedSince: string; cursor: string | null; limit: number }

async function changedItself(shop: MedusaShop, since: string, place: Place): Promise<RawPage> {
  const page = await pageBy('updated_at', shop, inFull, place)
  return { ...page, items: page.items.filter((product) => timeIn(product, 'updated_at') >= since), total: null }
}

/** Each once: with the first of its variants that has changed. */
async function changedByVariant(shop: MedusaShop, since: string, place: Place): Promise<RawPage> {
  const page = await pageBy('updated_at', shop, variants, place)
  const changed = page.items.filter((variant) => timeIn(variant, 'updated_at') >= since)
  const here = new Set(changed.map((variant) => idIn(variant, 'id')))
  const ids = changed.flatMap((variant) => {
    const product = fieldsIn(variant, 'product')
    return timeIn(product, 'updated_at') >= since ? [] : [idIn(product, 'id')]
  })
  const products = await byIds(shop, inFull, [...new Set(ids)])
  const items = products.filter((product) => {
    const [first] = recordsIn(product, 'variants')
      .filter((variant) => timeIn(variant, 'updated_at') >= since)
      .map((variant) => `${timeIn(variant, 'updated_at')} ${idIn(variant, 'id')}`)
      .sort()
    return first !== undefined && here.has(first.split(' ')[1] ?? '')
  })
  return { items, next: page.next, total: null }
}

/** Told again, it changes nothing: the article is known by its sku, which the server keeps from being there twice. */
export async function exportProduct(shop: MedusaShop, draft: ProductDraft): Promise<RemoteProduct> {
  const known = await productWith(shop, draft.sku)
  const id = known ? idIn(known, 'id') : await create(shop, draft)
  if (known) await update(shop, known, draft)
  if (draft.quantity != null) await setStock(shop, draft.sku, draft.quantity)
  const told = { ...shop, settings: { ...shop.settings, currency: draft.currency } }
  return toProduct(await getProduct(shop, id), told)
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

const priceOf = ({ price, currency }: ProductDraft): Fields => ({
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
  const answer = bodyOf(await shop.remote.request({ method: 'POST', path, body }))
  return textIn(fieldsIn(fieldsOf(answer), 'product'), 'id')
}

/** The prices of a variant are told all together: those that are not named would be gone. */
async function update(shop: MedusaShop, product: Fields, draft: ProductDraft): Promise<void> {
  const own = pathOf(idIn(product, 'id'))
  bodyOf(await shop.remote.request({ method: 'POST', path: own, body: wordsOf(draft), repeatable: true }))
  const variant = fieldsOf(recordsIn(product, 'variants').find(({ sku }) => sku === draft.sku))
  const others = recordsIn({ rows: variant['prices'] ?? [] }, 'rows').filter((price) => !isPlain(price, draft.currency))
  const kept = others.map(({ currency_code, amount, min_quantity, max_quantity, rules }) => ({
    ...{ currency_code, amount },
    ...(min_quantity == null ? {} : { min_quantity }),
    ...(max_quantity == null ? {} : { max_quantity }),
    ...(rules == null ? {} : { rules }),
  }))
  const request = { path: `${own}/variants/${idIn(variant, 'id')}`, body: { prices: [...kept, priceOf(draft)] } }
  bodyOf(await shop.remote.request({ method: 'POST', repeatable: true, ...request }))
}
