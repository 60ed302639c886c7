import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import { inOrder } from '../../lib/sealing/canonical-json.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ChangePlan } from '../../runtime/db/lists/changes.ts'
import type { ListPlan, PageOf, PageQuery, Reader } from '../../runtime/db/lists/paginate.ts'
import { keyInMemory } from '../../runtime/db/vault/vault.ts'
import type { Order } from './order.ts'
import { listOrderRows, listOrders, orderList } from './order-list-store.ts'
import { orderColumns } from './order-store.ts'
import { type Sealed, unsealOrder, unsealOrders, unsealRemotes } from './privacy/private-part.ts'

/** Orders with everything that we hold of them, for whoever reads along. */
export interface OrderRecord extends Order {
  remote_status: string | null
  deleted_at: string | null
}

const columns = [...orderColumns, 'remote_status', 'deleted_at'] as const

const recordList: ListPlan = {
  ...orderList,
  name: 'order-records',
  columns: columns.join(', '),
  filters: {
    ...orderList.filters,
    placed_since: { column: 'placed_at', type: 'timestamptz', match: 'from' },
    placed_until: { column: 'placed_at', type: 'timestamptz', match: 'to' },
  },
}

/** All orders, acknowledged or not, unless the filter says which. */
export async function listOrderRecords(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
): Promise<PageOf<OrderRecord>> {
  return await listOrders<OrderRecord>(reader, integrationId, everyOrder(query), recordList)
}

const everyOrder = (query: PageQuery): PageQuery => ({ ...query, filter: { acknowledged: ['all'], ...query.filter } })

const openOrderRecords = (reader: Reader, rows: readonly Sealed<OrderRecord>[]): Promise<OrderRecord[]> =>
  unsealOrders<OrderRecord>(reader, rows)

const orderChanges: ChangePlan = {
  name: 'orders',
  from: 'orders',
  columns: columns.join(', '),
  keys: [{ column: 'id', type: 'bigint' }],
}

const listEveryOrder = <Row>(reader: Reader, integrationId: number, query: PageQuery, plan: ListPlan) =>
  listOrderRows<Row>(reader, integrationId, everyOrder(query), plan)

/** How they are listed, and read as they change. */
export const orderRecords = {
  list: listEveryOrder,
  plan: recordList,
  changes: orderChanges,
  open: openOrderRecords,
  openedWith: keyInMemory,
}

const selectOrder = (db: Db, integrationId: number, id: number) =>
  db
    .selectFrom('orders')
    .select(columns)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .$castTo<Sealed<OrderRecord>>()

export const findOrderRecord = async (db: Db, integrationId: number, id: number): Promise<OrderRecord> =>
  await unsealOrder<OrderRecord>(
    db,
    await selectOrder(db, integrationId, id).where('deleted_at', 'is', null).executeTakeFirstOrThrow(notFound),
  )

/** Deleted or not: for whoever asks what became of it. */
export const findOrderEver = async (db: Db, integrationId: number, id: number): Promise<OrderRecord> =>
  await unsealOrder<OrderRecord>(db, await selectOrder(db, integrationId, id).executeTakeFirstOrThrow(notFound))

/** Deleted or not, oldest first. */
export async function orderRecordsByIds(db: Db, integrationId: number, ids: readonly number[]): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('orders')
    .select(columns)
    .where('integration_id', '=', integrationId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .orderBy('id')
    .$castTo<Sealed<OrderRecord>>()
    .execute()
  return await unsealOrders<OrderRecord>(db, rows)
}

const maxPerNumber = 10

/** With one of these numbers, in one of these integrations (few, please), newest first; deleted or not. */
export async function ordersByNumber(
  db: Db,
  integrationIds: readonly number[],
  numbers: readonly string[],
): Promise<OrderRecord[]> {
  const rows = await db
    .selectFrom('orders')
    .select(columns)
    .where('integration_id', '=', sql<number>`any(${[...integrationIds]}::bigint[])`)
    .where('number', '=', sql<string>`any(${[...numbers]}::text[])`)
    .orderBy('id', 'desc')
    .limit(maxPerNumber)
    .$castTo<Sealed<OrderRecord>>()
    .execute()
  return await unsealOrders<OrderRecord>(db, rows)
}

/** The original record of the shop. */
export async function rawOrders(
  db: Db,
  integrationId: number,
  ids: readonly number[],
): Promise<{ id: number; remote_payload: unknown }[]> {
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'remote_id', 'remote_payload', 'remote_record'])
    .where('integration_id', '=', integrationId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
  const opened = await unsealRemotes(db, integrationId, rows)
  return opened.map(({ id, remote_payload: payload }) => ({ id, remote_payload: inOrder(payload) }))
}
