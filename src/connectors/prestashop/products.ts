import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, idIn } from '../../commerce/reading.ts'
import { associated, byId, isId, listRecords, recordsWith, textOf, valueIn } from './ask.ts'
import { listChanged } from './pages.ts'
import type { Credentials, PrestaShop, Settings } from './settings.ts'
import { stocksOf } from './stocks.ts'
import { toProduct } from './translate-product.ts'

/** Read only: a product of this platform needs categories, taxes and texts that nobody but the merchant can choose. */
export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  getSeveral: getProducts,
  translate: toProduct,
}

/** Combinations, what they are called and what is in stock: asked for once for all of a page. */
async function complete(shop: PrestaShop, rows: readonly Fields[]): Promise<Fields[]> {
  const ids = rows.map((row) => idIn(row, 'id'))
  const of = (resource: string) => recordsWith(shop, resource, { field: 'id_product', values: ids })
  const combinations = await of('combinations')
  const stocks = await stocksOf(shop, ids)
  const values = await recordsWith(shop, 'product_option_values', {
    values: combinations.flatMap((one) => associated(one, 'product_option_values').map((value) => idIn(value, 'id'))),
  })
  const groups = byId(
    await recordsWith(shop, 'product_options', {
      values: values.map((value) => valueIn(value, 'id_attribute_group') ?? ''),
    }),
  )
  const named = values.map((value) => {
    const group = groups.get(valueIn(value, 'id_attribute_group') ?? '')
    return { id: value['id'], name: value['name'], group: group ? textOf(group, 'name') : null }
  })
  const isOf = (row: Fields) => (one: Fields) => valueIn(one, 'id_product') === idIn(row, 'id')
  return rows.map((row) => {
    const own = combinations.filter(isOf(row))
    const used = new Set(
      own.flatMap((one) => associated(one, 'product_option_values').map((value) => idIn(value, 'id'))),
    )
    return {
      ...row,
      combinations: own,
      values: named.filter((value) => used.has(String(value.id))),
      stocks: stocks.filter(isOf(row)),
    }
  })
}

async function listProducts(shop: PrestaShop, query: ReadQuery): Promise<RawPage> {
  const page = await listChanged(shop, 'products', query)
  return { ...page, items: await complete(shop, page.items.map(fieldsOf)) }
}

async function getProduct(shop: PrestaShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const [product = null] = await complete(
    shop,
    await listRecords(shop, 'products', { filters: { id: `[${remoteId}]` } }),
  )
  return product
}

async function getProducts(shop: PrestaShop, remoteIds: readonly string[]): Promise<Fields[]> {
  return await complete(shop, await recordsWith(shop, 'products', { values: remoteIds.filter(isId) }))
}
