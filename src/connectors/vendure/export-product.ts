import { articlesOf, nameOfArticle, optionsOf, type ProductDraft, type RemoteProduct } from '../../commerce/product.ts'
import { type Fields, fieldsIn, idIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { unitsOf } from './amounts.ts'
import { ask, change } from './ask.ts'
import { optionIds } from './changes/option-groups.ts'
import { levelInput, variantsBySku } from './inventory.ts'
import { getProduct } from './products.ts'
import { languageOf, type VendureShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

const createMutation = `mutation CreateProduct($input: CreateProductInput!) { createProduct(input: $input) { id } }`
const updateMutation = `mutation UpdateProduct($input: UpdateProductInput!) { updateProduct(input: $input) { id } }`
const createVariants = `mutation CreateVariants($input: [CreateProductVariantInput!]!) {
  createProductVariants(input: $input) { id }
}`
const updateVariants = `mutation UpdateVariants($input: [UpdateProductVariantInput!]!) {
  updateProductVariants(input: $input) { id }
}`
const bySlug = `query Begun($options: ProductListOptions) {
  products(options: $options) { items { id variants { id } } }
}`

/** Sent again, it changes nothing: articles are known by their sku, and a product that was begun by its slug. */
export async function exportProduct(shop: VendureShop, draft: ProductDraft): Promise<RemoteProduct> {
  const { currency = draft.currency } = shop.settings
  if (draft.currency !== currency) throw refused(say('prices_in', { currency }))
  const articles = articlesOf(draft).map((one) => ({ ...one, units: inUnits(one.price, shop) }))
  const found = await variantsBySku(
    shop,
    articles.map(({ sku }) => sku),
  )
  const known = new Map(found.map((variant) => [variant['sku'], variant]))
  const [owner, ...others] = new Set(found.map((variant) => idIn(fieldsIn(variant, 'product'), 'id')))
  if (others.length > 0) throw refused(say('several_products'))
  const product = owner ?? (await begun(shop, draft))
  const id = product ?? (await create(shop, draft))
  if (product !== null)
    await change(shop, 'updateProduct', updateMutation, { input: { id, ...changesOf(shop, draft) } })
  const missing = articles.filter(({ sku }) => !known.has(sku))
  const options = missing.some((one) => one.options.length > 0)
    ? await optionIds(shop, { product: id, sku: draft.sku, wanted: optionsOf(missing), isSold: owner !== undefined })
    : new Map<string, string>()
  const made: Fields[] = []
  const changed: Fields[] = []
  for (const { sku, units: price, quantity, options: chosen } of articles) {
    const variant = known.get(sku) ?? null
    const stock = quantity === null ? {} : { stockLevels: [await levelInput(shop, variant, { quantity })] }
    if (variant) changed.push({ id: idIn(variant, 'id'), price, ...stock })
    else {
      const translations = [{ languageCode: languageOf(shop), name: nameOf(draft, chosen) }]
      const optionIds = chosen.flatMap(({ name, value }) => options.get(`${name}\n${value}`) ?? [])
      const choice = optionIds.length > 0 ? { optionIds } : {}
      made.push({ productId: id, sku, price, translations, ...choice, ...stock })
    }
  }
  if (changed.length > 0) await change(shop, 'updateProductVariants', updateVariants, { input: changed })
  if (made.length > 0) await change(shop, 'createProductVariants', createVariants, { input: made })
  return toProduct(await getProduct(shop, id), shop)
}

/** Buyers see the name of the variant alone. */
const nameOf = ({ title }: ProductDraft, options: RemoteProduct['variants'][number]['options']): string =>
  options.length === 0 ? title : `${title} ${nameOfArticle({ options }, title)}`

function inUnits(price: string, shop: VendureShop): number {
  const units = unitsOf(price, shop)
  if (units === null) throw refused(say('price_too_fine', { price }))
  return units
}

const slugOf = (sku: string): string => sku.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** What is not sent stays as it is. */
const changesOf = (shop: VendureShop, { title, description_html: description, status }: ProductDraft): Fields => ({
  ...(status === undefined ? {} : { enabled: status === 'active' }),
  translations: [{ languageCode: languageOf(shop), name: title, ...(description == null ? {} : { description }) }],
})

async function create(shop: VendureShop, draft: ProductDraft): Promise<string> {
  const { status = 'active' } = draft
  const words = {
    languageCode: languageOf(shop),
    name: draft.title,
    slug: slugOf(draft.sku),
    description: draft.description_html ?? '',
  }
  const input = { enabled: status === 'active', translations: [words] }
  return textIn(await change(shop, 'createProduct', createMutation, { input }), 'id')
}

/** Made by an attempt that got no further. */
async function begun(shop: VendureShop, { sku }: ProductDraft): Promise<string | null> {
  const options = { take: 10, filter: { slug: { eq: slugOf(sku) } } }
  const found = recordsIn(maybeFields(await ask(shop, bySlug, { options }), 'products') ?? { items: [] }, 'items')
  const empty = found.find((product) => recordsIn(product, 'variants').length === 0)
  return empty ? idIn(empty, 'id') : null
}
