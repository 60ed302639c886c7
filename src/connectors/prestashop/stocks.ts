import type { Fields } from '../../commerce/reading.ts'
import { listRecords, recordsWith, valueIn } from './ask.ts'
import type { PrestaShop } from './settings.ts'

/** Which of several shops of an installation this is, and its group; null where the shop does not tell. */
interface Home {
  shop: string | null
  group: string | null
}

/** Known since the installation; asked of the shop where it was not, or where there was no order yet to tell the group. */
export async function homeOf(shop: PrestaShop): Promise<Home> {
  const { id_shop: own, id_shop_group: group } = shop.settings
  const number = own === undefined ? await defaultShop(shop) : String(own)
  return { shop: number, group: group === undefined ? await groupOf(shop, number) : String(group) }
}

async function defaultShop(shop: PrestaShop): Promise<string | null> {
  const filters = { name: '[PS_SHOP_DEFAULT]' }
  const [row] = await listRecords(shop, 'configurations', { filters, display: '[name,value]' })
  return row ? valueIn(row, 'value') : null
}

/** Orders name the group of their shop. */
async function groupOf(shop: PrestaShop, number: string | null): Promise<string | null> {
  if (number === null) return null
  const filters = { id_shop: `[${number}]` }
  const [order] = await listRecords(shop, 'orders', { filters, display: '[id,id_shop_group]', size: 1 })
  return order ? valueIn(order, 'id_shop_group') : null
}

/**
 * Installations with several shops list the stock of all of them, whichever is asked for. A shop has rows of its own, or
 * shares those of its group, which name no shop.
 */
export const stockFilters = ({ shop, group }: Home): Readonly<Record<string, string>> => ({
  ...(shop === null ? {} : { id_shop: `[0|${shop}]` }),
  ...(group === null ? {} : { id_shop_group: `[0|${group}]` }),
})

/** Of two rows for the same article the shop's own counts. */
export function ofThisShop(stocks: readonly Fields[], { shop }: Home): readonly Fields[] {
  const keyOf = (stock: Fields) => `${valueIn(stock, 'id_product')} ${valueIn(stock, 'id_product_attribute')}`
  const own = new Set(stocks.filter((stock) => valueIn(stock, 'id_shop') === shop).map(keyOf))
  return stocks.filter((stock) => valueIn(stock, 'id_shop') === shop || !own.has(keyOf(stock)))
}

export async function stocksOf(shop: PrestaShop, productIds: readonly string[]): Promise<readonly Fields[]> {
  const home = await homeOf(shop)
  const filters = stockFilters(home)
  return ofThisShop(
    await recordsWith(shop, 'stock_availables', { field: 'id_product', values: productIds, filters }),
    home,
  )
}
