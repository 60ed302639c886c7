import { orderTrace, type Span, traceOf } from '../../../runtime/telemetry/trace.ts'
import type { ClaimedDelivery, Settlement } from './claim-store.ts'

/** An attempt to deliver to an app, for a tracing system: in the trace of the order that the event is about. */
export function attemptSpan(delivery: ClaimedDelivery, { ms, at, status, state, attempt }: Settlement): Span {
  const start = Date.parse(at)
  const about = aboutIn(delivery)
  return {
    trace: about ? orderTrace(about.integrationId, about.remoteId) : traceOf('event', delivery.event_id),
    name: 'webhook.attempted',
    start,
    end: start + ms,
    attributes: {
      event: delivery.type,
      webhook_id: delivery.webhook_id,
      delivery_id: delivery.id,
      attempt,
      response_status: status,
    },
    error: state === 'delivered' ? null : `status ${status ?? 'none'}`,
  }
}

function aboutIn({ type, data }: ClaimedDelivery): { integrationId: number; remoteId: string } | null {
  if (!type.startsWith('order.')) return null
  const payload = parsed(data)
  if (typeof payload !== 'object' || payload === null) return null
  const { integration_id: integrationId, remote_id: remoteId } = payload as Readonly<Record<string, unknown>>
  return typeof integrationId === 'number' && typeof remoteId === 'string' ? { integrationId, remoteId } : null
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}
