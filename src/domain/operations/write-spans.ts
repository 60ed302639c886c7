import { orderTrace, type Span, traceOf } from '../../runtime/telemetry/trace.ts'
import type { OperationKind } from './operation.ts'

/** A change in a shop, for a tracing system: in the trace of each order that it is about. */
export function writeSpans(
  integrationId: number,
  { kind, key, input }: { kind: OperationKind; key: string; input: unknown },
): Omit<Span, 'start' | 'end'>[] {
  const orders = ordersIn(input)
  const traces =
    orders.length > 0
      ? orders.map((remoteId) => orderTrace(integrationId, remoteId))
      : [traceOf('operation', integrationId, kind, key)]
  return traces.map((trace) => ({
    trace,
    name: 'operation',
    attributes: { integration_id: integrationId, kind },
  }))
}

/** The shop's ids, wherever a kind of change keeps them. */
function ordersIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  const { remoteId, remoteIds, order_remote_id: parcelOf } = input as Readonly<Record<string, unknown>>
  const all = Array.isArray(remoteIds) ? remoteIds : [remoteId, parcelOf]
  return all.filter((id): id is string => typeof id === 'string')
}
