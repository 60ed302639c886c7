import { sql } from 'kysely'
import { compareDecimals } from '../../commerce/decimal.ts'
import type { OrderReturn } from '../../commerce/order.ts'
import { notFound } from '../../lib/fault.ts'
import { isOlderVersion, versionsIn } from '../../lib/remote-version.ts'
import type { RecordKey } from '../../lib/sealing/record-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { countRows, lockCounted } from '../../runtime/db/lists/row-counters.ts'
import { namedRows } from '../../runtime/db/rows/named-rows.ts'
import { keyForSealing } from '../../runtime/db/vault/vault.ts'
import {
  type HeldStatus,
  type Order,
  type OrderStatus,
  returnNews,
  type SyncedOrder,
  statusAfterSync,
  wishOf,
} from './order.ts'
import { countOrder, type OrderPlace } from './order-counts.ts'
import { type EventOrder, emitOrders, eventOrderColumns } from './order-events.ts'
import { anyOrdersByIds, orderDetailColumns } from './order-store.ts'
import { storeParcels } from './parcels/parcel-store.ts'
import { historyWords, oneNote, returnNote } from './privacy/history-sentences.ts'
import { addHistory } from './privacy/history-store.ts'
import { privateColumns } from './privacy/private-part.ts'
import { comparableRows, type RowToSeal, type SealedRows, sealRows } from './privacy/seal-rows.ts'
import { sealStored, unsealed } from './privacy/seal-store.ts'
import { buriedAmong, lockStored } from './privacy/tombstone-store.ts'

export interface UpsertedOrders {
  inserted: number[]
  updated: number[]
  /** The shop's ids of both. */
  changed: { remoteId: string; isNew: boolean }[]
  /** Nothing new in them, older than what we hold, or deleted here (unlike those that the shop had lost for a while). */
  unchanged: number
  /** The shop's versions that were held before, without what the shop had no longer. */
  versions: Map<string, string | null>
}

/**
 * A page of orders from the shop: rows, history and counters in the caller's transaction, each in one statement.
 * `ids` come from `takeIds`, one for each order that may be new (`countKnownOrders`); `runId` is who brought them.
 */
export async function upsertOrders(
  trx: Db,
  integrationId: number,
  input: {
    ids: readonly number[]
    orders: readonly SyncedOrder[]
    runId?: number | null
    /** Whether we asked, the shop reported it, or a caller of ours did it. */
    source?: 'shop' | 'webhook' | 'api'
    /** Why, in the words of whoever did it. */
    note?: string | null
    /** Says only which orders have another status: nothing has happened to the others. */
    quietly?: boolean
  },
): Promise<UpsertedOrders> {
  const anchor = await lockStored(trx, integrationId)
  if (anchor === null) throw notFound()
  const { at, tombstones } = anchor
  const incoming = newestOfEach(input.orders)
  const erased = await buriedAmong(trx, integrationId, tombstones, [...incoming.keys()])
  const key = await keyForSealing(trx, integrationId)
  const held = await heldOrders(trx, integrationId, { at, key, remoteIds: [...incoming.keys()] })
  const ids = input.ids.values()
  await markIncomplete(trx, integrationId, behindIn(incoming, held))
  const rows = [...incoming.values()].flatMap((order) => {
    const known = held.get(order.remote_id)
    if (known && (known.removed || isOlderVersion(order.remote_version, known.remote_version))) return []
    // Nothing that is known is given up for a part of it.
    if (known && !known.deleted && order.incomplete) return []
    const status = known ? statusAfterSync(standingOf(known, order), order.status) : order.status
    // Where orders do not tell of returns, a list of their own has.
    const returns = order.returns ?? known?.returns ?? []
    return [{ ...order, ...known?.kept, returns, parcels: undefined, status, id: known?.id ?? ids.next().value }]
  })
  const isRedacted = ({ remote_id: remoteId }: Pick<SyncedOrder, 'remote_id'>) =>
    erased.has(remoteId) || (held.get(remoteId)?.redacted ?? false)
  const mayHaveChanged = await withoutSame(trx, integrationId, { key, rows, held, isRedacted })
  const written =
    mayHaveChanged.length === 0
      ? []
      : await writeRows(trx, integrationId, {
          at,
          rows: await sealRows(key, integrationId, mayHaveChanged, isRedacted),
        })
  const changes = written.map((row) => ({ row, was: held.get(row.remote_id) ?? null }))
  await countRows(
    trx,
    integrationId,
    changes.flatMap(({ row, was }) => countOrder(was, { ...row, deleted: false })),
  )
  const wishIn = ({ row, was }: (typeof changes)[number]) => {
    const order = incoming.get(row.remote_id)
    return order ? wishOf(was, order, row.status) : null
  }
  const returnsIn = ({ row, was }: (typeof changes)[number]) =>
    was ? returnNews(was.returns, incoming.get(row.remote_id)?.returns ?? []) : []
  const news = changes.filter(
    (change) =>
      change.was?.status !== change.row.status ||
      change.was.remote_status !== change.row.remote_status ||
      wishIn(change) !== null ||
      returnsIn(change).length > 0,
  )
  await addHistory(
    trx,
    integrationId,
    news.map((change) => {
      const { id, status, remote_status } = change.row
      const wish = wishIn(change)
      const notes = [
        ...(input.note ? [input.note] : []),
        ...(wish ? [historyWords(wishes[wish])] : []),
        ...returnsIn(change).map(returnNote),
      ]
      return {
        order_id: id,
        status,
        remote_status,
        source: input.source ?? ('shop' as const),
        note: oneNote(notes),
        run_id: input.runId ?? null,
      }
    }),
  )
  const reported = input.quietly ? changes.filter(({ row, was }) => was?.status !== row.status) : changes
  await emitOrders(trx, integrationId, reported, ({ row, was }) => {
    const order = incoming.get(row.remote_id)
    return order
      ? {
          order: { ...order, integration_id: integrationId, id: row.id, status: row.status, updated_at: at },
          was: was?.deleted ? null : (was?.status ?? null),
          cancelRequested: wishIn({ row, was }) === 'made',
          returnRequested: returnsIn({ row, was }).some(({ isRequest }) => isRequest),
          refunded: was !== null && compareDecimals(order.refunded_total ?? '0', was.refunded_total ?? '0') > 0,
        }
      : null
  })
  // Also of orders that have not changed: some platforms put a number on a parcel without a word about the order.
  await storeParcels(trx, integrationId, {
    at,
    orders: rows.flatMap(({ id, remote_id: remoteId }) => {
      const parcels = incoming.get(remoteId)?.parcels
      return parcels && id !== undefined ? [{ orderId: id, parcels }] : []
    }),
  })
  return {
    inserted: changes.flatMap(({ row, was }) => (was ? [] : [row.id])),
    updated: changes.flatMap(({ row, was }) => (was ? [row.id] : [])),
    changed: changes.map(({ row, was }) => ({ remoteId: row.remote_id, isNew: was === null })),
    unchanged: input.orders.length - written.length,
    versions: versionsIn(held),
  }
}

const wishes = {
  made: 'history.cancel_wanted',
  withdrawn: 'history.cancel_withdrawn',
} as const

/** A page may name an order twice; one statement may not write it twice. */
function newestOfEach(orders: readonly SyncedOrder[]): Map<string, SyncedOrder> {
  const newest = new Map<string, SyncedOrder>()
  for (const order of orders) {
    const other = newest.get(order.remote_id)
    if (!other || !isOlderVersion(order.remote_version, other.remote_version)) newest.set(order.remote_id, order)
  }
  return newest
}

/** Those that have changed in the shop since, of which it has told no more than a part. */
const behindIn = (incoming: ReadonlyMap<string, SyncedOrder>, held: ReadonlyMap<string, HeldOrder>): string[] =>
  [...incoming.values()].flatMap(({ incomplete, remote_id: remoteId, remote_version: version }) => {
    const known = held.get(remoteId)
    return incomplete && known && isOlderVersion(known.remote_version, version) ? [remoteId] : []
  })

/** The shop has more of these than we do. */
export async function markIncomplete(trx: Db, integrationId: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    update orders set incomplete = true, updated_at = now()
    where integration_id = ${integrationId} and remote_id = any(${[...keys]}::text[]) and not incomplete`.execute(trx)
}

interface HeldOrder extends OrderPlace {
  remote_status: string | null
  remote_version: string | null
  refunded_total: string | null
  returns: readonly OrderReturn[]
  cancel_requested: boolean
  /** Moved here, and since then not long enough for the shop to have shown it. */
  moved: boolean
  /** Moved here, and the shop will never show it. */
  ours: boolean
  /** Deleted, and not because the shop had it no longer. */
  removed: boolean
  /** Who bought has been forgotten. */
  redacted: boolean
  /** What was changed here of its sealed part: no sync takes it back. */
  kept: Partial<Pick<Order, 'customer' | 'billing_address' | 'shipping_address'>>
}

/** As long as the shop's version is the one from before our change, the shop cannot know better. */
const standingOf = (held: HeldOrder, incoming: SyncedOrder): HeldStatus => ({
  status: held.status,
  acknowledged: held.acknowledged,
  underWay: held.ours || (held.moved && held.remote_version === incoming.remote_version),
})

async function heldOrders(
  trx: Db,
  integrationId: number,
  { at, key, remoteIds }: { at: string; key: RecordKey; remoteIds: string[] },
): Promise<Map<string, HeldOrder>> {
  const { rows } = await sql<Omit<HeldOrder, 'kept'> & { remote_id: string; kept_here: string[]; unsealed: boolean }>`
    select id, remote_id, status, sandbox, remote_status, remote_version, refunded_total, returns, cancel_requested,
      acknowledged_at is not null as acknowledged, deleted_at is not null as deleted,
      deleted_at is not null and vanished_at is null as removed, redacted_at is not null as redacted,
      ${sql.raw(unsealed)} as unsealed, kept_here,
      coalesce(moved_here_until > ${at}::timestamptz, false) as moved, coalesce(moved_here_until = 'infinity', false) as ours
    from ${namedRows('orders', integrationId, remoteIds)}`.execute(trx)
  // From before records were sealed: only what is sealed alike can be compared.
  const fromBefore = rows.flatMap((row) => (row.unsealed ? [row.id] : []))
  if (fromBefore.length > 0) await sealStored(trx, integrationId, key, fromBefore)
  const needed = rows.flatMap((row) =>
    row.returns.length > 0 || keptPrivate.some((column) => row.kept_here.includes(column)) ? [row.id] : [],
  )
  const whole = new Map((await anyOrdersByIds(trx, integrationId, needed)).map((order) => [order.id, order]))
  return new Map(
    rows.map(({ kept_here: columns, ...row }) => {
      const order = whole.get(row.id)
      const kept = keptPrivate.flatMap((column) => (order && columns.includes(column) ? [[column, order[column]]] : []))
      const returns = order?.returns ?? row.returns
      return [row.remote_id, { ...row, returns, kept: row.redacted ? {} : Object.fromEntries(kept) }]
    }),
  )
}

const keptPrivate = ['customer', 'billing_address', 'shipping_address'] as const

interface WrittenRow {
  id: number
  remote_id: string
  status: OrderStatus
  sandbox: boolean
  acknowledged: boolean
  remote_status: string | null
}

/**
 * What the shop decides about an order, and by which it is compared. Its own record is not compared: platforms shuffle
 * fields that mean nothing, and whatever does mean something is among these or moves the version.
 */
const syncedColumnNames = [
  'number',
  'status',
  'currency',
  'total',
  'items',
  ...orderDetailColumns.filter((column) => !privateColumns.some((one) => one === column)),
  'placed_at',
  'sandbox',
  'remote_status',
  'remote_version',
  // For all that is sealed, and for a buyer who was forgotten.
  'private_digest',
  'customer',
] as const

/** What goes with them, and says nothing more. */
const writtenColumnNames = [...syncedColumnNames, 'private', 'private_words', 'remote_record', 'remote_payload']

const writtenColumns = sql.raw(writtenColumnNames.join(', '))
const heldColumns = sql.raw(syncedColumnNames.map((column) => `o.${column}`).join(', '))
/** What was changed here stays as it is; what is sealed of that has been merged before. */
const newValue = (column: string) =>
  column === 'number'
    ? `case when 'number' = any(o.kept_here) then o.number else excluded.number end`
    : `excluded.${column}`
const newColumns = sql.raw(syncedColumnNames.map(newValue).join(', '))
const comparedColumns = sql.raw(
  syncedColumnNames
    .map((column) => (column === 'private_digest' ? `decode(excluded.private_digest, 'hex')` : newValue(column)))
    .join(', '),
)
const assignments = sql.raw(writtenColumnNames.map((column) => `${column} = ${newValue(column)}`).join(', '))

/** What a document holds of each order. */
const recordFields = sql.raw(`
  id bigint, remote_id text, number text, status text, currency text, total numeric, customer jsonb,
  items jsonb, payment_status text, fulfillment_status text,
  hold_reason text, subtotal numeric, discount_total numeric, shipping_total numeric, tax_total numeric,
  fee_total numeric, refunded_total numeric, prices_include_tax boolean, shipping_method text,
  admin_url text, ship_by timestamptz, service_level text, fulfilled_by text, sales_channel text, presentment jsonb,
  cancel_requested boolean, incomplete boolean, fees jsonb, refunds jsonb, returns jsonb,
  placed_at timestamptz, sandbox boolean, remote_status text, remote_version text, remote_payload jsonb,
  private_digest text, private_words bigint[], private_at int, private_size int, record_at int, record_size int,
  redacted boolean`)

/**
 * Without those that are as we hold them. Of a shop that is read again these are nearly all: so that is found out before anything is sealed, and
 * without a lock, which would be written into each row.
 */
async function withoutSame(
  trx: Db,
  integrationId: number,
  {
    key,
    rows,
    held,
    isRedacted,
  }: {
    key: RecordKey
    rows: RowToSeal[]
    held: ReadonlyMap<string, HeldOrder>
    isRedacted: (row: RowToSeal) => boolean
  },
): Promise<RowToSeal[]> {
  const perhaps = rows.filter((row) => {
    const known = held.get(row.remote_id)
    return known && !known.deleted && known.remote_version === row.remote_version && !isRedacted(row)
  })
  if (perhaps.length === 0) return rows
  const same = await sql<{ remote_id: string }>`
    select o.remote_id from jsonb_to_recordset(${await comparableRows(key, perhaps)}::jsonb) excluded(${recordFields})
    cross join lateral (
      select * from orders where integration_id = ${integrationId} and remote_id = excluded.remote_id offset 0
    ) o
    where (${heldColumns}) is not distinct from (${comparedColumns})`.execute(trx)
  const ids = new Set(same.rows.map(({ remote_id: remoteId }) => remoteId))
  return rows.filter(({ remote_id: remoteId }) => !ids.has(remoteId))
}

async function writeRows(
  trx: Db,
  integrationId: number,
  { at, rows: { document, bytes } }: { at: string; rows: SealedRows },
): Promise<WrittenRow[]> {
  // One JSON document is the fastest way in (0.9 of COPY), and the join with the anchor keeps it within one shard.
  const { rows: written } = await sql<WrittenRow>`
    insert into orders as o (integration_id, id, remote_id, cancelled_at, redacted_at, ${writtenColumns})
    select s.integration_id, r.id, r.remote_id, case when r.status = 'CANCELLED' then ${at}::timestamptz end,
      case when r.redacted then ${at}::timestamptz end, ${recordColumns}
    from integration_state s
    cross join (select ${bytes}::bytea as bytes) sealed
    cross join jsonb_to_recordset(${document}::jsonb) r(${recordFields})
    where s.integration_id = ${integrationId}
    on conflict (integration_id, remote_id) do update
    set ${assignments}, updated_at = excluded.updated_at, redacted_at = coalesce(o.redacted_at, excluded.redacted_at),
      cancelled_at = case when excluded.status = 'CANCELLED' then coalesce(o.cancelled_at, excluded.cancelled_at) end,
      moved_here_until = case when excluded.status = o.status then o.moved_here_until end, deleted_at = null, vanished_at = null
    where o.vanished_at is not null or (${heldColumns}) is distinct from (${newColumns})
    returning id, remote_id, status, sandbox, acknowledged_at is not null as acknowledged, remote_status`.execute(trx)
  return written
}

const asRecord: Readonly<Record<string, string>> = {
  private_digest: `decode(r.private_digest, 'hex')`,
  private: 'substr(sealed.bytes, r.private_at, r.private_size)',
  remote_record: 'substr(sealed.bytes, r.record_at, r.record_size)',
}
const recordColumns = sql.raw(writtenColumnNames.map((column) => asRecord[column] ?? `r.${column}`).join(', '))

/** How many of them we hold, deleted or not: those need no id. */
export async function countKnownOrders(db: Db, integrationId: number, remoteIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${namedRows('orders', integrationId, remoteIds)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** The shop has them no longer. They leave all lists, and come back if the shop has them again. */
export async function removeVanishedOrders(
  trx: Db,
  integrationId: number,
  remoteIds: readonly string[],
): Promise<number> {
  if (remoteIds.length === 0) return 0
  const at = await lockCounted(trx, integrationId)
  if (at === null) throw notFound()
  const { rows } = await sql<OrderPlace & EventOrder & { remote_status: string | null }>`
    update orders set deleted_at = ${at}::timestamptz, vanished_at = ${at}::timestamptz, updated_at = ${at}::timestamptz
    where integration_id = ${integrationId} and remote_id = any(${[...remoteIds]}::text[]) and deleted_at is null
    returning ${sql.raw(eventOrderColumns.join(', '))}, sandbox, remote_status,
      acknowledged_at is not null as acknowledged, false as deleted`.execute(trx)
  await countRows(
    trx,
    integrationId,
    rows.flatMap((place) => countOrder(place, { ...place, deleted: true })),
  )
  await addHistory(
    trx,
    integrationId,
    rows.map(({ id, status, remote_status }) => ({
      order_id: id,
      status,
      remote_status,
      source: 'shop' as const,
      note: historyWords('history.deleted_in_shop'),
    })),
  )
  await emitOrders(trx, integrationId, rows, (order) => ({ order, was: order.status, deleted: true }))
  return rows.length
}
