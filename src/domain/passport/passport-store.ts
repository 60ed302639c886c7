import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Outcome } from '../inbound/inbound-work-store.ts'
import { unsealErrors } from '../inbound/sealing/sealed-delivery.ts'
import { type SealedResult, unsealResults } from '../operations/sealed-operation.ts'
import { openEndings } from '../runs/sealed-run.ts'

/** What other tables know of one order. Newest first, so many of each at most. */
export const maxOfEach = 200

export interface InboundRow {
  id: number
  topic: string | null
  verified: boolean
  attempts: number
  outcome: Outcome | null
  error: string | null
  reason: unknown
  received_at: string
  processed_at: string | null
}

/** Messages of the shop about it. */
export async function inboundOf(db: Db, integrationId: number, remoteId: string): Promise<InboundRow[]> {
  const rows = await db
    .selectFrom('shop_messages')
    .select(['integration_id', 'id', 'topic', 'verified', 'attempts', 'outcome', 'error', 'private_error'])
    .select(['reason', 'private_reason'])
    .select(['received_at', 'processed_at'])
    .where('integration_id', '=', integrationId)
    .where('kind', '=', 'order')
    .where('remote_id', '=', remoteId)
    .orderBy('id', 'desc')
    .limit(maxOfEach)
    .$narrowType<{ outcome: Outcome | null }>()
    .execute()
  return await unsealErrors(db, rows)
}

export interface RunRow {
  id: number
  resource: string
  status: string
  error: string | null
  /** What the error follows from, here and below; null where somebody else has said it. */
  reason: unknown
  created_at: string
  started_at: string | null
  finished_at: string | null
}

export async function runsByIds(db: Db, integrationId: number, ids: readonly number[]): Promise<RunRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('runs')
    .select(['integration_id', 'id', 'resource', 'status', 'error', 'reason', 'private_result'])
    .select(['created_at', 'started_at', 'finished_at'])
    .where('integration_id', '=', integrationId)
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
  return await openEndings<RunRow>(db, rows)
}

export interface OperationRow {
  id: number
  kind: string
  status: string
  error: string | null
  reason: unknown
  attempts: number
  created_at: string
  updated_at: string
  sent_at: string | null
  settled_at: string | null
}

/** Changes in the shop that were made for it. Acknowledgements go in batches, and others by what they are: those are looked into. */
export async function operationsOf(db: Db, integrationId: number, remoteId: string): Promise<OperationRow[]> {
  const { rows } = await sql<OperationRow & SealedResult>`
    select integration_id, id, kind, key, status, result, error, private_result, attempts, created_at, updated_at, sent_at,
      settled_at
    from operations
    where integration_id = ${integrationId} and (
      (kind = 'cancel_order' and key = ${remoteId})
      or (kind in ('create_shipment', 'amend_shipment', 'create_refund', 'cancel_order_lines', 'cancel_shipment',
          'annotate_order', 'hold_order', 'release_order', 'capture_payment')
        and input ->> 'order_remote_id' = ${remoteId})
      or (kind = 'acknowledge_orders' and input -> 'remoteIds' @> ${JSON.stringify([remoteId])}::jsonb))
    order by id desc limit ${maxOfEach}`.execute(db)
  return await unsealResults(db, rows)
}

export interface DeliveryRow {
  id: number
  event_id: number
  webhook_id: number
  type: string
  state: string
  attempts: number
  error: string | null
  response_status: number | null
  reason: unknown
  created_at: string
}

/** Deliveries to apps about a subject (see `domain/events`). */
export async function deliveriesAbout(db: Db, integrationId: number, subject: string): Promise<DeliveryRow[]> {
  return await db
    .selectFrom('webhook_events')
    .innerJoin('webhook_deliveries', 'webhook_deliveries.event_id', 'webhook_events.id')
    .select([
      'webhook_deliveries.id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.type',
      'webhook_deliveries.state',
      'webhook_deliveries.attempts',
      'webhook_deliveries.error',
      'webhook_deliveries.response_status',
      'webhook_deliveries.reason',
      'webhook_deliveries.created_at',
    ])
    .where('webhook_events.integration_id', '=', integrationId)
    .where('webhook_events.subject', '=', subject)
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(maxOfEach)
    .execute()
}

export interface AttemptRow {
  delivery_id: number
  number: number
  trigger: string
  response_status: number | null
  error: string | null
  reason: unknown
  duration_ms: number
  at: string
}

export async function attemptsOf(db: Db, deliveryIds: readonly number[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return []
  return await db
    .selectFrom('webhook_attempts')
    .select(['delivery_id', 'number', 'trigger', 'response_status', 'error', 'reason', 'duration_ms', 'at'])
    .where('delivery_id', '=', sql<number>`any(${[...deliveryIds]}::bigint[])`)
    .orderBy('at', 'desc')
    .limit(maxOfEach)
    .execute()
}
