import { whyFailed } from '../webhooks/attempt-words.ts'
import type { AttemptRow, DeliveryRow, OperationRow } from './passport-store.ts'
import { refer, type Step } from './step.ts'

/** Steps towards others: what was sent to the shop and to apps. */

/** What is written back, by the kind of operation. */
export const changes: Readonly<Record<string, string>> = {
  create_shipment: 'the shipment',
  amend_shipment: 'the correction of a shipment',
  cancel_order: 'the cancellation',
  cancel_order_lines: 'the cancellation of lines',
  create_refund: 'the refund',
  annotate_order: 'the note',
  hold_order: 'the hold',
  release_order: 'the release',
  capture_payment: 'the capture of the payment',
  cancel_shipment: 'the cancellation of a shipment',
  acknowledge_orders: 'the acknowledgement',
}

export function writeBackSteps(operations: readonly OperationRow[]): Step[] {
  return operations.flatMap((operation): Step[] => {
    const what = changes[operation.kind] ?? operation.kind
    const references = refer({ operation_id: operation.id })
    const details = { change: operation.kind }
    const failure = { error: operation.error, reason: operation.reason }
    const isOver = operation.status === 'confirmed' || operation.status === 'refused'
    const planned: Step = {
      at: operation.created_at,
      kind: 'writeback.planned',
      title: `Scheduled ${what} to be sent to the shop.`,
      status: operation.sent_at === null && !isOver ? 'waiting' : 'done',
      details,
      references,
    }
    const sent: Step[] =
      operation.sent_at === null
        ? []
        : [
            {
              at: operation.sent_at,
              kind: 'writeback.sent',
              title: `Sent ${what} to the shop.`,
              status: isOver ? 'done' : 'waiting',
              details: { ...details, attempts: operation.attempts, ...(isOver ? {} : failure) },
              references,
            },
          ]
    if (!isOver) return [planned, ...sent]
    const isRefused = operation.status === 'refused'
    const ended: Step = {
      at: operation.settled_at ?? operation.updated_at,
      kind: 'writeback.ended',
      title: isRefused ? `The shop rejected ${what}.` : `The shop confirmed ${what}.`,
      status: isRefused ? 'failed' : 'done',
      details: { ...details, result: operation.status, ...failure },
      references,
    }
    return [planned, ...sent, ended]
  })
}

const openStates = ['pending', 'held']

export function webhookSteps(deliveries: readonly DeliveryRow[], attempts: readonly AttemptRow[]): Step[] {
  const byDelivery = new Map(deliveries.map((row) => [row.id, row]))
  const queued = deliveries.map(
    (row): Step => ({
      at: row.created_at,
      kind: 'webhook.queued',
      title: `Queued ${row.type} for webhook ${row.webhook_id}.`,
      status: openStates.includes(row.state) ? 'waiting' : row.state === 'delivered' ? 'done' : 'failed',
      details: { event: row.type, state: row.state, attempts: row.attempts, error: row.error, reason: whyFailed(row) },
      references: refer({ event_id: row.event_id, webhook_id: row.webhook_id, webhook_delivery_id: row.id }),
    }),
  )
  const tried = attempts.flatMap((attempt): Step[] => {
    const row = byDelivery.get(attempt.delivery_id)
    if (!row) return []
    const isAccepted = attempt.error === null
    return [
      {
        at: attempt.at,
        kind: 'webhook.attempted',
        title: isAccepted
          ? `Webhook ${row.webhook_id} accepted ${row.type}.`
          : `Webhook ${row.webhook_id} rejected ${row.type} (attempt ${attempt.number}).`,
        status: isAccepted ? 'done' : 'failed',
        details: {
          event: row.type,
          attempt: attempt.number,
          trigger: attempt.trigger,
          response_status: attempt.response_status,
          answered_in_ms: attempt.duration_ms,
          error: attempt.error,
          reason: whyFailed(attempt),
        },
        references: refer({ event_id: row.event_id, webhook_id: row.webhook_id, webhook_delivery_id: row.id }),
      },
    ]
  })
  return [...queued, ...tried]
}
