import type { Inventory, RawPage, ReadQuery } from '../../commerce/connector.ts'
import type { InventoryResult, InventorySetting } from '../../commerce/inventory.ts'
import { type Fields, idIn } from '../../commerce/reading.ts'
import { Fault } from '../../lib/fault.ts'
import { byId, listRecords, recordsWith, saveRecord, valueIn } from './ask.ts'
import { maxPageSize } from './pages.ts'
import type { Credentials, PrestaShop, Settings } from './settings.ts'
import { toInventoryLevel } from './translate-product.ts'

/** Stocks have no times there, so that all are read each time. */
export const inventory: Inventory<Settings, Credentials> = {
  locations: false,
  list: listLevels,
  translate: toInventoryLevel,
  set: { repeatable: true, send: setLevels },
}

const lastId = 2_147_483_647
const attributeOf = (stock: Fields) => valueIn(stock, 'id_product_attribute') ?? '0'

async function listLevels(shop: PrestaShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const size = Math.min(limit, maxPageSize)
  const after = cursor !== null && /^\d{1,15}$/.test(cursor) ? Number(cursor) : 0
  const filters = { id: `[${after + 1},${lastId}]` }
  const rows = await listRecords(shop, 'stock_availables', { filters, sort: ['id'], size })
  const last = rows.at(-1)
  return { items: await named(shop, rows), next: rows.length < size || !last ? null : idIn(last, 'id'), total: null }
}

/** With the numbers of their articles. What a product with combinations has in all is no article's, and is left out. */
async function named(shop: PrestaShop, stocks: readonly Fields[]): Promise<Fields[]> {
  const read = async (resource: string, values: readonly string[], display: string) =>
    byId(await recordsWith(shop, resource, { values, display }))
  const productIds = stocks.map((stock) => valueIn(stock, 'id_product') ?? '')
  const products = await read('products', productIds, '[id,reference,cache_default_attribute]')
  const combinations = await read('combinations', stocks.map(attributeOf), '[id,reference]')
  return stocks.flatMap((stock) => {
    const attribute = attributeOf(stock)
    const product = products.get(valueIn(stock, 'id_product') ?? '')
    const article = attribute === '0' ? product : combinations.get(attribute)
    const isSum = attribute === '0' && product !== undefined && hasCombinations(product)
    const reference = article && valueIn(article, 'reference')
    return reference && !isSum ? [{ ...stock, reference }] : []
  })
}

const hasCombinations = (product: Fields): boolean => (valueIn(product, 'cache_default_attribute') ?? '0') !== '0'

/* Setting -------------------------------------------------------------------------------------------------------- */

const fields = [
  'id_product',
  'id_product_attribute',
  'id_shop',
  'id_shop_group',
  'depends_on_stock',
  'out_of_stock',
  'location',
]

async function setLevels(shop: PrestaShop, items: readonly InventorySetting[]): Promise<readonly InventoryResult[]> {
  const stocks = await stocksOf(shop, items)
  const results: InventoryResult[] = []
  for (const { sku, quantity, location = null } of items) {
    const error = location ? 'The shop has no locations.' : await setOne(shop, stocks.get(sku), quantity)
    results.push({ sku, location, ok: error === null, error })
  }
  return results
}

/** Numbers with signs that mean something in a filter cannot be asked for. */
const isPlain = (sku: string) => !/[[\]|%]/.test(sku)

/** The stock of each article, by the number that the merchant gave it; other capitals make another number. */
async function stocksOf(shop: PrestaShop, items: readonly InventorySetting[]): Promise<ReadonlyMap<string, Fields>> {
  const skus = new Set(items.map(({ sku }) => sku).filter(isPlain))
  const find = (resource: string, display: string) =>
    recordsWith(shop, resource, { field: 'reference', values: skus, display })
  const products = await find('products', '[id,reference,cache_default_attribute]')
  const combinations = await find('combinations', '[id,id_product,reference]')
  const stocks = await recordsWith(shop, 'stock_availables', {
    field: 'id_product',
    values: [...products.map((one) => idIn(one, 'id')), ...combinations.map((one) => valueIn(one, 'id_product') ?? '')],
  })
  const found = new Map<string, Fields>()
  const note = (article: Fields, isHis: (stock: Fields) => boolean) => {
    const [reference, stock] = [valueIn(article, 'reference'), stocks.find(isHis)]
    if (reference && skus.has(reference) && stock) found.set(reference, stock)
  }
  for (const one of products.filter((product) => !hasCombinations(product))) {
    note(one, (stock) => attributeOf(stock) === '0' && valueIn(stock, 'id_product') === idIn(one, 'id'))
  }
  for (const one of combinations) note(one, (stock) => attributeOf(stock) === idIn(one, 'id'))
  return found
}

/** Null if the shop says so now; else why not. */
async function setOne(shop: PrestaShop, stock: Fields | undefined, quantity: number): Promise<string | null> {
  if (!stock) return 'The shop has no such article.'
  if (valueIn(stock, 'quantity') === String(quantity)) return null
  const whole = Object.fromEntries(fields.map((name) => [name, valueIn(stock, name)]))
  try {
    const target = { resource: 'stock_availables', node: 'stock_available', id: idIn(stock, 'id') }
    await saveRecord(shop, target, { ...whole, quantity })
    return null
  } catch (error) {
    if (error instanceof Fault && error.kind === 'upstream_refused' && !error.errors) return error.message
    throw error
  }
}
