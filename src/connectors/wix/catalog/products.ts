import type { Products } from '../../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import { type Fields, fieldsIn, textIn } from '../../../commerce/reading.ts'
import { askOne, inEitherCatalog } from '../ask.ts'
import { listChanged, readAll } from '../pages.ts'
import { type Credentials, isId, type Settings, type WixShop } from '../settings.ts'
import { getOldProduct, isOfOldCatalog, listOldProducts } from './old-catalog.ts'
import { toProduct } from './translate-product.ts'

/** Much of a product is told only to those who ask for it. */
const fields = [
  ...['URL', 'CURRENCY', 'PLAIN_DESCRIPTION', 'MEDIA_ITEMS_INFO'],
  ...['WEIGHT_MEASUREMENT_UNIT_INFO', 'VARIANT_OPTION_CHOICE_NAMES'],
]

export const products: Products<Settings, Credentials> = { list: listProducts, get: getProduct, translate: toProduct }

export async function listProducts(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const before = () => listOldProducts(shop, query)
  return isOfOldCatalog(query.cursor) ? await before() : await inEitherCatalog(() => listOfToday(shop, query), before)
}

async function listOfToday(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const list = { path: '/stores/v3/products/query', question: 'query', rows: 'products', most: 100 } as const
  const page = await listChanged(shop, { ...list, beside: { fields } }, query)
  return { ...page, items: await withVariants(shop, page.items) }
}

export async function getProduct(shop: WixShop, id: string): Promise<Fields | null> {
  if (!isId(id)) return null
  return await inEitherCatalog(
    () => getOfToday(shop, id),
    () => getOldProduct(shop, id),
  )
}

async function getOfToday(shop: WixShop, id: string): Promise<Fields | null> {
  const answer = await askOne(shop, `/stores/v3/products/${id}`, { fields })
  return answer && fieldsIn(answer, 'product')
}

/**
 * Lists show no variants. Those of many products come in one answer, but not of products that are sold as they are: whatever
 * is missing there is asked for one by one.
 */
async function withVariants(shop: WixShop, rows: readonly Fields[]): Promise<Fields[]> {
  if (rows.length === 0) return []
  const found = await readAll(shop, {
    ...{ path: '/stores/v3/products/query-variants', rows: 'variants', most: 1000 },
    filter: { 'productData.productId': { $in: rows.map((row) => textIn(row, 'id')) } },
  })
  const byProduct = Map.groupBy(found, (one) => textIn(fieldsIn(one, 'productData'), 'productId'))
  const complete: Fields[] = []
  for (const row of rows) {
    const variants = byProduct.get(textIn(row, 'id'))
    const whole = variants ? { ...row, variantsInfo: { variants } } : await getOfToday(shop, textIn(row, 'id'))
    // Deleted since the list was read.
    if (whole !== null) complete.push(whole)
  }
  return complete
}
