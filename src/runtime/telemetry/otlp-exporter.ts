import type { Egress } from '../egress/egress-request.ts'
import type { Log } from '../log.ts'
import { otlpJson } from './otlp-json.ts'
import type { Span, Trace } from './trace.ts'

export interface OtlpOptions {
  /** Of the collector; `/v1/traces` is added. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  send: Egress['fetch']
  log: Log
  /** A batch goes out when it is full or this old. */
  waitMs?: number
}

export interface OtlpExporter {
  trace: Trace
  /** Spans that nobody will see: the queue was full, or the collector did not take them. */
  dropped(): number
  /** Sends what is left, for so long at most. */
  close(options: { timeoutMs: number }): Promise<void>
}

const maxWaiting = 4096
const maxBatch = 512
const timeoutMs = 10_000
/** After a failure nothing is tried for so long; what comes meanwhile waits, as far as there is room. */
const restMs = 5000

/**
 * Sends spans to an OpenTelemetry collector over HTTP, in batches and one after the other. Recording one puts it into a
 * queue with an end: when the collector cannot keep up, spans are dropped and counted, and the work goes on.
 */
export function createOtlpExporter(options: OtlpOptions): OtlpExporter {
  const { endpoint, headers, serviceName, send, log, waitMs = 1000 } = options
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  let waiting: Span[] = []
  let dropped = 0
  let failures = 0
  let closing = false
  let timer: NodeJS.Timeout | null = null
  let sending: Promise<void> | null = null

  function schedule(delay: number): void {
    if (timer || sending || waiting.length === 0) return
    timer = setTimeout(flush, delay).unref()
  }

  function flush(): void {
    if (timer) clearTimeout(timer)
    timer = null
    sending ??= sendBatch().finally(() => {
      sending = null
      schedule(failures > 0 ? restMs : waiting.length >= maxBatch ? 0 : waitMs)
    })
  }

  async function sendBatch(): Promise<void> {
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    try {
      const body = otlpJson(batch, { 'service.name': serviceName })
      const answer = await send({
        url,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        timeoutMs,
        excerpt: 1024,
      })
      if (answer.status < 200 || answer.status > 299) throw new Error(`the collector answered ${answer.status}`)
      failures = 0
    } catch (error) {
      dropped += batch.length
      // Once, and not for every batch of a collector that is away.
      if (failures++ === 0) log.warn({ err: error }, 'spans could not be sent')
    }
  }

  return {
    trace(span) {
      if (closing || waiting.length >= maxWaiting) {
        dropped++
        return
      }
      waiting.push(span)
      if (waiting.length >= maxBatch && failures === 0) flush()
      else schedule(waitMs)
    },
    dropped: () => dropped,
    async close({ timeoutMs }) {
      closing = true
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref())
      const rest = async () => {
        await sending
        while (waiting.length > 0 && failures === 0) {
          flush()
          await sending
        }
      }
      await Promise.race([rest(), deadline])
      if (timer) clearTimeout(timer)
      dropped += waiting.length
      waiting = []
    },
  }
}
