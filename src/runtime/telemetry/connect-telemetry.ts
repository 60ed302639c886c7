import { createEgress } from '../egress/egress.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createOtlpExporter } from './otlp-exporter.ts'
import type { Trace } from './trace.ts'

export interface TelemetrySettings {
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
}

/** Loaded only where a collector is named. The operator has chosen its address, so it may be private and plain http. */
export function connectTelemetry(
  settings: TelemetrySettings,
  { log, metrics }: { log: Log; metrics: Pick<Metrics, 'gauge'> },
): { trace: Trace; close(): Promise<void> } {
  const { hostname, host } = new URL(settings.endpoint)
  const egress = createEgress({ allow: [hostname, host], log })
  const exporter = createOtlpExporter({ ...settings, send: (request) => egress.fetch(request), log })
  metrics.gauge('entrepot_spans_dropped', 'Spans that were not sent', exporter.dropped)
  return {
    trace: exporter.trace,
    async close() {
      await exporter.close({ timeoutMs: 3000 })
      await egress.close()
    },
  }
}
