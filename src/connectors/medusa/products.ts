import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsIn, idIn, recordsIn, timeIn, timeOf } from '../../commerce/reading.ts'
import { byIds, oneAt, pageBy } from './pages.ts'
import type { MedusaShop } from './settings.ts'

const path = '/admin/products'
export const pathOf = (remoteId: string) => `${path}/${encodeURIComponent(remoteId)}`

const fields = [
  'id,title,subtitle,description,handle,status,thumbnail,created_at,updated_at,*images,*options,*options.values,*type,*tags',
  '*variants,*variants.prices,*variants.options,*variants.options.option,*variants.inventory_items',
].join(',')

export const inFull = { path, name: 'products', fields }
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
