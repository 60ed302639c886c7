import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { ArticleNames } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { search } from './ask.ts'
import type { TikTokShop } from './settings.ts'

const path = '/product/202502/products/search'
const maxListings = 100

/** One page of what the shop has listed, in short. What was deleted stays in their list for a while. */
export async function listListings(
  shop: TikTokShop,
  { updatedSince, cursor, limit }: Pick<ReadQuery, 'updatedSince' | 'cursor' | 'limit'>,
): Promise<Omit<RawPage, 'items'> & { items: readonly Fields[] }> {
  const since = updatedSince === null ? undefined : Math.floor(Date.parse(updatedSince) / 1000)
  const size = Math.min(Math.max(limit, 1), maxListings)
  const data = await search(
    shop,
    path,
    { page_size: size, page_token: cursor },
    { status: 'ALL', update_time_ge: since },
  )
  const rows = rowsIn(data)
  const next = rows.length === 0 ? null : maybeText(data, 'next_page_token')
  return { items: rows.filter(isThere), next, total: null }
}

/** At most so many names in one question; what has them is on few pages. */
const maxNames = 10
const maxPages = 10

/** What has these articles, in short, with the stock and the prices of each. */
export async function listingsWith(shop: TikTokShop, { skus, variantIds }: ArticleNames): Promise<readonly Fields[]> {
  const questions = [
    ...chunks(skus, maxNames).map((some) => ({ seller_skus: some })),
    ...chunks(variantIds, maxNames).map((some) => ({ sku_ids: some })),
  ]
  const found = new Map<string, Fields>()
  for (const question of questions) {
    let token: string | null = null
    for (let page = 1; page === 1 || token !== null; page++) {
      if (page > maxPages) throw refused(say('too_many_with_skus'))
      const data: Fields = await search(
        shop,
        path,
        { page_size: maxListings, page_token: token },
        { status: 'ALL', ...question },
      )
      const rows = rowsIn(data)
      for (const one of rows.filter(isThere)) found.set(textIn(one, 'id'), one)
      token = rows.length === 0 ? null : maybeText(data, 'next_page_token')
    }
  }
  return [...found.values()]
}

const rowsIn = (data: Fields): readonly Fields[] => (data['products'] == null ? [] : recordsIn(data, 'products'))

const isThere = ({ status }: Fields): boolean => status !== 'DELETED'
