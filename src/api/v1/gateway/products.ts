import { Type } from 'typebox'
import { type ProductDraft, productDraftSchema } from '../../../commerce/product.ts'
import { exportProducts } from '../../../domain/products/export-products.ts'
import type { Product } from '../../../domain/products/product.ts'
import { productRecords } from '../../../domain/products/product-record-store.ts'
import {
  flag,
  id,
  integer,
  list,
  logged,
  maybe,
  object,
  optional,
  type Shape,
  text,
} from '../../../lib/validation/fields.ts'
import { bulkLimit, listOf, page } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { pageOfRecords } from '../../v2/shop-data.ts'
import { exportResultSchema, productSchema, productView } from '../views/product.ts'
import { gateway } from './group.ts'
import { currency, money, toDecimal } from './money-field.ts'

const listAll = endpoint({
  group: gateway,
  method: 'GET',
  path: '/products',
  right: 'read-integration',
  summary: 'List products',
  query: listQuery({
    filter: ['sku', 'remote_id', 'active'],
    sort: ['id', 'sku', 'name', 'created_at', 'updated_at'],
  }),
  returns: page(productSchema),
  handle: ({ context, admitted, query }) => pageOfRecords(context, admitted.id, query, products),
})

const products = {
  ...productRecords,
  name: 'products-1.0',
  view: (found: readonly Product[]) => found.map(productView),
}

const newProduct = object({
  sku: logged(text()),
  name: text(),
  description: maybe(text({ max: 5000 })),
  price: money(),
  currency: currency(),
  quantity: maybe(integer({ minimum: 0 })),
  active: optional(flag('Whether customers see it; true unless told')),
  images: productDraftSchema.properties.images,
})

const toDraft = ({ name, description, price, active = true, ...rest }: Shape<typeof newProduct>): ProductDraft => ({
  ...rest,
  title: name,
  description_html: description ?? null,
  price: toDecimal(price),
  status: active ? 'active' : 'inactive',
})

const exportAll = endpoint({
  group: gateway,
  method: 'POST',
  path: '/export-products',
  right: 'run-action',
  summary: 'Export products to a cart',
  description:
    'Creates or updates products in the shop. Each is named by its id here, or given in full: then the product with that SKU is changed in the shop, or made where there is none. Each has a result of its own.',
  status: 200,
  bodyLimit: bulkLimit,
  body: object({ products: list(Type.Union([id(), newProduct]), { min: 1, max: 100 }) }),
  example: { products: [1, { sku: 'A-1', name: 'Kettle', price: '33.25', currency: 'EUR', quantity: 5 }] },
  returns: listOf(exportResultSchema),
  handle: async ({ context, admitted, body }) => {
    const wanted = body.products.map((one) => (typeof one === 'number' ? one : toDraft(one)))
    const outcomes = await exportProducts(context, admitted, wanted)
    return outcomes.map(({ id: known, sku, remoteId, error }) => ({
      id: known,
      sku,
      remote_id: remoteId,
      status: error === null ? ('exported' as const) : ('failed' as const),
      error,
    }))
  },
})

export const gatewayProducts = [listAll, exportAll]
