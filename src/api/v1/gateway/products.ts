import { exportProducts } from '../../../domain/products/export-products.ts'
import { listProducts } from '../../../domain/products/product-store.ts'
import { id, list, object } from '../../../lib/validation/fields.ts'
import { bulkLimit, listOf, page } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { exportResultSchema, productSchema, productView } from '../views/product.ts'
import { gateway } from './group.ts'

const listAll = endpoint({
  group: gateway,
  method: 'GET',
  path: '/products',
  summary: 'List products',
  query: listQuery({
    filter: ['sku', 'remote_id', 'active'],
    sort: ['id', 'sku', 'name', 'created_at', 'updated_at'],
  }),
  returns: page(productSchema),
  handle: async ({ context, admitted, query }) => {
    const { rows, total } = await listProducts(context.reader, admitted.id, query)
    return { rows: rows.map(productView), total }
  },
})

const exportAll = endpoint({
  group: gateway,
  method: 'POST',
  path: '/export-products',
  summary: 'Export products to a cart',
  description: 'Creates or updates products in the shop. Each has a result of its own.',
  status: 200,
  bodyLimit: bulkLimit,
  body: object({ products: list(id(), { min: 1, max: 100 }) }),
  example: { products: [1, 2] },
  returns: listOf(exportResultSchema),
  handle: async ({ context, admitted, body }) => {
    const outcomes = await exportProducts(context, admitted, body.products)
    return outcomes.map(({ product, remoteId, error }) => ({
      id: product.id,
      sku: product.sku,
      remote_id: remoteId,
      status: error === null ? ('exported' as const) : ('failed' as const),
      error,
    }))
  },
})

export const gatewayProducts = [listAll, exportAll]
