import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsIn, idIn, maybeFields, recordsIn, timeIn, timeOf } from '../../commerce/reading.ts'
import { ask } from './ask.ts'
import { byIds, pageOf, since } from './pages.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: (shop, remoteId) => getProduct(shop, remoteId),
  translate: toProduct,
}

const productFields = `
fragment ProductFields on Product {
  id name slug description enabled createdAt updatedAt
  assets { name source }
  optionGroups { name options { name } }
  variants {
    id sku name enabled createdAt updatedAt price currencyCode trackInventory
    prices { currencyCode price }
    options { name group { name } }
  }
}`

const listQuery = `query Products($options: ProductListOptions) {
  products(options: $options) { totalItems items { ...ProductFields } }
}${productFields}`

const productQuery = `query Product($id: ID!) { product(id: $id) { ...ProductFields } }${productFields}`

const variantsQuery = `query Variants($options: ProductVariantListOptions) {
  productVariants(options: $options) { totalItems items { id createdAt updatedAt product { id updatedAt } } }
}`

const inFull = { query: listQuery, name: 'products' }

export const getProduct = async (shop: VendureShop, remoteId: string): Promise<Fields | null> =>
  maybeFields(await ask(shop, productQuery, { id: remoteId }), 'product')

const productsFirst = 'p'
const variantsThen = 'v'

/** What has changed is first the products, then those of which only a variant has. */
export async function listProducts(shop: VendureShop, query: ReadQuery): Promise<RawPage> {
  if (query.updatedSince === null) return await pageOf(shop, inFull, query)
  const from = timeOf(query.updatedSince)
  const [stage = productsFirst, ...rest] = query.cursor?.split('|') ?? []
  const inner = { cursor: rest.join('|') || null, limit: query.limit }
  const list =
    stage === variantsThen ? await changedByVariant(shop, from, inner) : await changedItself(shop, from, inner)
  if (list.next !== null) return { ...list, next: `${stage}|${list.next}` }
  return { ...list, next: stage === productsFirst ? variantsThen : null }
}

type Place = Pick<ReadQuery, 'cursor' | 'limit'>

async function changedItself(shop: VendureShop, from: string, place: Place): Promise<RawPage> {
  const page = await pageOf(shop, { ...inFull, filter: { updatedAt: since(from) } }, place)
  return { ...page, items: page.items.filter((product) => timeIn(product, 'updatedAt') >= from), total: null }
}

/** Each once: with the first of its variants that has changed. */
async function changedByVariant(shop: VendureShop, from: string, place: Place): Promise<RawPage> {
  const list = { query: variantsQuery, name: 'productVariants', filter: { updatedAt: since(from) } }
  const page = await pageOf(shop, list, place)
  const ids = page.items.flatMap((variant) => {
    const product = fieldsIn(variant, 'product')
    return timeIn(product, 'updatedAt') >= from ? [] : [idIn(product, 'id')]
  })
  const here = new Set(page.items.map((variant) => idIn(variant, 'id')))
  const products = await byIds(shop, inFull, [...new Set(ids)])
  const items = products.filter((product) => {
    const [first] = recordsIn(product, 'variants')
      .filter((variant) => timeIn(variant, 'updatedAt') >= from)
      .map((variant) => `${timeIn(variant, 'createdAt')} ${idIn(variant, 'id')}`)
      .sort()
    return first !== undefined && here.has(first.slice(first.indexOf(' ') + 1))
  })
  return { items, next: page.next, total: null }
}
