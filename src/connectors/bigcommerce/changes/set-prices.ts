import {
  changePrices,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, fieldsOf, idIn, maybeText } from '../../../commerce/reading.ts'
import { refusalReason } from '../../../commerce/remote.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, askPage, isId } from '../ask.ts'
import type { BigShop, Credentials, Settings } from '../settings.ts'
import { toProduct } from '../translate-product.ts'

export const prices: Prices<Settings, Credentials> = { compareAt: true, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  productId: string
}

async function setPrices(shop: BigShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesOf(shop, settings), async (changes) => {
    const refusals = new Map<Article, string>()
    for (const some of chunks(changes, atOnce)) {
      const refusal = await send(shop, some)
      // A batch is taken as a whole or not at all: if it is not, each is tried by itself.
      for (const change of refusal === null ? [] : some) {
        const reason = some.length === 1 ? refusal : await send(shop, [change])
        if (reason !== null) refusals.set(change.article, reason)
      }
    }
    return refusals
  })
}

/** As many variants as the platform takes in one go. */
const atOnce = 50

const send = (shop: BigShop, changes: readonly PriceChange<Article>[]): Promise<string | null> =>
  refusalReason(() =>
    ask(shop, { method: 'PUT', path: '/v3/catalog/variants', body: changes.map(inputOf), repeatable: true }),
  )

/** A reduced price is that of a sale. Nothing, as the platform writes it, is no sale; left open, it would be the product's. */
function inputOf({ article, price, compareAt }: PriceChange<Article>): Fields {
  const id = Number(article.variantId)
  if (compareAt !== null) return { id, price: Number(compareAt), sale_price: Number(price) }
  const ended = article.compareAt === null ? {} : { sale_price: 0, retail_price: 0 }
  return { id, price: Number(price), ...ended }
}

/** Variants leave to their products what they have in common with them, so these are read. */
async function articlesOf(shop: BigShop, settings: readonly PriceSetting[]): Promise<Article[]> {
  const variants: Fields[] = []
  for (const sku of skusIn(settings))
    variants.push(...(await askPage(shop, '/v3/catalog/variants', { sku, limit: atOnce })).rows)
  for (const id of bareIdsIn(settings).filter(isId))
    variants.push(...(await askPage(shop, '/v3/catalog/variants', { id, limit: 1 })).rows)
  if (variants.length === 0) return []
  const store = fieldsOf(await ask(shop, { path: '/v2/store' }))
  const known = new Set(variants.map((one) => idIn(one, 'id')))
  const products = [...new Set(variants.map((one) => idIn(one, 'product_id')))]
  const found: Article[] = []
  for (const some of chunks(products, atOnce)) {
    const query = { 'id:in': some.join(','), include: 'variants,images', limit: atOnce }
    const { rows } = await askPage(shop, '/v3/catalog/products', query)
    for (const row of rows)
      found.push(...articlesIn({ ...row, brand: null, store }).filter((one) => known.has(one.variantId)))
  }
  return found
}

const articlesIn = (raw: Fields): Article[] => {
  const { remote_id: productId, variants } = toProduct(raw)
  return variants.map(({ remote_id: variantId, sku, price, compare_at_price: before }) => ({
    ...{ sku, variantId, productId, currency: price?.currency ?? maybeText(fieldsOf(raw['store']), 'currency') ?? '' },
    ...{ price: price?.amount ?? null, compareAt: before?.amount ?? null },
  }))
}
