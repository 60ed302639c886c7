import {
  changePrices,
  eachByItself,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { bodyOf, type Fields, idIn, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { rounded } from '../amounts.ts'
import { pricesWith } from '../export-product.ts'
import { pageById } from '../pages.ts'
import { inFull, pathOf } from '../products.ts'
import type { Credentials, MedusaShop, Settings } from '../settings.ts'
import { isPlain } from '../translate-product.ts'

/** Reductions are price lists there, each for some buyers and some time. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  productId: string
  variant: Fields
}

/** In the currency of the books: those that the server keeps beside it are kept. */
async function setPrices(shop: MedusaShop, settings: readonly PriceSetting[]) {
  const variants: Fields[] = await variantsById(shop, bareIdsIn(settings))
  for (const sku of skusIn(settings)) variants.push(...(await variantsBySku(shop, sku)))
  const articles = variants.map((variant) => articleOf(shop, variant))
  return await changePrices(
    settings,
    articles,
    eachByItself((change) => send(shop, change)),
  )
}

const atOnce = 50

const named = { path: '/admin/product-variants', name: 'variants', fields: 'id,sku,product_id,*prices' }

async function variantsById(shop: MedusaShop, ids: readonly string[]): Promise<Fields[]> {
  const found: Fields[] = []
  for (const some of chunks(ids, atOnce)) {
    const list = { ...named, filter: { 'id[]': some } }
    found.push(...(await pageById(shop, list, { cursor: null, limit: atOnce })).items)
  }
  return found
}

/** By their products: the list of variants knows no SKU. */
async function variantsBySku(shop: MedusaShop, sku: string): Promise<readonly Fields[]> {
  const list = { ...inFull, filter: { 'variants[sku]': sku } }
  const { items } = await pageById(shop, list, { cursor: null, limit: atOnce })
  return items.flatMap((product) =>
    rowsIn(product, 'variants')
      .filter((variant) => variant['sku'] === sku)
      .map((variant) => ({ ...variant, product_id: product['id'] })),
  )
}

const rowsIn = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')

function articleOf({ settings: { currency = '' } }: MedusaShop, variant: Fields): Article {
  const plain = rowsIn(variant, 'prices').find((price) => isPlain(price, currency))
  return {
    ...{ sku: maybeText(variant, 'sku'), variantId: idIn(variant, 'id'), productId: textIn(variant, 'product_id') },
    ...{ variant, currency, price: plain ? rounded(plain['amount'], 6, 2) : null, compareAt: null },
  }
}

async function send({ remote }: MedusaShop, { article, price }: PriceChange<Article>): Promise<void> {
  const path = `${pathOf(article.productId)}/variants/${encodeURIComponent(article.variantId)}`
  const body = { prices: pricesWith(article.variant, { price, currency: article.currency }) }
  bodyOf(await remote.request({ method: 'POST', path, body, repeatable: true }))
}
