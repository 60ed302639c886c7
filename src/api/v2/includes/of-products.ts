import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import {
  findProductRecord,
  listProductRecords,
  type ProductRecord,
  productChanges,
  rawProducts,
} from '../../../domain/products/product-record-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { type ListQuery, listQuery } from '../../../runtime/http/list-query.ts'
import { ofOneIntegration, readShop } from '../shop-data.ts'
import { productSchema, productView } from '../views/product.ts'

const include = ['raw']

export const productListQuery = listQuery({
  required: ofOneIntegration,
  changes: true,
  filter: ['sku', 'remote_id', 'active'],
  sort: ['id', 'sku', 'name', 'created_at', 'updated_at'],
  include,
})
export const productQuery = listQuery({ required: ofOneIntegration, sort: [], include })

export const productWithIncludesSchema = Type.Object({
  ...productSchema.properties,
  raw: Type.Optional(Type.Unsafe<unknown>({ description: 'What the shop said, as it said it' })),
})

type ProductWithIncludes = Static<typeof productWithIncludesSchema>

export const productPage = (context: Context, integrationId: number, query: ListQuery) =>
  readShop<ProductRecord, ProductWithIncludes>(context, integrationId, query, {
    page: ({ reader }, id, asked) => listProductRecords(reader, id, asked),
    changes: productChanges,
    view: (products) => viewProducts(context, integrationId, products, query.include),
  })

export const findProductOf = ({ db }: Context, integrationId: number, product: string): Promise<ProductRecord> =>
  findProductRecord(db, integrationId, recordId(product))

export async function viewProduct(
  context: Context,
  product: ProductRecord,
  wanted: ReadonlySet<string>,
): Promise<ProductWithIncludes> {
  const [view] = await viewProducts(context, product.integration_id, [product], wanted)
  return view ?? productView(product)
}

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
