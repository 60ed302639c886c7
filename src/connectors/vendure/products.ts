import type { RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import { type Fields, fieldsIn, idIn, maybeFields, recordsIn, textIn, timeIn, timeOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { unitsOf } from './amounts.ts'
import { ask, change } from './ask.ts'
import { levelInput, variantsBySku } from './inventory.ts'
import { byIds, pageOf, since } from './pages.ts'
import type { VendureShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

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

const createMutation = `mutation CreateProduct($input: CreateProductInput!) { createProduct(input: $input) { id } }`
const updateMutation = `mutation UpdateProduct($input: UpdateProductInput!) { updateProduct(input: $input) { id } }`
const createVariants = `mutation CreateVariants($input: [CreateProductVariantInput!]!) {
  createProductVariants(input: $input) { id }
}`
const updateVariants = `mutation UpdateVariants($input: [UpdateProductVariantInput!]!) {
  updateProductVariants(input: $input) { id }
}`

/** Sent again, it changes nothing: the article is known by its sku, and a product that was begun by its slug. */
export async function exportProduct(shop: VendureShop, draft: ProductDraft): Promise<RemoteProduct> {
  const { currency = draft.currency } = shop.settings
  if (draft.currency !== currency) throw refused(`Prices in this channel are in ${currency}.`)
  if (draft.images && draft.images.length > 0) throw refused('The server takes no pictures by their address.')
  const price = unitsOf(draft.price, shop)
  if (price === null) throw refused(`"${draft.price}" is finer than the server can store.`)
  const [known] = await variantsBySku(shop, [draft.sku])
  const product = known ? idIn(fieldsIn(known, 'product'), 'id') : await begun(shop, draft)
  const id = product ?? (await create(shop, draft))
  if (product !== null) await change(shop, 'updateProduct', updateMutation, { input: { id, ...wordsOf(shop, draft) } })
  const stock =
    draft.quantity == null ? {} : { stockLevels: [await levelInput(shop, known ?? null, { quantity: draft.quantity })] }
  if (known) {
    const input = [{ id: idIn(known, 'id'), price, ...stock }]
    await change(shop, 'updateProductVariants', updateVariants, { input })
  } else {
    const translations = [{ languageCode: languageOf(shop), name: draft.title }]
    const input = [{ productId: id, sku: draft.sku, price, translations, ...stock }]
    await change(shop, 'createProductVariants', createVariants, { input })
  }
  return toProduct(await getProduct(shop, id), shop)
}

const languageOf = ({ settings: { language = 'en' } }: VendureShop) => language

const slugOf = (sku: string): string => sku.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const wordsOf = (shop: VendureShop, draft: ProductDraft): Fields => ({
  enabled: (draft.status ?? 'active') === 'active',
  translations: [{ languageCode: languageOf(shop), name: draft.title, description: draft.description_html ?? '' }],
})

async function create(shop: VendureShop, draft: ProductDraft): Promise<string> {
  const { enabled } = wordsOf(shop, draft)
  const words = {
    languageCode: languageOf(shop),
    name: draft.title,
    slug: slugOf(draft.sku),
    description: draft.description_html ?? '',
  }
  return textIn(
    await change(shop, 'createProduct', createMutation, { input: { enabled, translations: [words] } }),
    'id',
  )
}

/** Made by an attempt that got no further. */
async function begun(shop: VendureShop, { sku }: ProductDraft): Promise<string | null> {
  const options = { take: 10, filter: { slug: { eq: slugOf(sku) } } }
  const found = recordsIn(fieldsIn(await ask(shop, listQuery, { options }), 'products'), 'items')
  const empty = found.find((product) => recordsIn(product, 'variants').length === 0)
  return empty ? idIn(empty, 'id') : null
}
