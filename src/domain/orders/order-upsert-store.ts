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
import { type HeldStatus, type Order, returnNews, type SyncedOrder, statusAfterSync, wishOf } from './order.ts'
import { countOrder, type OrderPlace } from './order-counts.ts'
import { type EventOrder, emitOrders, eventOrderColumns } from './order-events.ts'
import { withoutSame, writeRows } from './order-rows-store.ts'
import { anyOrdersByIds } from './order-store.ts'
import { storeParcels } from './parcels/parcel-store.ts'
import { historyWords, oneNote, returnNote } from './privacy/history-sentences.ts'
import { addHistory } from './privacy/history-store.ts'
import { sealRows } from './privacy/seal-rows.ts'
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
