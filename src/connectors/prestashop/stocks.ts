import type { Fields } from '../../commerce/reading.ts'
import { recordsWith, valueIn } from './ask.ts'
import type { PrestaFacts, PrestaShop } from './settings.ts'

/**
 * Installations with several shops list the stock of all of them, whichever is asked for. A shop has rows of its own, or
 * shares those of its group, which name no shop.
 */
export function stockFilters({ settings }: PrestaFacts): Readonly<Record<string, string>> {
  const { id_shop: shop, id_shop_group: group } = settings
  if (group !== undefined) return { id_shop: '[0]', id_shop_group: `[${group}]` }
  return shop === undefined ? {} : { id_shop: `[0|${shop}]` }
}

/** Of two rows for the same article the shop's own counts. */
export function ofThisShop(stocks: readonly Fields[], { settings: { id_shop: shop } }: PrestaFacts): readonly Fields[] {
  const keyOf = (stock: Fields) => `${valueIn(stock, 'id_product')} ${valueIn(stock, 'id_product_attribute')}`
  const own = new Set(stocks.filter((stock) => valueIn(stock, 'id_shop') === String(shop)).map(keyOf))
  return stocks.filter((stock) => valueIn(stock, 'id_shop') === String(shop) || !own.has(keyOf(stock)))
}

export const stocksOf = async (shop: PrestaShop, productIds: readonly string[]): Promise<readonly Fields[]> =>
  ofThisShop(
    await recordsWith(shop, 'stock_availables', {
      field: 'id_product',
      values: productIds,
      filters: stockFilters(shop),
    }),
    shop,
  )
