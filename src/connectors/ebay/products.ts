import type { Products, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { type Fields, textIn } from '../../commerce/reading.ts'
import { getItem, listItems, offersOf } from './items.ts'
import type { Credentials, EbayShop, Settings } from './settings.ts'
import { toProduct } from './translate-product.ts'

/** Each costs a question of its own: prices are told with offers, and these by sku alone. */
const mostItems = 25

export const products: Products<Settings, Credentials> = { list: listProducts, get: getProduct, translate: toProduct }

async function listProducts(shop: EbayShop, query: ReadQuery): Promise<RawPage> {
  const page = await listItems(shop, query, mostItems)
  const items: Fields[] = []
  for (const item of page.items) items.push(await withOffers(shop, item))
  return { ...page, items }
}

const withOffers = async (shop: EbayShop, item: Fields): Promise<Fields> => ({
  ...item,
  offers: await offersOf(shop, textIn(item, 'sku')),
})

async function getProduct(shop: EbayShop, sku: string): Promise<Fields | null> {
  const item = await getItem(shop, sku)
  return item === null ? null : await withOffers(shop, { sku, ...item })
}
