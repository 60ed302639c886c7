import {
  changePrices,
  type PricedArticle,
  type PriceResult,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import {
  type ArticleName,
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  settingResult,
  skusIn,
} from '../../../commerce/inventory.ts'
import { type Fields, fieldsOf, maybeText, textIn } from '../../../commerce/reading.ts'
import { refusalReason } from '../../../commerce/remote.ts'
import { chunks } from '../../../lib/chunks.ts'
import type { EbayShop } from '../settings.ts'
import { articleOf, availableIn, getListing, isAuction, listListings, priceIn, variationsIn } from './listings.ts'
import { refusalIn, trade } from './trading.ts'

/** A listing, or a variation of one. */
interface Article extends PricedArticle {
  listing: string
}

/** So many at once. */
const revisedAtOnce = 4

/** What lies there is said of each listing; eBay knows no places of these. Auctions sell one. */
export async function listListingLevels(shop: EbayShop, query: ReadQuery): Promise<RawPage> {
  const page = await listListings(shop, query)
  const items = page.items.map(fieldsOf).flatMap((listing) =>
    partsOf(listing).map((part) => ({
      ...{ sku: articleOf(listing, part), location: null, quantity: availableIn(part) },
    })),
  )
  return { ...page, items, total: null }
}

export async function setListingLevels(
  shop: EbayShop,
  settings: readonly InventorySetting[],
): Promise<InventoryResult[]> {
  const articles = await articlesFor(shop, settings)
  const errors = new Map<InventorySetting, string | null>()
  const changes: { setting: InventorySetting; status: Status }[] = []
  for (const setting of settings) {
    const article = setting.location ? 'Listings of the Seller Hub lie at no location.' : articleFor(setting, articles)
    if (typeof article === 'string') errors.set(setting, article)
    else changes.push({ setting, status: { ...nameOf(article), Quantity: setting.quantity } })
  }
  const refusals = await revise(
    shop,
    changes.map(({ status }) => status),
  )
  for (const { setting, status } of changes) errors.set(setting, refusals.get(status) ?? null)
  return settings.map((setting) => settingResult(setting, errors.get(setting) ?? null))
}

export async function setListingPrices(
  shop: EbayShop,
  settings: readonly PriceSetting[],
): Promise<readonly PriceResult[]> {
  return await changePrices(settings, await articlesFor(shop, settings), async (changes) => {
    const wanted = changes.map(({ article, price }) => ({ article, status: { ...nameOf(article), StartPrice: price } }))
    const refusals = await revise(
      shop,
      wanted.map(({ status }) => status),
    )
    return new Map(
      wanted.flatMap(({ article, status }) => {
        const reason = refusals.get(status)
        return reason === undefined ? [] : [[article, reason] as const]
      }),
    )
  })
}

type Status = {
  readonly ItemID: string
  readonly SKU?: string
  readonly Quantity?: number
  readonly StartPrice?: string
}

const nameOf = ({ listing, sku }: Article) => ({ ItemID: listing, ...(sku === null ? {} : { SKU: sku }) })

/** Why eBay refused, by what it refused. Of several at once it does not say which: then each is sent by itself. */
async function revise(shop: EbayShop, statuses: readonly Status[]): Promise<Map<Status, string>> {
  const refusals = new Map<Status, string>()
  for (const some of chunks(statuses, revisedAtOnce)) {
    const answer = await trade(shop, 'ReviseInventoryStatus', { InventoryStatus: some })
    if (answer.isDone) continue
    for (const status of some) {
      const alone =
        some.length === 1 ? answer : await trade(shop, 'ReviseInventoryStatus', { InventoryStatus: [status] })
      const reason = await refusalReason(async () => {
        if (!alone.isDone) throw refusalIn(alone)
      })
      if (reason !== null) refusals.set(status, reason)
    }
  }
  return refusals
}

/** Our copy says which listings; only where that does not suffice, all of them are gone through, once for everything. */
async function articlesFor(shop: EbayShop, settings: readonly ArticleName[]): Promise<readonly Article[]> {
  const ids = (await shop.productsWith?.({ skus: skusIn(settings), variantIds: bareIdsIn(settings) })) ?? []
  const known: Article[] = []
  for (const id of ids) known.push(...articlesIn(await getListing(shop, id)))
  if (settings.every((setting) => typeof articleFor(setting, known) !== 'string')) return known
  const all: Article[] = []
  for (let cursor: string | null = null, isMore = true; isMore; isMore = cursor !== null) {
    const page: RawPage = await listListings(shop, { cursor, limit: 200, updatedSince: null, statuses: [] })
    all.push(...page.items.map(fieldsOf).flatMap(articlesIn))
    cursor = page.next
  }
  return all
}

function partsOf(listing: Fields): readonly Fields[] {
  const variations = variationsIn(listing)
  return isAuction(listing) ? [] : variations.length > 0 ? variations : [listing]
}

const articlesIn = (listing: Fields | null): Article[] =>
  (listing ? partsOf(listing).map((part) => ({ listing, part })) : []).map(({ listing: whole, part }) => {
    const id = textIn(whole, 'ItemID')
    const price = priceIn(part)
    return {
      ...{ listing: id, productId: id, sku: maybeText(part, 'SKU'), variantId: articleOf(whole, part) },
      ...{ key: `${id} ${articleOf(whole, part)}`, currency: price?.currency ?? '', price: price?.amount ?? null },
      compareAt: null,
    }
  })
