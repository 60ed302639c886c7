import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { OrderReturn, RemoteReturn } from '../../../commerce/order.ts'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { lockCounted } from '../../../runtime/db/lists/row-counters.ts'
import { namedRows } from '../../../runtime/db/rows/named-rows.ts'
import { keyForSealing } from '../../../runtime/db/vault/vault.ts'
import { type Order, returnNews, withoutReasons } from '../order.ts'
import { emitOrders } from '../order-events.ts'
import { orderColumns } from '../order-store.ts'
import { oneNote, returnNote } from '../privacy/history-sentences.ts'
import { addHistory } from '../privacy/history-store.ts'
import { type Sealed, sealPart, unsealOrders } from '../privacy/private-part.ts'

interface HeldOrder extends Order {
  remote_status: string | null
  deleted: boolean
  redacted: boolean
}

/**
 * What a list of returns tells, on the orders that it is about: rows, history and events in the caller's transaction. The answer
 * is how many orders changed, and the returns whose orders are not here.
 */
export async function storeReturns(
  trx: Db,
  integrationId: number,
  {
    returns,
    isFirst,
  }: { returns: readonly RemoteReturn[] /** Old returns: nobody asks for anything. */; isFirst: boolean },
): Promise<{ changed: number; unknown: RemoteReturn[] }> {
  const at = await lockCounted(trx, integrationId)
  if (at === null) throw notFound()
  const held = await heldReturns(trx, integrationId, [...new Set(returns.map((one) => one.order_remote_id))])
  const changes = [...held.values()].flatMap((order) => {
    const told = returns.filter((one) => one.order_remote_id === order.remote_id).map((one) => withLines(one, order))
    const merged = mergeReturns(order.returns, order.redacted ? told.map(withoutReasons) : told)
    if (order.deleted || isDeepStrictEqual(merged, order.returns)) return []
    return [{ order: { ...order, returns: merged, updated_at: at }, news: returnNews(order.returns, merged) }]
  })
  await writeReturns(trx, integrationId, { at, orders: changes.map(({ order }) => order) })
  const news = changes.filter((change) => change.news.length > 0)
  await addHistory(
    trx,
    integrationId,
    news.map(({ order: { id, status, remote_status }, news: steps }) => ({
      ...{ order_id: id, status, remote_status, source: 'shop' as const },
      note: oneNote(steps.map(returnNote)),
    })),
  )
  await emitOrders(trx, integrationId, changes, ({ order, news: steps }) => ({
    order,
    was: order.status,
    returnRequested: !isFirst && steps.some(({ isRequest }) => isRequest),
  }))
  return { changed: changes.length, unknown: returns.filter((one) => !held.has(one.order_remote_id)) }
}

/**
 * Lines that the platform does not name: the only one of the order, or of those with the SKU, where there is no doubt. The same of the one
 * line that comes back under an id which is none of the order's, as that of the article below a configurable product.
 */
function withLines({ told, skus }: RemoteReturn, { items }: Pick<Order, 'items'>): OrderReturn {
  const lineOf = (sku: string | null): string | null => {
    const found = items.length === 1 ? items : items.filter((item) => sku !== null && item.sku === sku)
    return found.length === 1 ? (found[0]?.remote_id ?? null) : null
  }
  const named = ({ order_line_remote_id: id }: OrderReturn['lines'][number], n: number) =>
    id !== null && (told.lines.length > 1 || items.some((item) => item.remote_id === id))
      ? id
      : (lineOf(skus?.[n] ?? null) ?? id)
  return { ...told, lines: told.lines.map((line, n) => ({ ...line, order_line_remote_id: named(line, n) })) }
}

/** Each in its place; new ones at the end. */
function mergeReturns(held: readonly OrderReturn[], told: readonly OrderReturn[]): OrderReturn[] {
  const merged = new Map([...held, ...told].map((one) => [one.remote_id, one]))
  return [...merged.values()]
}

async function heldReturns(trx: Db, integrationId: number, keys: string[]): Promise<Map<string, HeldOrder>> {
  const { rows } = await sql<Sealed<HeldOrder>>`
    select ${sql.raw(orderColumns.join(', '))}, remote_status, deleted_at is not null as deleted,
      redacted_at is not null as redacted
    from ${namedRows('orders', integrationId, keys)}`.execute(trx)
  return new Map((await unsealOrders<HeldOrder>(trx, rows)).map((row) => [row.remote_id, row]))
}

/** Reasons are sealed with the rest that the buyer has written; of one who was forgotten there are none. */
async function writeReturns(
  trx: Db,
  integrationId: number,
  { at, orders }: { at: string; orders: readonly HeldOrder[] },
): Promise<void> {
  if (orders.length === 0) return
  const key = await keyForSealing(trx, integrationId)
  const rows = orders.map((order) => {
    const row = { id: order.id, own: order.returns.map(withoutReasons) }
    if (order.redacted) return row
    const sealed = sealPart(key, { integrationId, remoteId: order.remote_id }, order)
    return { ...row, private: sealed.private.toString('hex'), digest: sealed.private_digest.toString('hex') }
  })
  await sql`
    update orders o set returns = r.own, private = decode(r.private, 'hex'), private_digest = decode(r.digest, 'hex'),
      updated_at = ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(id bigint, own jsonb, private text, digest text)
    where o.integration_id = ${integrationId} and o.id = r.id`.execute(trx)
}
