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
import { shopOfAccount } from '../shop-data.ts'

const list = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/products',
  scope: 'webcomponent:integration-read',
  summary: 'List products',
  description:
    'Of one integration. `updated_since` answers with what has changed since instead, and never leaves one out.',
  extension: true,
  find: shopOfAccount,
  query: productListQuery,
  returns: pageOrChanges(productWithIncludesSchema),
  handle: ({ context, found, query }) => productPage(context, found.id, query),
})

const get = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/products/{product}',
  scope: 'webcomponent:integration-read',
  summary: 'Get a product',
  extension: true,
  find: async (asked) => await findProductOf(asked.context, (await shopOfAccount(asked)).id, asked.params.product),
  query: productQuery,
  returns: record(productWithIncludesSchema),
  handle: ({ context, found, query }) => viewProduct(context, found, query.include),
})

export const webcomponentProducts = [list, get]
