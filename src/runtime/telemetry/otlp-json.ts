import { randomBytes } from 'node:crypto'
import type { Span } from './trace.ts'

/** Spans in the JSON of OTLP 1 (`ExportTraceServiceRequest`). */
export function otlpJson(spans: readonly Span[], resource: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: Object.entries(resource).map(([key, value]) => ({ key, value: anyValue(value) })) },
        scopeSpans: [{ scope: { name: 'entrepot' }, spans: spans.map(spanOf) }],
      },
    ],
  })
}

const internal = 1
const ok = 1
const failed = 2

const spanOf = ({ trace, name, start, end, attributes, error }: Span) => ({
  traceId: trace,
  spanId: randomBytes(8).toString('hex'),
  name,
  kind: internal,
  startTimeUnixNano: nanoseconds(start),
  endTimeUnixNano: nanoseconds(Math.max(start, end)),
  attributes: Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key: `entrepot.${key}`, value: anyValue(value) }],
  ),
  status: error ? { code: failed, message: error } : { code: ok },
})

/** As text, since they are larger than a number holds exactly. */
const nanoseconds = (milliseconds: number): string => `${Math.floor(milliseconds)}000000`

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
