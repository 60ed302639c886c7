import { orderTrace, type Span, type Trace, traceOf, wordsFor } from '../../runtime/telemetry/trace.ts'
import type { Gathered } from './inbound-records.ts'
import type { InboundDelivery } from './inbound-store.ts'

/** Messages of shops, for a tracing system: in the trace of the order that they are about. */

export const receivedSpan = (row: InboundDelivery): Omit<Span, 'start' | 'end'> => ({
  trace:
    row.kind === 'order' && row.remote_id !== null
      ? orderTrace(row.integration_id, row.remote_id)
      : traceOf('inbound', row.integration_id, row.delivery_id),
  name: 'inbound.received',
  attributes: { integration_id: row.integration_id, topic: row.topic, verified: row.verified },
})

/** One for each order of a batch that has been processed. */
export function traceProcessed(
  trace: Trace | undefined,
  integrationId: number,
  start: number,
  { settled, failed }: Pick<Gathered, 'settled' | 'failed'>,
): void {
  if (!trace) return
  const end = Date.now()
  const record = (kind: string, key: string, error: string | null) => {
    if (kind !== 'orders') return
    const span = { trace: orderTrace(integrationId, key), name: 'inbound.processed', start, end, error }
    trace({ ...span, attributes: { integration_id: integrationId } })
  }
  for (const { kind, key } of settled) record(kind, key, null)
  for (const { subject, error } of failed) record(subject.kind, subject.key, wordsFor(error))
}
