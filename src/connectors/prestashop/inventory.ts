import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import { type Fields, idIn } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault } from '../../lib/fault.ts'
import { byId, isId, listRecords, recordsWith, saveRecord, valueIn } from './ask.ts'
import { maxPageSize } from './pages.ts'
import type { Credentials, PrestaShop, Settings } from './settings.ts'
import { homeOf, ofThisShop, stockFilters, stocksOf } from './stocks.ts'
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
  const home = await homeOf(shop)
  const filters = { ...stockFilters(home), id: `[${after + 1},${lastId}]` }
  const rows = await listRecords(shop, 'stock_availables', { filters, sort: ['id'], size })
  const last = rows.at(-1)
  return {
    items: await named(shop, ofThisShop(rows, home)),
    next: rows.length < size || !last ? null : idIn(last, 'id'),
    total: null,
  }
}

/** With the numbers of their articles. What a product with combinations has in all is no article's, and is left out. */
async function named(shop: PrestaShop, stocks: readonly Fields[]): Promise<Fields[]> {
  const read = async (resource: string, values: readonly string[], display: string) =>
    byId(await recordsWith(shop, resource, { values, display }))
  const productIds = stocks.map((stock) => valueIn(stock, 'id_product') ?? '')
  const products = await read('products', productIds, '[id,reference,cache_default_attribute]')
  const combinations = await read('combinations', stocks.map(attributeOf), '[id,reference]')
  const articles = stocks.flatMap((stock) => {
    const attribute = attributeOf(stock)
    const product = products.get(valueIn(stock, 'id_product') ?? '')
    const article = attribute === '0' ? product : combinations.get(attribute)
    const isSum = attribute === '0' && product !== undefined && hasCombinations(product)
    const reference = article && valueIn(article, 'reference')
    return reference && !isSum ? [{ ...stock, reference }] : []
  })
  const shown = await lastOnes(
    shop,
    articles.map(({ reference }) => reference),
  )
  return articles.filter((stock) => {
    const last = shown.get(stock.reference)
    return last === undefined || last === keyOf(attributeOf(stock), valueIn(stock, 'id_product') ?? '')
  })
}

const keyOf = (combination: string, product: string) => (combination === '0' ? `product ${product}` : combination)

/** Which article a reference shows, where several have it: the same one in every read, whichever page it is on. */
async function lastOnes(shop: PrestaShop, references: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = { field: 'reference', values: references.filter(isPlain) }
  const products = await recordsWith(shop, 'products', { ...wanted, display: '[id,reference,cache_default_attribute]' })
  const combinations = await recordsWith(shop, 'combinations', { ...wanted, display: '[id,reference]' })
  const byNumber = (one: Fields, other: Fields) => Number(idIn(one, 'id')) - Number(idIn(other, 'id'))
  const named = (record: Fields, key: string): [string, string] => [valueIn(record, 'reference') ?? '', key]
  return new Map([
    ...products
      .filter((product) => !hasCombinations(product))
      .toSorted(byNumber)
      .map((product) => named(product, keyOf('0', idIn(product, 'id')))),
    ...combinations.toSorted(byNumber).map((one) => named(one, idIn(one, 'id'))),
  ])
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

interface Article extends NamedArticle {
  stock: Fields
}

async function setLevels(shop: PrestaShop, items: readonly InventorySetting[]): Promise<readonly InventoryResult[]> {
  const articles = await articlesOf(shop, items)
  const results: InventoryResult[] = []
  for (const setting of items) {
    const article = setting.location ? say('no_locations').text : articleFor(setting, articles)
    const error = typeof article === 'string' ? article : await setOne(shop, article.stock, setting.quantity)
    results.push(settingResult(setting, error))
  }
  return results
}

/** Numbers with signs that mean something in a filter cannot be asked for. */
const isPlain = (sku: string) => !/[[\]|%]/.test(sku)

/** Articles with their stock; other capitals make another number. Products and combinations may have the same id. */
async function articlesOf(shop: PrestaShop, items: readonly InventorySetting[]): Promise<readonly Article[]> {
  const [skus, ids] = [skusIn(items).filter(isPlain), bareIdsIn(items).filter(isId)]
  const find = async (resource: string, display: string) => [
    ...(await recordsWith(shop, resource, { field: 'reference', values: skus, display })),
    ...(await recordsWith(shop, resource, { values: ids, display })),
  ]
  const products = await find('products', '[id,reference,cache_default_attribute]')
  const combinations = await find('combinations', '[id,id_product,reference]')
  const productIds = [...products.map((one) => idIn(one, 'id')), ...combinations.map(productOf)]
  const stocks = await stocksOf(shop, productIds)
  const toArticle = (article: Fields, isHis: (stock: Fields) => boolean): Article[] => {
    const stock = stocks.find(isHis)
    return stock
      ? [{ sku: valueIn(article, 'reference'), variantId: idIn(article, 'id'), key: idIn(stock, 'id'), stock }]
      : []
  }
  return [
    ...products
      .filter((product) => !hasCombinations(product))
      .flatMap((one) => toArticle(one, (stock) => attributeOf(stock) === '0' && productOf(stock) === idIn(one, 'id'))),
    ...combinations.flatMap((one) => toArticle(one, (stock) => attributeOf(stock) === idIn(one, 'id'))),
  ]
}

const productOf = (record: Fields): string => valueIn(record, 'id_product') ?? ''

/** Null if the shop says so now; else why not. */
async function setOne(shop: PrestaShop, stock: Fields, quantity: number): Promise<string | null> {
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
