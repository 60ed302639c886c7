import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, idIn, timeIn } from '../../commerce/reading.ts'
import { listByTime, secondsFrom } from '../../commerce/wire/time-pages.ts'
import { chunks } from '../../lib/chunks.ts'
import { ask, asked, askPage, isId } from './ask.ts'
import { exportProduct } from './changes/export-product.ts'
import type { BigShop, Credentials, Settings } from './settings.ts'
import { toProduct } from './translate-product.ts'

const maxProducts = 250
const include = 'variants,images'

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  translate: toProduct,
  takes: ['images', 'variants'],
  export: {
    repeatable: true,
    send: async (shop, draft, operation) =>
      toProduct(await getProduct(shop, await exportProduct(shop, draft, operation))),
  },
}

async function listProducts(shop: BigShop, query: ReadQuery): Promise<RawPage> {
  const size = Math.min(query.limit, maxProducts)
  const page = await listByTime(
    {
      size,
      idOf: (product) => idIn(product, 'id'),
      timeOf: (product) => timeIn(product, 'date_modified'),
      ask: ({ from, until, page: number }) =>
        askPage(shop, '/v3/catalog/products', {
          include,
          sort: 'date_modified',
          direction: 'asc',
          'date_modified:min': asked(from),
          'date_modified:max': until && asked(secondsFrom(until, -1)),
          limit: size,
          page: number,
        }),
    },
    query,
  )
  return { ...page, items: await complete(shop, page.items.map(fieldsOf)) }
}

async function getProduct(shop: BigShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const answer = await ask(shop, { path: `/v3/catalog/products/${remoteId}`, query: { include } })
  if (answer === null) return null
  const [product = null] = await complete(shop, [fieldsOf(fieldsOf(answer)['data'])])
  return product
}

/** Products name their brand by its number, and leave what all have in common to the store. */
async function complete(shop: BigShop, rows: readonly Fields[]): Promise<Fields[]> {
  if (rows.length === 0) return []
  const { currency, weight_units, secure_url } = fieldsOf(await ask(shop, { path: '/v2/store' }))
  const brands = await brandsOf(shop, rows)
  return rows.map((row) => ({
    ...row,
    brand: brands.get(String(row['brand_id'])) ?? null,
    store: { currency, weight_units, secure_url },
  }))
}

const brandsAtOnce = 50

async function brandsOf(shop: BigShop, rows: readonly Fields[]): Promise<Map<string, unknown>> {
  const ids = [...new Set(rows.map((row) => Number(row['brand_id'] ?? 0)).filter((id) => id > 0))]
  const names = new Map<string, unknown>()
  for (const some of chunks(ids, brandsAtOnce)) {
    const query = { 'id:in': some.join(','), limit: brandsAtOnce }
    const { rows: brands } = await askPage(shop, '/v3/catalog/brands', query)
    for (const brand of brands) names.set(idIn(brand, 'id'), brand['name'])
  }
  return names
}
