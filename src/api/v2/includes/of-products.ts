import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import {
  findProductRecord,
  type ProductRecord,
  productRecords,
  rawProducts,
} from '../../../domain/products/product-record-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { pageOrChanges, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { ofOneIntegration, readRecords, type ShopRead, shopList } from '../shop-data.ts'
import { productSchema, productView } from '../views/product.ts'

const include = ['raw']

const productWithIncludesSchema = Type.Object({
  ...productSchema.properties,
  raw: Type.Optional(Type.Unsafe<unknown>({ description: 'The original record of the shop' })),
})

type ProductWithIncludes = Static<typeof productWithIncludesSchema>

export const productList = {
  method: 'GET',
  path: '/products',
  summary: 'List products',
  ...shopList({
    filter: ['sku', 'remote_id', 'active'],
    sort: ['id', 'sku', 'name', 'created_at', 'updated_at'],
    include,
  }),
  returns: pageOrChanges(productWithIncludesSchema),
  handle: ({ context, found: { id }, query }: ShopRead<Integration>) =>
    readRecords<ProductRecord, ProductWithIncludes>(context, id, query, {
      ...productRecords,
      name: 'products',
      view: (products) => viewProducts(context, id, products, query.include),
    }),
} as const

export const findProductOf = ({ db }: Context, { id }: Integration, product: string): Promise<ProductRecord> =>
  findProductRecord(db, id, recordId(product))

export const oneProduct = {
  method: 'GET',
  path: '/products/{product}',
  summary: 'Get a product',
  extension: true,
  query: listQuery({ required: ofOneIntegration, sort: [], include }),
  returns: record(productWithIncludesSchema),
  async handle({ context, found, query }: ShopRead<ProductRecord>): Promise<ProductWithIncludes> {
    const [view] = await viewProducts(context, found.integration_id, [found], query.include)
    return view ?? productView(found)
  },
} as const

async function viewProducts(
  { db }: Context,
  integrationId: number,
  products: readonly ProductRecord[],
  wanted: ReadonlySet<string>,
): Promise<ProductWithIncludes[]> {
  if (!wanted.has('raw')) return products.map(productView)
  const ids = products.map(({ id }) => id)
  const raw = new Map((await rawProducts(db, integrationId, ids)).map((row) => [row.id, row.remote_payload]))
  return products.map((product) => ({ ...productView(product), raw: raw.get(product.id) ?? null }))
}
