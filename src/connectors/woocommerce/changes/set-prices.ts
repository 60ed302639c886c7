import {
  changePrices,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import {
  bodyOf,
  type Fields,
  fieldsOf,
  isFields,
  maybeFields,
  maybeText,
  recordsIn,
} from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { type Article as Found, findById, findBySku } from '../find-by-sku.ts'
import { maxPageSize, readSetting } from '../pages.ts'
import { type Credentials, productsPath, root, type Settings, type WooShop } from '../settings.ts'

export const prices: Prices<Settings, Credentials> = { compareAt: true, set: { repeatable: true, send: setPrices } }

type Article = Found & PricedArticle & { productId: string }

async function setPrices(shop: WooShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesOf(shop, settings), async (changes) => {
    const refusals = new Map<Article, string>()
    const sold = changes.filter(({ article }) => {
      // What buyers pay for it is what they pay for one of its variations.
      if (article.row['type'] === 'variable')
        refusals.set(article, 'Prices are those of its variations; name one of them.')
      return !refusals.has(article)
    })
    for (const [parent, some] of Map.groupBy(sold, ({ article }) => (article.variationId ? article.productId : null)))
      await sendBatch(shop, parent === null ? productsPath : `${productsPath}/${parent}/variations`, some, refusals)
    return refusals
  })
}

async function articlesOf(shop: WooShop, settings: readonly PriceSetting[]): Promise<Article[]> {
  const currency = await readSetting(shop, `${root}/settings/general/woocommerce_currency`)
  const found = [...(await findBySku(shop, skusIn(settings))), ...(await findById(shop, bareIdsIn(settings)))]
  return found.map((one) => ({
    ...one,
    currency,
    price: maybeText(one.row, 'price'),
    compareAt: isOnSale(one.row) ? maybeText(one.row, 'regular_price') : null,
  }))
}

const isOnSale = (row: Fields): boolean => row['on_sale'] === true

async function sendBatch(
  { remote }: WooShop,
  path: string,
  changes: readonly PriceChange<Article>[],
  refusals: Map<Article, string>,
): Promise<void> {
  for (const some of chunks(changes, maxPageSize)) {
    const update = some.map((change) => ({ id: Number(change.article.variantId), ...pricesOf(change) }))
    const request = { method: 'POST', path: `${path}/batch`, body: { update }, repeatable: true } as const
    const reported = recordsIn(fieldsOf(bodyOf(await remote.request(request))), 'update')
    for (const [n, { article }] of some.entries()) {
      const error = reported[n] ? maybeFields(reported[n], 'error') : {}
      if (isFields(error)) refusals.set(article, maybeText(error, 'message') ?? 'The shop rejected the price.')
    }
  }
}

/** A price before a reduction is the regular one, and the price that of a sale; one that is for later stays for later. */
const pricesOf = ({ article, price, compareAt }: PriceChange<Article>): Fields => {
  if (compareAt !== null) return { regular_price: compareAt, sale_price: price }
  return isOnSale(article.row) ? { regular_price: price, sale_price: '' } : { regular_price: price }
}
