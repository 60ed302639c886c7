import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, idIn, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyIn, isId, isUnknown, maxPageSize, reasonIn, searchAny } from './ask.ts'
import { type MagentoShop, pathOf } from './settings.ts'

/** Shops without the modules for several sources: one stock, which orders are taken off as soon as they are placed. */

/** A level by the SKU of its article, which is what the platform knows stock by. */
export interface SkuLevel {
  sku: string
  quantity: number
  location: string | null
}

const stockPath = (shop: MagentoShop, sku: string) => pathOf(shop, `stockItems/${encodeURIComponent(sku)}`)

/** What can be counted; a configurable product or a bundle is as much as its parts are. */
const counted: readonly unknown[] = ['simple', 'virtual', 'downloadable', 'giftcard']

/** More than anybody has: a list of what is running low is then a list of everything. */
const plenty = 99_999_999

/** The only list of stock that such a shop has, of products by their ids: the numbers come from the products. */
export async function listSingle(shop: MagentoShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const pageSize = Math.min(limit, maxPageSize)
  const currentPage = cursor === null || !isId(cursor) ? 1 : Number(cursor)
  const query = { scopeId: 0, qty: plenty, currentPage, pageSize }
  const answer = await shop.remote.request({ method: 'GET', path: pathOf(shop, 'stockItems/lowStock/'), query })
  const body = fieldsOf(bodyIn(answer))
  const rows = body['items'] == null ? [] : recordsIn(body, 'items')
  const products = await searchAny(shop, 'products', {
    field: 'entity_id',
    values: rows.map((row) => idIn(row, 'product_id')),
    fields: 'items[id,sku,type_id],search_criteria,total_count',
  })
  const articles = new Map(products.map((product) => [idIn(product, 'id'), product]))
  const items = rows.flatMap((row) => {
    const article = articles.get(idIn(row, 'product_id'))
    return article && counted.includes(article['type_id']) ? [{ ...row, sku: textIn(article, 'sku') }] : []
  })
  // Beyond the last page the platform gives the last one again, so that its count must end it.
  const isEnd = rows.length === 0 || currentPage * pageSize >= numberIn(body, 'total_count')
  return { items, next: isEnd ? null : String(currentPage + 1), total: null }
}

async function stockOf(shop: MagentoShop, sku: string): Promise<Fields | null> {
  const answer = await shop.remote.request({ method: 'GET', path: stockPath(shop, sku) })
  return isUnknown(answer) ? null : { ...fieldsOf(bodyIn(answer)), sku }
}

/** What the shop says against some of them, by place and SKU. */
export async function setSingle(shop: MagentoShop, items: readonly SkuLevel[]): Promise<Map<string, string>> {
  const errors = new Map<string, string>()
  for (const { sku, quantity, location } of items) {
    // Web servers take a slash for the end of a part of the path, also one that is written in code.
    const set = sku.includes('/') ? setWithProduct : setOne
    const error = location ? say('no_locations').text : await set(shop, sku, quantity)
    if (error !== null) errors.set(`${location ?? ''} ${sku}`, error)
  }
  return errors
}

/** The whole record goes back, because the platform fills in what is missing with its own ideas. */
async function setOne(shop: MagentoShop, sku: string, quantity: number): Promise<string | null> {
  const old = await stockOf(shop, sku)
  if (!old) return 'The shop has no such article.'
  const { sku: _, ...kept } = old
  const stockItem: Fields = { ...kept, qty: quantity, is_in_stock: quantity > 0 || old['is_in_stock'] === true }
  if (old['qty'] === quantity && old['is_in_stock'] === stockItem['is_in_stock']) return null
  const path = pathOf(shop, `products/${encodeURIComponent(sku)}/stockItems/${idIn(old, 'item_id')}`)
  const answer = await shop.remote.request({ method: 'PUT', path, body: { stockItem }, repeatable: true })
  return answer.status < 300 ? null : reasonIn(answer.body)
}

/** The level as a part of the product, whose number is then not in the path. */
async function setWithProduct(shop: MagentoShop, sku: string, quantity: number): Promise<string | null> {
  const stockItem: Fields = { qty: quantity, ...(quantity > 0 ? { is_in_stock: true } : {}) }
  const body = { product: { sku, extension_attributes: { stock_item: stockItem } } }
  const answer = await shop.remote.request({ method: 'POST', path: pathOf(shop, 'products'), body, repeatable: true })
  return answer.status < 300 ? null : reasonIn(answer.body)
}
