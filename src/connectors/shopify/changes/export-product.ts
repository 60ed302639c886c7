import { createHash } from 'node:crypto'
import type { Operation } from '../../../commerce/connector/parts.ts'
import { type ArticleDraft, articlesOf, optionsOf, type ProductDraft } from '../../../commerce/product.ts'
import { type Fields, fieldsIn, maybeFields, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { isRightsMissing } from '../../../commerce/rules/rights.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change, nodesIn } from '../ask.ts'
import { addVariants, publish, salesChannels, setPrice, setProduct, shopBooks } from '../documents/products.ts'
import type { ShopifyShop } from '../settings.ts'
import { variantsBySku } from './find-by-sku.ts'
import { setLevels } from './set-levels.ts'

const statuses = { active: 'ACTIVE', draft: 'DRAFT', archived: 'ARCHIVED', inactive: 'DRAFT' } as const

/**
 * The id of the product that now says so. A new one is made under a handle that comes from its sku alone: sent twice, it is
 * found, even while the search does not know it yet. One that the shop has keeps everything that is not sent, its other
 * variants above all.
 */
export async function exportProduct(shop: ShopifyShop, draft: ProductDraft, operation: Operation): Promise<string> {
  const books = await ask(shop, shopBooks)
  const currency = textIn(fieldsIn(books, 'shop'), 'currencyCode')
  if (currency !== draft.currency) throw refused(say('prices_in', { currency }))
  const articles = articlesOf(draft)
  const skus = articles.map(({ sku }) => sku)
  const known = await variantsBySku(shop, skus)
  const [id, ...others] = new Set([...known.values()].map((variant) => textIn(fieldsIn(variant, 'product'), 'id')))
  if (others.length > 0) throw refused(say('several_products'))
  const main = maybeFields(books, 'location')
  const place = main && textIn(main, 'id')
  const product = id ?? (await makeProduct(shop, draft, place))
  if (id !== undefined) await changeProduct(shop, { id, draft, known, place }, operation)
  if ((draft.status ?? (id === undefined ? 'active' : null)) === 'active') await show(shop, product)
  return product
}

/**
 * What is made by API is in no sales channel: active, and nobody sees it. It goes to all that the shop has, as products do that
 * are made on its own pages. An app without the scope leaves that to the merchant: the product has no address then.
 */
async function show(shop: ShopifyShop, id: string): Promise<void> {
  try {
    const channels = nodesIn(await ask(shop, salesChannels), 'publications')
    const input = channels.map((channel) => ({ publicationId: textIn(channel, 'id') }))
    if (input.length > 0) await change(shop, publish, { id, input })
  } catch (error) {
    if (!isRightsMissing(error)) throw error
  }
}

const shared = ({ title, description_html: description, status, images }: ProductDraft): Fields => ({
  title,
  ...(description == null ? {} : { descriptionHtml: description }),
  ...(status === undefined ? {} : { status: statuses[status] }),
  ...(images ? { files: images.map(({ url, alt }) => ({ originalSource: url, alt: alt ?? '' })) } : {}),
})

/** How the platform calls the only variant of a product. */
const only = [{ name: 'Title', value: 'Default Title' }]

const chosen = ({ options }: ArticleDraft): Fields[] =>
  (options.length > 0 ? options : only).map(({ name, value }) => ({ optionName: name, name: value }))

async function makeProduct(shop: ShopifyShop, draft: ProductDraft, place: string | null): Promise<string> {
  const handle = handleOf(draft.sku)
  const articles = articlesOf(draft)
  const options = draft.variants ? optionsOf(articles) : [{ name: 'Title', values: ['Default Title'] }]
  const input = {
    ...shared({ ...draft, status: draft.status ?? 'active' }),
    handle,
    productOptions: options.map(({ name, values }) => ({ name, values: values.map((value) => ({ name: value })) })),
    variants: articles.map((article) => ({
      optionValues: chosen(article),
      sku: article.sku,
      price: article.price,
      inventoryItem: { tracked: article.quantity !== null },
      ...(article.quantity === null || place === null
        ? {}
        : { inventoryQuantities: [{ locationId: place, name: 'available', quantity: article.quantity }] }),
    })),
  }
  const made = await change(shop, setProduct, { input, identifier: { handle } })
  return textIn(fieldsIn(made, 'product'), 'id')
}

interface Changing {
  id: string
  draft: ProductDraft
  known: ReadonlyMap<string, Fields>
  place: string | null
}

async function changeProduct(
  shop: ShopifyShop,
  { id, draft, known, place }: Changing,
  operation: Operation,
): Promise<void> {
  await change(shop, setProduct, { input: shared(draft), identifier: { id } })
  const articles = articlesOf(draft)
  const priced = articles.flatMap(({ sku, price }) => {
    const variant = known.get(sku)
    return variant ? [{ id: textIn(variant, 'id'), price }] : []
  })
  await change(shop, setPrice, { product: id, variants: priced })
  const missing = articles.filter(({ sku }) => !known.has(sku)).map((article) => newVariant(article, place))
  if (missing.length > 0) await change(shop, addVariants, { product: id, variants: missing })
  const counted = articles.flatMap(({ sku, quantity }) =>
    quantity === null || !known.has(sku) ? [] : [{ sku, quantity }],
  )
  const results = counted.length === 0 ? [] : await setLevels(shop, counted, operation)
  const reason = results.find(({ ok }) => !ok)?.error
  if (reason) throw refused(reason)
}

const newVariant = (article: ArticleDraft, place: string | null): Fields => ({
  optionValues: chosen(article),
  price: article.price,
  inventoryItem: { sku: article.sku, tracked: article.quantity !== null },
  ...(article.quantity === null || place === null
    ? {}
    : { inventoryQuantities: [{ locationId: place, availableQuantity: article.quantity }] }),
})

function handleOf(sku: string): string {
  const words = sku.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const tail = createHash('sha256').update(sku).digest('hex').slice(0, 8)
  return `${words.slice(0, 100)}-${tail}`.replace(/^-+/, '').replace(/-{2,}/g, '-')
}
