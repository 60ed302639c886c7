import { onceForShop } from '../../../commerce/once-for-shop.ts'
import { type Fields, idIn, isFields, maybeFields, numberIn, textIn } from '../../../commerce/reading.ts'
import { refusalReason, refused } from '../../../commerce/remote.ts'
import { exactQuantity } from '../../../commerce/rules/quantities.ts'
import { searchAll, searchAny } from '../ask.ts'
import { quantityIn } from '../lines/quantities.ts'
import type { MagentoShop } from '../settings.ts'

/**
 * What lies in the sources is not what can be sold: orders reserve goods until they are sent. The platform keeps reservations
 * by stock, which is a set of sources for some websites, and tells what is left of all of them together.
 */
export interface Reserved {
  sku: string
  /** Sources that the goods leave from, first the ones that are emptied first. */
  sources: readonly string[]
  /** What cannot be sold of what is there: reservations, and what the merchant never sells out. */
  quantity: number
}

interface Stock {
  website: string
  sources: readonly string[]
}

const salablePath = 'inventory/export-stock-salable-qty/website'

/** Of the articles whose levels these are, at all sources. Null where the shop does not tell what is salable. */
export async function reservedOf(shop: MagentoShop, levels: readonly Fields[]): Promise<Reserved[] | null> {
  const skus = [...new Set(levels.map((level) => textIn(level, 'sku')))]
  const found: Reserved[] = []
  for (const { website, sources } of skus.length === 0 ? [] : await stocksOf(shop)) {
    const rows: Fields[] = []
    const why = await refusalReason(async () => {
      rows.push(...(await searchAny(shop, `${salablePath}/${website}`, { field: 'sku', values: skus })))
    })
    // Some shops have the module that tells this taken out.
    if (why !== null && /any route/.test(why)) return null
    if (why !== null) throw refused(why)
    for (const row of rows) {
      const sku = textIn(row, 'sku')
      const quantity = exactQuantity(onShelves(levels, { sku, sources }) - quantityIn(row, 'qty'))
      // Of goods that are not counted nothing is said but that they can be bought.
      const uncounted = row['qty'] === 0 && row['is_salable'] === true
      if (quantity > 0 && !uncounted) found.push({ sku, sources, quantity })
    }
  }
  return found
}

const isCounted = (level: Fields) => level['status'] !== 0

const onShelves = (levels: readonly Fields[], { sku, sources }: { sku: string; sources: readonly string[] }): number =>
  levels
    .filter((level) => level['sku'] === sku && sources.includes(textIn(level, 'source_code')) && isCounted(level))
    .reduce((sum, level) => sum + quantityIn(level, 'quantity'), 0)

/** Stocks that something is sold from, with their sources by priority; they change seldom. */
const stocksOf = onceForShop(async (shop: MagentoShop): Promise<Stock[]> => {
  const stocks = await searchAll(shop, 'inventory/stocks', {})
  const links = await searchAll(shop, 'inventory/stock-source-links', {})
  return stocks.flatMap((stock) => {
    const channels = maybeFields(stock, 'extension_attributes')?.['sales_channels']
    const website = (Array.isArray(channels) ? channels.filter(isFields) : []).find((one) => one['type'] === 'website')
    const sources = links
      .filter((link) => idIn(link, 'stock_id') === idIn(stock, 'stock_id'))
      .toSorted((a, b) => numberIn(a, 'priority') - numberIn(b, 'priority'))
      .map((link) => textIn(link, 'source_code'))
    return website ? [{ website: textIn(website, 'code'), sources }] : []
  })
})

/**
 * What of the reservations falls on a source when those before it have given what they have. The platform decides that only
 * when goods are sent; until then we take them where it usually does.
 */
export function reaching(
  reserved: readonly Reserved[],
  { sku, source, levels }: { sku: string; source: string; levels: readonly Fields[] },
): number {
  const rest = reserved
    .filter((one) => one.sku === sku && one.sources.includes(source))
    .map(({ sources, quantity }) => {
      const before = sources.slice(0, sources.indexOf(source))
      return Math.max(0, quantity - onShelves(levels, { sku, sources: before }))
    })
  return exactQuantity(rest.reduce((sum, quantity) => sum + quantity, 0))
}

/** Sources in the order in which reservations are taken from them; those of no stock come last. */
export const placeOf = (reserved: readonly Reserved[], { sku, source }: { sku: string; source: string }): number => {
  const places = reserved.filter((one) => one.sku === sku).map(({ sources }) => sources.indexOf(source))
  return Math.max(...places, 0)
}
