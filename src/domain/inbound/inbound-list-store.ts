import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import {
  type ListPlan,
  ofIntegration,
  type PageOf,
  type PageQuery,
  paginate,
  type Reader,
} from '../../runtime/db/lists/paginate.ts'
import type { Outcome } from './inbound-work-store.ts'
import { type SealedError, unsealErrors } from './sealing/sealed-delivery.ts'

/** What is shown of a message; never what it says. */
export interface InboundSummary {
  integration_id: number
  id: number
  delivery_id: string
  topic: string | null
  verified: boolean
  kind: string | null
  remote_id: string | null
  size: number
  attempts: number
  outcome: Outcome | null
  error: string | null
  /** What the error follows from; null where a shop has said it. */
  reason: unknown
  received_at: string
  processed_at: string | null
  next_attempt_at: string | null
}

const columns = `integration_id, id, delivery_id, topic, verified, kind, remote_id, coalesce(size, length(body)) as size,
  attempts, outcome, error, private_error, reason, private_reason, received_at, processed_at, case when processed_at is null then next_attempt_at end as next_attempt_at`

const deliveryList: ListPlan = {
  name: 'inbound-deliveries',
  from: 'shop_messages',
  columns,
  filters: {
    topic: { column: 'topic', type: 'text' },
    outcome: { column: 'outcome', type: 'text' },
    kind: { column: 'kind', type: 'text' },
    remote_id: { column: 'remote_id', type: 'text' },
  },
  sorts: { id: 'id', received_at: 'received_at' },
  defaultSort: [{ field: 'id', descending: true }],
}

export type SealedSummary = InboundSummary & SealedError

const inAnyState: AcrossPlan = {
  name: 'messages-across-all',
  from: 'shop_messages',
  columns,
  keys: [{ column: 'id', type: 'bigint' }],
}

/** Over many integrations. What is asked for by its outcome has an index of its own, hence a condition and no filter. */
export const messagesAcross = {
  all: inAnyState,
  failed: { ...inAnyState, name: 'messages-across-failed', where: `outcome = 'failed'` },
  waiting: { ...inAnyState, name: 'messages-across-waiting', where: 'processed_at is null' },
} as const

export async function listDeliveries(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
): Promise<PageOf<InboundSummary>> {
  const page = await paginate<SealedSummary>(reader, deliveryList, ofIntegration(integrationId), query)
  return { rows: await unsealErrors(reader, page.rows), total: page.total }
}

export async function findDelivery(db: Db, integrationId: number, id: number): Promise<InboundSummary> {
  const { rows } = await sql<SealedSummary>`
    select ${sql.raw(columns)} from shop_messages
    where integration_id = ${integrationId} and id = ${id}`.execute(db)
  const [found] = await unsealErrors(db, rows)
  if (!found) throw notFound()
  return found
}

const hasContent = sql`(private is not null or length(body) > 0)`
/** What they say is gone; that they came is not. */
const emptied = sql`private = null, size = 0, body = '\\x', headers = '{}', query = '{}'`

/** Due now, as if it had just come. Null if its content is gone. */
export async function makeDue(db: Db, integrationId: number, id: number): Promise<InboundSummary | null> {
  const { rows } = await sql<InboundSummary>`
    update shop_messages
    set processed_at = null, outcome = null, error = null, private_error = null, reason = null, private_reason = null, attempts = 0, next_attempt_at = now()
    where integration_id = ${integrationId} and id = ${id} and ${hasContent}
    returning ${sql.raw(columns)}`.execute(db)
  return rows[0] ?? null
}

const rowsAtOnce = 2000

/** Of eras that are not about to be dropped, `from` on, and never one that waits. False when there is nothing left to delete. */
export async function deleteOldDeliveries(db: Db, days: number, from: number): Promise<boolean> {
  const { rows } = await sql<{ integration_id: number; id: number }>`
    select integration_id, id from shop_messages
    where era >= ${from} and received_at < now() - make_interval(days => ${days}::int) and processed_at is not null
    limit ${rowsAtOnce}`.execute(db)
  for (const [integrationId, ids] of byIntegration(rows)) {
    await sql`
      delete from shop_messages where integration_id = ${integrationId} and id = any(${ids}::bigint[])`.execute(db)
  }
  return rows.length === rowsAtOnce
}

/**
 * What could not be processed keeps its content: somebody may want to try again. Gives the moment at which to go on; null
 * when there is nothing left. Those that a week of such jobs has missed are deleted with the rest.
 */
export async function emptyOldDeliveries(db: Db, days: number, after: string | null): Promise<string | null> {
  const { rows } = await sql<{ integration_id: number; id: number; received_at: string }>`
    select integration_id, id, received_at from shop_messages
    where received_at < now() - make_interval(days => ${days}::int)
      and ${after === null ? sql`received_at >= now() - make_interval(days => ${days + 7}::int)` : sql`received_at >= ${after}::timestamptz`}
      and processed_at is not null and outcome <> 'failed' and ${hasContent}
    order by received_at limit ${rowsAtOnce}`.execute(db)
  for (const [integrationId, ids] of byIntegration(rows)) {
    await sql`
      update shop_messages set ${emptied}
      where integration_id = ${integrationId} and id = any(${ids}::bigint[])`.execute(db)
  }
  return rows.length === rowsAtOnce ? (rows.at(-1)?.received_at ?? null) : null
}

/** One statement for each, so that it stays within a shard. */
function byIntegration(rows: readonly { integration_id: number; id: number }[]): Map<number, number[]> {
  const ids = new Map<number, number[]>()
  for (const { integration_id, id } of rows) ids.set(integration_id, [...(ids.get(integration_id) ?? []), id])
  return ids
}
