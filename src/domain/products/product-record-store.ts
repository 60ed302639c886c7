import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ChangePlan } from '../../runtime/db/lists/changes.ts'
import type { ListPlan } from '../../runtime/db/lists/paginate.ts'
import type { Product } from './product.ts'
import { listProducts, productColumns, productList } from './product-store.ts'

/** Products with everything that we hold of them, for whoever reads along. */
export interface ProductRecord extends Product {
  variants: readonly unknown[]
  remote_status: string | null
  deleted_at: string | null
}

const columns = [...productColumns, 'variants', 'remote_status', 'deleted_at'] as const

const recordList: ListPlan = { ...productList, name: 'product-records', columns: columns.join(', ') }

const productChanges: ChangePlan = {
  name: 'products',
  from: 'products',
  columns: columns.join(', '),
  keys: [{ column: 'id', type: 'bigint' }],
}

/** How they are listed, and read as they change. */
export const productRecords = { list: listProducts, plan: recordList, changes: productChanges }

export async function findProductRecord(db: Db, integrationId: number, id: number): Promise<ProductRecord> {
  return await db
    .selectFrom('products')
    .select(columns)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<ProductRecord>()
    .executeTakeFirstOrThrow(notFound)
}

/** The original record of the shop. */
export async function rawProducts(
  db: Db,
  integrationId: number,
  ids: readonly number[],
): Promise<{ id: number; remote_payload: unknown }[]> {
  return await db
    .selectFrom('products')
    .select(['id', 'remote_payload'])
    .where('integration_id', '=', integrationId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
}
