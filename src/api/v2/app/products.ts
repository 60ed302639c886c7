import { pageOrChanges, record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import {
  findProductOf,
  productListQuery,
  productPage,
  productQuery,
  productWithIncludesSchema,
  viewProduct,
} from '../includes/of-products.ts'
import { shopOfApp } from '../shop-data.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/products',
  scope: 'app:integration-read',
  summary: 'List products',
  description:
    'Of one integration. `updated_since` answers with what has changed since instead, and never leaves one out.',
  extension: true,
  find: shopOfApp,
  query: productListQuery,
  returns: pageOrChanges(productWithIncludesSchema),
  handle: ({ context, found, query }) => productPage(context, found.id, query),
})

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/products/{product}',
  scope: 'app:integration-read',
  summary: 'Get a product',
  extension: true,
  find: async (asked) => await findProductOf(asked.context, (await shopOfApp(asked)).id, asked.params.product),
  query: productQuery,
  returns: record(productWithIncludesSchema),
  handle: ({ context, found, query }) => viewProduct(context, found, query.include),
})

export const appProducts = [list, get]
