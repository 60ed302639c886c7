import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { ProductDraft, RemoteProduct } from '../../commerce/product.ts'
import { type Fields, fieldsOf, idIn, isFields, maybeFields, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyIn, type Filter, isId, maxPageSize, search, searchAny } from './ask.ts'
import { setLevels } from './inventory.ts'
import { listChanged, written } from './pages.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from './settings.ts'
import { toProduct } from './translate-product.ts'

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  translate: toProduct,
  // It takes pictures as files, not by address; variants by attributes, which only the merchant can set up.
  takes: [],
  export: { repeatable: true, send: exportProduct },
}

/** Not shown by itself: an article of a configurable product, which comes with it. */
const shown: Filter = ['visibility', 'neq', 1]
const hidden: Filter = ['visibility', 'eq', 1]

const listIn = (product: Fields, name: string): readonly unknown[] => {
  const value = maybeFields(product, 'extension_attributes')?.[name]
  return Array.isArray(value) ? value : []
}

const linksOf = (row: Fields) => listIn(row, 'configurable_product_links').map(String)

/** The articles of configurable products, and what they differ in: asked for once for all of a page. */
async function complete(shop: MagentoShop, rows: readonly Fields[]): Promise<Fields[]> {
  const attributesOf = (row: Fields) =>
    listIn(row, 'configurable_product_options')
      .filter(isFields)
      .map((option) => idIn(option, 'attribute_id'))
  const children = await searchAny(shop, 'products', { field: 'entity_id', values: rows.flatMap(linksOf) })
  const attributes = await searchAny(shop, 'products/attributes', {
    field: 'attribute_id',
    values: rows.flatMap(attributesOf),
  })
  return rows.map((row) => {
    const [links, differing] = [linksOf(row), attributesOf(row)]
    return {
      ...row,
      children: children.filter((child) => links.includes(idIn(child, 'id'))),
      attributes: attributes.filter((one) => differing.includes(idIn(one, 'attribute_id'))),
    }
  })
}

/** What changed itself; after that, the products of which only an article has changed. */
async function listProducts(shop: MagentoShop, query: ReadQuery): Promise<RawPage> {
  const scan = readScan(query.cursor)
  if (scan) return await listParents(shop, scan)
  const page = await listChanged(shop, 'products', { ...query, idField: 'id', filters: [shown] })
  const items = await complete(shop, page.items.map(fieldsOf))
  if (page.next !== null || query.updatedSince === null) return { ...page, items }
  const since = written(query.updatedSince.slice(0, 19))
  const changed = await search(shop, 'products', {
    filters: [hidden, ['updated_at', 'gteq', since]],
    sort: ['entity_id'],
    size: maxPageSize,
    fields: 'items[id,sku],search_criteria,total_count',
  })
  if (changed.total === 0) return { ...page, items }
  // So many that nearly every product would be looked up: then all of them are read.
  const articles = changed.total > maxPageSize ? null : changed.rows.map((row) => idIn(row, 'id'))
  return { ...page, items, next: JSON.stringify({ since, after: '0', articles }) }
}

/** Configurable products, one after the other by their ids; of which some article has changed, or all. */
interface Scan {
  since: string
  after: string
  articles: readonly string[] | null
}

/** Cursors come back from callers, who may have written anything into them. */
function readScan(cursor: string | null): Scan | null {
  try {
    const { since, after, articles } = fieldsOf(JSON.parse(cursor ?? ''))
    if (typeof since !== 'string' || typeof after !== 'string' || !isId(after)) return null
    return { since, after, articles: Array.isArray(articles) ? articles.map(String) : null }
  } catch {
    return null
  }
}

/** An article does not say what it is an article of, and changes without its product: so the products are gone through. */
async function listParents(shop: MagentoShop, { since, after, articles }: Scan): Promise<RawPage> {
  const { rows } = await search(shop, 'products', {
    // Those that changed themselves have been listed.
    filters: [['type_id', 'eq', 'configurable'], shown, ['updated_at', 'lt', since], ['entity_id', 'gt', after]],
    sort: ['entity_id'],
    size: maxPageSize,
    fields: 'items[id,sku,extension_attributes],search_criteria,total_count',
  })
  const isMeant = (row: Fields) => articles === null || linksOf(row).some((id) => articles.includes(id))
  const ids = rows.filter(isMeant).map((row) => idIn(row, 'id'))
  const items = await complete(shop, await searchAny(shop, 'products', { field: 'entity_id', values: ids }))
  const last = rows.at(-1)
  const isEnd = rows.length < maxPageSize || !last
  return { items, next: isEnd ? null : JSON.stringify({ since, after: idIn(last, 'id'), articles }), total: null }
}

/** By a search: the path takes article numbers, and those with a slash in them never arrive. */
async function getProduct(shop: MagentoShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const { rows } = await search(shop, 'products', { filters: [['entity_id', 'eq', remoteId], shown], size: 1 })
  const [product = null] = await complete(shop, rows)
  return product
}

const defaultSet = 4

/** Saving a product whose SKU is there changes it: twice does no harm. What is not sent stays as it is. */
async function exportProduct(shop: MagentoShop, draft: ProductDraft): Promise<RemoteProduct> {
  const { currency, attribute_set_id: set = defaultSet } = shop.settings
  if (draft.currency !== currency) throw refused(currency ? say('prices_in', { currency }) : say('other_currency'))
  const { rows } = await search(shop, 'products', { filters: [['sku', 'eq', draft.sku]], size: 1 })
  const known = rows.find((row) => row['sku'] === draft.sku)
  const product = {
    sku: draft.sku,
    name: draft.title,
    price: Number(draft.price),
    ...(known ? {} : { attribute_set_id: set, type_id: 'simple', visibility: 4, status: 1 }),
    ...(draft.status === undefined ? {} : { status: draft.status === 'active' ? 1 : 2 }),
    ...(draft.description_html == null
      ? {}
      : { custom_attributes: [{ attribute_code: 'description', value: draft.description_html }] }),
  }
  if (!known || !saysAlready(known, product)) {
    const request = { method: 'POST', path: pathOf(shop, 'products'), body: { product }, repeatable: true } as const
    bodyIn(await shop.remote.request(request))
  }
  if (draft.quantity != null) {
    const [result] = await setLevels(shop, [{ sku: draft.sku, quantity: draft.quantity }])
    if (result?.error) throw refused(result.error)
  }
  const saved = await search(shop, 'products', { filters: [['sku', 'eq', draft.sku]], size: 1 })
  const [whole] = await complete(shop, saved.rows)
  return toProduct(whole, shop)
}

const saysAlready = (known: Fields, wanted: Fields): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    if (name !== 'custom_attributes') return known[name] === value
    const there = recordsIn(known, name)
    return recordsIn(wanted, name).every((one) =>
      there.some((old) => old['attribute_code'] === one['attribute_code'] && old['value'] === one['value']),
    )
  })
