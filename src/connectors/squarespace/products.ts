import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { chunks } from '../../lib/chunks.ts'
import { bodyOf, isId, isMissing, rowsIn } from './ask.ts'
import { type CursorList, changedSince, isSince, turn } from './pages.ts'
import type { Credentials, Settings, SquareShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

/** Products have a version of their own, apart from everything else. */
export const productsPath = '/v2/commerce/products'

export const productList = (first: CursorList['first']): CursorList => ({
  ...{ path: productsPath, rows: 'products', id: 'id', first },
})

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: async (shop, id) => (await readProducts(shop, [id]))[0] ?? null,
  getSeveral: readProducts,
  translate: toProduct,
}

async function listProducts(shop: SquareShop, query: ReadQuery): Promise<RawPage> {
  const { updatedSince: since } = query
  const { items, next } = await turn(shop, productList(changedSince(since)), query)
  return { items: items.filter((product) => isSince(product, since)), next, total: null }
}

const atOnce = 50

/** These products as they are now. The platform answers for all or for none: where one is gone, each is asked for by itself. */
export async function readProducts(shop: SquareShop, ids: readonly string[]): Promise<readonly Fields[]> {
  const found: Fields[] = []
  for (const some of chunks(ids.filter(isId), atOnce)) {
    const answer = await shop.remote.request({ method: 'GET', path: `${productsPath}/${some.join(',')}` })
    if (!some.some((id) => isMissing(answer, id))) found.push(...rowsIn(fieldsOf(bodyOf(answer)), 'products'))
    else if (some.length > 1) for (const id of some) found.push(...(await readProducts(shop, [id])))
  }
  return found
}
