import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsIn, fieldsOf, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { ask, askSized, indexWith, isGid, nextIn, since } from './ask.ts'
import { cursorOf, type PagePlace } from './bulk/cursor.ts'
import { countIn, listLarge } from './bulk/large-list.ts'
import { productsIn } from './bulk/products.ts'
import { exportProduct } from './changes/export-product.ts'
import {
  bulkProducts,
  moreVariants,
  oneProduct,
  productCount,
  productIndex,
  productPage,
} from './documents/products.ts'
import type { Credentials, Settings, ShopifyShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

const maxProducts = 50
/** Each may have many variants, of which pages of products contain only the first. */
const inBulk = { count: productCount, name: 'productsCount', bulk: bulkProducts, many: 2000, itemsOf: productsIn }

export const products: Products<Settings, Credentials> = {
  list: listLarge(inBulk, readPage),
  get: getProduct,
  translate: toProduct,
  index: indexWith(productIndex, 'products'),
  export: {
    repeatable: true,
    send: async (shop, draft, operation) =>
      toProduct(fieldsOf(await getProduct(shop, await exportProduct(shop, draft, operation)))),
  },
  takes: ['images', 'variants'],
}

async function readPage(shop: ShopifyShop, { updatedSince, limit }: ReadQuery, place: PagePlace): Promise<RawPage> {
  const { data, first } = await askSized(shop, productPage, {
    first: Math.min(limit, place.first ?? maxProducts),
    after: place.after,
    query: since(updatedSince),
    count: place.after === null,
  })
  const page = fieldsIn(data, 'products')
  const items: Fields[] = []
  for (const product of recordsIn(page, 'nodes')) items.push(await completeProduct(shop, data, product))
  const next = nextIn(page)
  const size = first < Math.min(limit, maxProducts) ? first : place.first
  return {
    items,
    next: next === null ? null : cursorOf({ first: size, after: next }),
    total: countIn(data, 'productsCount'),
  }
}

/** With all its variants, and with the currency, which stands at the shop. */
async function completeProduct(shop: ShopifyShop, data: Fields, product: Fields): Promise<Fields> {
  const reported = fieldsIn(product, 'variants')
  const nodes = [...recordsIn(reported, 'nodes')]
  for (let after = nextIn(reported); after !== null; ) {
    const holder = maybeFields(await ask(shop, moreVariants, { id: textIn(product, 'id'), after }), 'product')
    if (holder === null) break
    nodes.push(...recordsIn(fieldsIn(holder, 'variants'), 'nodes'))
    after = nextIn(fieldsIn(holder, 'variants'))
  }
  const currencyCode = textIn(fieldsIn(data, 'shop'), 'currencyCode')
  return { ...product, currencyCode, variants: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } }
}

async function getProduct(shop: ShopifyShop, remoteId: string): Promise<Fields | null> {
  if (!isGid(remoteId, 'Product')) return null
  const data = await ask(shop, oneProduct, { id: remoteId })
  const product = maybeFields(data, 'product')
  return product && (await completeProduct(shop, data, product))
}
