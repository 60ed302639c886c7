import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { untilHolds } from '../../../test/support/until.ts'
import { unavailable } from '../../lib/fault.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { connectTelemetry } from './connect-telemetry.ts'
import { createOtlpExporter } from './otlp-exporter.ts'
import { orderTrace, runTrace, type Span, traced } from './trace.ts'

const log = createLog('silent')
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

interface Received {
  path: string
  headers: Record<string, unknown>
  body: { resourceSpans: { resource: unknown; scopeSpans: { spans: Record<string, unknown>[] }[] }[] }
}

/** A collector that takes what it is sent, on a socket of its own. */
async function startCollector(status = 200) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString())
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const spans = () => received.flatMap(({ body }) => body.resourceSpans[0]?.scopeSpans[0]?.spans ?? [])
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, spans }
}

const settings = (endpoint: string) => ({ endpoint, headers: { 'x-key': 'k' }, serviceName: 'entrepot' })
const span = (more: Partial<Span> = {}): Span => ({
  trace: orderTrace(1, 'o1'),
  name: 'operation',
  start: 1_700_000_000_123,
  end: 1_700_000_000_456,
  attributes: { integration_id: 1, kind: 'cancel_order', ratio: 0.5, signed: true, nothing: null },
  ...more,
})

describe('spans', () => {
  test('reach a collector in the form of OTLP', async () => {
    const collector = await startCollector()
    const telemetry = connectTelemetry(settings(collector.endpoint), { log, metrics: createMetrics() })
    telemetry.trace(span())
    telemetry.trace(span({ error: 'upstream_refused' }))
    await telemetry.close()
    expect(collector.received).toHaveLength(1)
    const [first] = collector.received
    expect([first?.path, first?.headers['x-key'], first?.headers['content-type']]).toEqual([
      '/v1/traces',
      'k',
      'application/json',
    ])
    expect(first?.body.resourceSpans[0]?.resource).toEqual({
      attributes: [{ key: 'service.name', value: { stringValue: 'entrepot' } }],
    })
    expect(collector.spans()).toMatchObject([
      {
        traceId: orderTrace(1, 'o1'),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
        name: 'operation',
        startTimeUnixNano: '1700000000123000000',
        endTimeUnixNano: '1700000000456000000',
        attributes: [
          { key: 'entrepot.integration_id', value: { intValue: '1' } },
          { key: 'entrepot.kind', value: { stringValue: 'cancel_order' } },
          { key: 'entrepot.ratio', value: { doubleValue: 0.5 } },
          { key: 'entrepot.signed', value: { boolValue: true } },
        ],
        status: { code: 1 },
      },
      { status: { code: 2, message: 'upstream_refused' } },
    ])
  })

  test('go out by themselves, many at once', async () => {
    const collector = await startCollector()
    const telemetry = connectTelemetry(settings(`${collector.endpoint}/`), { log, metrics: createMetrics() })
    for (let n = 0; n < 1300; n++) telemetry.trace(span({ name: `n${n}` }))
    await untilHolds(() => expect(collector.spans()).toHaveLength(1300))
    expect(collector.received.length).toBeLessThanOrEqual(4)
    await telemetry.close()
  })

  test('that find no room are dropped and counted, and nobody waits', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const exporter = createOtlpExporter({
      ...settings('http://collector'),
      log,
      send: async () => {
        await held
        return { status: 200, headers: {}, bytes: Buffer.alloc(0) }
      },
    })
    for (let n = 0; n < 10_000; n++) exporter.trace(span())
    // One batch is on its way, 4096 wait, and the rest is gone.
    expect(exporter.dropped()).toBe(10_000 - 512 - 4096)
    release()
    await exporter.close({ timeoutMs: 5000 })
    expect(exporter.dropped()).toBe(10_000 - 512 - 4096)
  })

  test.each([
    ['is not there', async () => 'http://127.0.0.1:9'],
    ['refuses them', async () => (await startCollector(503)).endpoint],
  ])('are dropped and counted when the collector %s', async (_, endpointOf) => {
    const metrics = createMetrics()
    const telemetry = connectTelemetry(settings(await endpointOf()), { log, metrics })
    telemetry.trace(span())
    await telemetry.close()
    expect(await metrics.read()).toContain('entrepot_spans_dropped 1')
  })

  test('of a collector that never answers hold up neither the work nor the end', async () => {
    const exporter = createOtlpExporter({
      ...settings('http://collector'),
      log,
      send: () => new Promise(() => undefined),
    })
    exporter.trace(span())
    await exporter.close({ timeoutMs: 20 })
    exporter.trace(span())
    expect(exporter.dropped()).toBeGreaterThan(0)
  })
})

describe('work', () => {
  const about = () => [{ trace: runTrace(1, 2), name: 'run.turn', attributes: {} }]

  test('that fails is reported with the kind of failure, and fails all the same', async () => {
    const exported: Span[] = []
    const fail = async () => {
      throw unavailable(1, new Error('ada@example.com'))
    }
    await expect(traced((each) => exported.push(each), about, fail)).rejects.toThrow('Service Unavailable')
    expect(exported).toMatchObject([{ name: 'run.turn', error: 'unavailable' }])
    expect(JSON.stringify(exported)).not.toContain('ada@')
  })

  test('that nobody follows is done as it is, without a look at what it is about', async () => {
    const never = () => {
      throw new Error('Nobody has asked.')
    }
    expect(await traced(undefined, never, async () => 7)).toBe(7)
  })
})
