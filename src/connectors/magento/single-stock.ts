import type { RawPage, ReadQuery } from '../../commerce/connector.ts'
import { type Fields, fieldsOf, idIn, textIn } from '../../commerce/reading.ts'
import { bodyIn, type Filter, isUnknown, reasonIn, search } from './ask.ts'
import { type MagentoShop, pathOf } from './settings.ts'

/** Shops without the modules for several sources: one stock, asked for article by article. */

/** A level by the SKU of its article, which is what the platform knows stock by. */
export interface SkuLevel {
  sku: string
  quantity: number
  location: string | null
}

const stockPath = (shop: MagentoShop, sku: string) => pathOf(shop, `stockItems/${encodeURIComponent(sku)}`)

/** Each costs a request. */
const atOnce = 50

/** What can be counted; a configurable product or a bundle is as much as its parts are. */
const counted: Filter = ['type_id', 'in', 'simple,virtual,downloadable,giftcard']

export async function listSingle(shop: MagentoShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const size = Math.min(limit, atOnce)
  const after: Filter[] = cursor === null || !/^\d{1,15}$/.test(cursor) ? [] : [['entity_id', 'gt', cursor]]
  const fields = 'items[id,sku],search_criteria,total_count'
  const { rows } = await search(shop, 'products', { filters: [counted, ...after], sort: ['entity_id'], size, fields })
  const items: Fields[] = []
  for (const row of rows) {
    const item = await stockOf(shop, textIn(row, 'sku'))
    if (item) items.push(item)
  }
  const last = rows.at(-1)
  return { items, next: rows.length < size || !last ? null : idIn(last, 'id'), total: null }
}

async function stockOf(shop: MagentoShop, sku: string): Promise<Fields | null> {
  const answer = await shop.remote.request({ method: 'GET', path: stockPath(shop, sku) })
  return isUnknown(answer) ? null : { ...fieldsOf(bodyIn(answer)), sku }
}

/** What the shop says against some of them, by place and SKU. */
export async function setSingle(shop: MagentoShop, items: readonly SkuLevel[]): Promise<Map<string, string>> {
  const errors = new Map<string, string>()
  for (const { sku, quantity, location } of items) {
    const error = location ? 'The shop has no locations.' : await setOne(shop, sku, quantity)
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
