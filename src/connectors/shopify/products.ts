import { createHash } from 'node:crypto'
import type { IndexPage, IndexWindow, Operation, Products, RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import { type Fields, fieldsIn, fieldsOf, maybeFields, recordsIn, textIn, timeIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isRightsMissing } from '../../commerce/rules/rights.ts'
import { ask, askSized, change, isGid, nextIn, nodesIn, since, within } from './ask.ts'
import { beginList, countIn } from './bulk/begin-list.ts'
import { cursorOf, type PagePlace, placeOf } from './bulk/cursor.ts'
import { bulkPage } from './bulk/products.ts'
import {
  bulkProducts,
  moreVariants,
  oneProduct,
  productCount,
  productIndex,
  productPage,
  publish,
  salesChannels,
  setPrice,
  setProduct,
  shopBooks,
} from './documents/products.ts'
import { variantsBySku } from './find-by-sku.ts'
import { setLevels } from './set-levels.ts'
import type { Credentials, Settings, ShopifyShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

const maxProducts = 50
/** Each may have many variants, of which pages of products contain only the first. */
const inBulk = { count: productCount, name: 'productsCount', bulk: bulkProducts, many: 2000 }

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  translate: toProduct,
  index: indexProducts,
  export: { repeatable: true, send: exportProduct },
}

async function listProducts(shop: ShopifyShop, query: ReadQuery): Promise<RawPage> {
  const begun = query.cursor === null ? await beginList(shop, query, inBulk) : placeOf(query.cursor)
  if ('items' in begun) return begun
  return 'operation' in begun ? await bulkPage(shop, begun, query.limit) : await readPage(shop, query, begun)
}

async function readPage(shop: ShopifyShop, { updatedSince, limit }: ReadQuery, place: PagePlace): Promise<RawPage> {
  const { data, first } = await askSized(shop, productPage, {
    first: Math.min(limit, place.first ?? maxProducts),
    after: place.after,
    query: since(updatedSince),
    count: place.after === null,
  })
  const page = fieldsIn(data, 'products')
  const items: Fields[] = []
  for (const product of recordsIn(page, 'nodes')) items.push(await completeProduct(shop, data, product))
  const next = nextIn(page)
  const size = first < Math.min(limit, maxProducts) ? first : place.first
  return {
    items,
    next: next === null ? null : cursorOf({ first: size, after: next }),
    total: countIn(data, 'productsCount'),
  }
}

/** With all its variants, and with the currency, which stands at the shop. */
async function completeProduct(shop: ShopifyShop, data: Fields, product: Fields): Promise<Fields> {
  const reported = fieldsIn(product, 'variants')
  const nodes = [...recordsIn(reported, 'nodes')]
  for (let after = nextIn(reported); after !== null; ) {
    const holder = maybeFields(await ask(shop, moreVariants, { id: textIn(product, 'id'), after }), 'product')
    if (holder === null) break
    nodes.push(...recordsIn(fieldsIn(holder, 'variants'), 'nodes'))
    after = nextIn(fieldsIn(holder, 'variants'))
  }
  const currencyCode = textIn(fieldsIn(data, 'shop'), 'currencyCode')
  return { ...product, currencyCode, variants: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } }
}

async function getProduct(shop: ShopifyShop, remoteId: string): Promise<Fields | null> {
  if (!isGid(remoteId, 'Product')) return null
  const data = await ask(shop, oneProduct, { id: remoteId })
  const product = maybeFields(data, 'product')
  return product && (await completeProduct(shop, data, product))
}

async function indexProducts(shop: ShopifyShop, window: IndexWindow): Promise<IndexPage> {
  const page = fieldsIn(await ask(shop, productIndex, { after: window.cursor, query: within(window) }), 'products')
  const items = recordsIn(page, 'nodes').map((one) => ({
    remoteId: textIn(one, 'id'),
    version: timeIn(one, 'updatedAt'),
  }))
  return { items, next: nextIn(page) }
}

const statuses = { active: 'ACTIVE', draft: 'DRAFT', archived: 'ARCHIVED', inactive: 'DRAFT' } as const

/**
 * A new product is made under a handle that comes from its sku alone: sent twice, it is found, even while the search does
 * not know it yet. One that the shop has keeps everything that is not sent, its other variants above all.
 */
async function exportProduct(shop: ShopifyShop, draft: ProductDraft, operation: Operation): Promise<RemoteProduct> {
  const books = await ask(shop, shopBooks)
  const currency = textIn(fieldsIn(books, 'shop'), 'currencyCode')
  if (currency !== draft.currency) throw refused(`Prices in this shop are in ${currency}.`)
  const variant = (await variantsBySku(shop, [draft.sku])).get(draft.sku)
  const id = variant
    ? await changeProduct(shop, draft, variant, operation)
    : await makeProduct(shop, draft, maybeFields(books, 'location'))
  if ((draft.status ?? (variant ? null : 'active')) === 'active') await show(shop, id)
  return toProduct(fieldsOf(await getProduct(shop, id)))
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

async function makeProduct(shop: ShopifyShop, draft: ProductDraft, main: Fields | null): Promise<string> {
  const handle = handleOf(draft.sku)
  const quantity = draft.quantity ?? null
  const stock = quantity !== null && main && { locationId: textIn(main, 'id'), name: 'available', quantity }
  const input = {
    ...shared({ ...draft, status: draft.status ?? 'active' }),
    handle,
    productOptions: [{ name: 'Title', values: [{ name: 'Default Title' }] }],
    variants: [
      {
        optionValues: [{ optionName: 'Title', name: 'Default Title' }],
        sku: draft.sku,
        price: draft.price,
        inventoryItem: { tracked: quantity !== null },
        ...(stock ? { inventoryQuantities: [stock] } : {}),
      },
    ],
  }
  const made = await change(shop, setProduct, { input, identifier: { handle } })
  return textIn(fieldsIn(made, 'product'), 'id')
}

async function changeProduct(
  shop: ShopifyShop,
  draft: ProductDraft,
  variant: Fields,
  operation: Operation,
): Promise<string> {
  const id = textIn(fieldsIn(variant, 'product'), 'id')
  await change(shop, setProduct, { input: shared(draft), identifier: { id } })
  await change(shop, setPrice, { product: id, variants: [{ id: textIn(variant, 'id'), price: draft.price }] })
  if (draft.quantity != null) {
    const [result] = await setLevels(shop, [{ sku: draft.sku, quantity: draft.quantity }], operation)
    if (result?.error) throw refused(result.error)
  }
  return id
}

function handleOf(sku: string): string {
  const words = sku.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const tail = createHash('sha256').update(sku).digest('hex').slice(0, 8)
  return `${words.slice(0, 100)}-${tail}`.replace(/^-+/, '').replace(/-{2,}/g, '-')
}
