import type { Outcome } from '../inbound/inbound-work-store.ts'
import type { OrderRecord } from '../orders/order-record-store.ts'
import type { OrderHistory } from '../orders/privacy/history-store.ts'
import type { Shipment } from '../shipments/shipment.ts'
import type { InboundRow, RunRow } from './passport-store.ts'
import { refer, type Step } from './step.ts'

/** Steps on our side: what the shop sent, which run stored it, what became of the order here. */

export function inboundSteps(rows: readonly InboundRow[]): Step[] {
  return rows.flatMap((row): Step[] => {
    const references = refer({ inbound_delivery_id: row.id })
    const topic = { topic: row.topic }
    const isOver = row.processed_at !== null
    const received: Step = {
      at: row.received_at,
      kind: 'inbound.received',
      title: row.topic === null ? 'The shop sent a webhook.' : `The shop sent a webhook: ${row.topic}.`,
      status: isOver ? 'done' : 'waiting',
      details: { ...topic, ...(isOver ? {} : { attempts: row.attempts, error: row.error, reason: row.reason }) },
      references,
    }
    const verified: Step = {
      at: row.received_at,
      kind: 'inbound.verified',
      title: row.verified
        ? 'Webhook signature verified.'
        : 'The webhook came with a token instead of a signature; checking with the shop.',
      status: 'done',
      details: { signed: row.verified },
      references,
    }
    if (row.processed_at === null) return [received, verified]
    const processed: Step = {
      at: row.processed_at,
      kind: 'inbound.processed',
      title: outcomes[row.outcome ?? 'acted'],
      status: row.outcome === 'failed' || row.outcome === 'set_aside' ? 'failed' : 'done',
      details: { outcome: row.outcome, attempts: row.attempts, error: row.error, reason: row.reason },
      references,
    }
    return [received, verified, processed]
  })
}

const outcomes: Readonly<Record<Outcome, string>> = {
  stored: 'Webhook processed; changes stored.',
  unchanged: 'Webhook processed; no changes.',
  removed: 'Webhook processed; the order was deleted in the shop.',
  set_aside: 'The webhook brought an order that failed validation; it was quarantined.',
  acted: 'Webhook processed.',
  ignored: 'Webhook ignored; nothing to do.',
  failed: 'The webhook could not be processed.',
}

export const runSteps = (runs: readonly RunRow[]): Step[] =>
  runs.map((run) => ({
    at: run.started_at ?? run.created_at,
    kind: 'run.started',
    title: `Order found by a run (${run.resource}).`,
    status: run.status === 'failed' ? 'failed' : run.finished_at === null ? 'waiting' : 'done',
    details: {
      resource: run.resource,
      status: run.status,
      finished_at: run.finished_at,
      error: run.error,
      reason: run.reason,
    },
    references: refer({ run_id: run.id }),
  }))

export function orderSteps(order: OrderRecord, history: readonly OrderHistory[]): Step[] {
  const placed: Step[] =
    order.placed_at === null
      ? []
      : [
          {
            at: order.placed_at,
            kind: 'order.placed',
            title: 'The customer placed the order.',
            status: 'done',
            details: {},
            references: refer({}),
          },
        ]
  const acknowledged: Step[] =
    order.acknowledged_at === null
      ? []
      : [
          {
            at: order.acknowledged_at,
            kind: 'order.acknowledged',
            title: 'The order was acknowledged.',
            status: 'done',
            details: {},
            references: refer({}),
          },
        ]
  return [
    ...placed,
    ...historySteps(history, order.acknowledged_at),
    ...acknowledged,
    ...returnSteps(order),
    ...refundSteps(order),
  ]
}

/** Those of which the platform says when they were wanted; why is between the buyer and the merchant. */
const returnSteps = ({ returns }: OrderRecord): Step[] =>
  returns.flatMap(({ remote_id, status, requested_at: at, lines }): Step[] =>
    at === null
      ? []
      : [
          {
            at,
            kind: 'order.return_requested',
            title: 'A return was requested.',
            status: 'done',
            details: { remote_id, status, lines: lines.map(({ reason: _, ...line }) => line) },
            references: refer({}),
          },
        ],
  )

/** Those of which the platform says when they were made; the reason is the merchant's own business with the customer. */
const refundSteps = ({ refunds, currency }: OrderRecord): Step[] =>
  refunds.flatMap(({ remote_id, amount, refunded_at: at, lines }): Step[] =>
    at === null
      ? []
      : [
          {
            at,
            kind: 'order.refunded',
            title: `${amount} ${currency} was refunded.`,
            status: 'done',
            details: { remote_id, amount, currency, lines: lines.map(({ amount: _, ...line }) => line) },
            references: refer({}),
          },
        ],
  )

function historySteps(history: readonly OrderHistory[], acknowledgedAt: string | null): Step[] {
  return history.flatMap((entry, index): Step[] => {
    // Said by the step of its own.
    if (entry.status === 'ACKNOWLEDGED' && entry.at === acknowledgedAt) return []
    const before = history[index - 1]
    return [
      {
        at: entry.at,
        kind: before ? 'order.changed' : 'order.stored',
        title: before ? changeTitle(entry, before) : storedTitle(entry),
        status: 'done',
        details: {
          status: entry.status,
          // Whoever says it in another language needs both.
          ...(before && before.status !== entry.status && { previous_status: before.status }),
          ...{ remote_status: entry.remote_status, source: entry.source, note: entry.note, reason: entry.reason },
        },
        references: refer({ run_id: entry.run_id }),
      },
    ]
  })
}

const storedTitle = ({ source, status }: OrderHistory) =>
  source === 'api' ? `Order created through the API as ${status}.` : `Order stored as ${status}.`

function changeTitle(entry: OrderHistory, before: OrderHistory): string {
  const who = whos[entry.source] ?? 'The order was updated'
  if (entry.status !== before.status) return `${who}: ${before.status} became ${entry.status}.`
  if (entry.remote_status !== before.remote_status) return `${who}; shop status: ${entry.remote_status}.`
  return entry.note ?? `${who}.`
}

const whos: Readonly<Record<string, string>> = {
  api: 'Changed through the API',
  shop: 'Changed in the shop',
  webhook: 'Changed in the shop (webhook)',
  shipment: 'Updated by a shipment',
}

export const shipmentSteps = (shipments: readonly Shipment[]): Step[] =>
  shipments.map((shipment) => ({
    at: shipment.created_at,
    kind: 'shipment.recorded',
    title: shipment.carrier === '' ? 'A shipment was recorded.' : `A shipment with ${shipment.carrier} was recorded.`,
    status: 'done',
    details: {
      tracking_number: shipment.tracking_number,
      carrier: shipment.carrier,
      status: shipment.status,
      shipped_at: shipment.shipped_at,
      remote_id: shipment.remote_id,
    },
    references: refer({ shipment_id: shipment.id }),
  }))
