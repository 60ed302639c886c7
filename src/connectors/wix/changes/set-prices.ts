import {
  changePrices,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import type { RawPage } from '../../../commerce/connector/reads.ts'
import { articleFor, bareIdsIn, noArticle, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, fieldsIn, fieldsOf, maybeFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refusalReason, refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { bodyOf, oldCatalog } from '../ask.ts'
import { getProduct, listProducts } from '../catalog/products.ts'
import { isOldProduct } from '../catalog/translate-old-product.ts'
import { toProduct } from '../catalog/translate-product.ts'
import { mostPages } from '../pages.ts'
import { type Credentials, isId, type Settings, type WixShop } from '../settings.ts'

export const prices: Prices<Settings, Credentials> = { compareAt: true, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  productId: string
}

/** A product is changed as a whole, so that all its variants go along at once. */
async function setPrices(shop: WixShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesFor(shop, settings), async (changes) => {
    const refusals = new Map<Article, string>()
    for (const [id, some] of Map.groupBy(changes, ({ article }) => article.productId)) {
      const reason = await refusalReason(() => changeProduct(shop, id, some))
      for (const { article } of reason === null ? [] : some) refusals.set(article, reason ?? '')
    }
    return refusals
  })
}

/** Our copy says which products have them; all are gone through only where it does not know. */
async function articlesFor(shop: WixShop, settings: readonly PriceSetting[]): Promise<readonly Article[]> {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings) }
  const known: Article[] = []
  for (const id of ((await shop.productsWith?.(names)) ?? []).filter(isId))
    known.push(...articlesIn(await getProduct(shop, id)))
  if (settings.every((setting) => articleFor(setting, known) !== noArticle)) return known
  const all: Article[] = []
  const query = { updatedSince: null, statuses: [], limit: 100 }
  let cursor: string | null = null
  for (let pages = 0; pages === 0 || (cursor !== null && pages < mostPages); pages++) {
    const page: RawPage = await listProducts(shop, { ...query, cursor })
    all.push(...page.items.flatMap(articlesIn))
    cursor = page.next
  }
  return all
}

function articlesIn(raw: unknown): Article[] {
  if (raw === null) return []
  const { remote_id: productId, variants } = toProduct(raw)
  return variants.map(({ remote_id: variantId, sku, price, compare_at_price: before }) => ({
    ...{ sku, variantId, productId, currency: price?.currency ?? '' },
    ...{ price: price?.amount ?? null, compareAt: before?.amount ?? null },
  }))
}

/** Who was quicker has changed the revision: then the product is read and changed once more. */
const attempts = 3

async function changeProduct(shop: WixShop, id: string, changes: readonly PriceChange<Article>[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const product = await getProduct(shop, id)
    if (product === null) throw refused(say('no_such_article'))
    if (isOldProduct(product)) throw refused(oldCatalog)
    const body = {
      product: {
        ...{ id, revision: textIn(product, 'revision'), options: product['options'] ?? [] },
        variantsInfo: { variants: variantsIn(product).map((one) => withPrice(one, changes)) },
      },
    }
    const request = { method: 'PATCH', path: `/stores/v3/products/${id}`, body } as const
    const answer = await shop.remote.request(request)
    if (answer.status === 409 && attempt < attempts) continue
    fieldsOf(bodyOf(answer))
    return
  }
}

const variantsIn = (product: Fields): readonly Fields[] => recordsIn(fieldsIn(product, 'variantsInfo'), 'variants')

/** What is not sent is gone, but for what Wix reckons itself. */
function withPrice(variant: Fields, changes: readonly PriceChange<Article>[]): Fields {
  const { inventoryStatus: _, revenueDetails: __, subscriptionPricesInfo: ___, ...kept } = variant
  const { priceAfterDiscount: ____, ...before } = maybeFields(variant, 'price') ?? {}
  const change = changes.find(({ article }) => article.variantId === variant['id'])
  if (!change) return { ...kept, price: before }
  const compare = change.compareAt === null ? {} : { compareAtPrice: { amount: change.compareAt } }
  return { ...kept, price: { actualPrice: { amount: change.price }, ...compare } }
}
