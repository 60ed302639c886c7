import type { Agent } from 'undici'
import { destination } from '../../lib/addresses/public-address.ts'
import { Fault } from '../../lib/fault.ts'
import type { Log } from '../log.ts'
import { type Dial, dialPinned, guardedConnect } from './connect.ts'
import { away, oversized, redirectedTooOften, timedOut, unreachable, unsendable } from './egress-faults.ts'
import type { Egress, EgressAnswer, EgressRequest } from './egress-request.ts'
import { type EgressRoutes, routeOf } from './egress-routes.ts'
import { acceptedEncodings, readBytes, readStart } from './read-answer.ts'
import { nextHop } from './redirect.ts'
import { createResolver, type Lookup, lookUpLocally } from './resolve-name.ts'

export interface EgressOptions {
  /** Hosts, or host:port, that may be private and may use plain http. */
  allow: readonly string[]
  /** Hosts that stand somewhere else during development. */
  routes?: EgressRoutes
  log: Log
  lookup?: Lookup
  dial?: Dial
  connectMs?: number
}

const maxTimeoutMs = 120_000
const maxBodyBytes = 10 * 1024 * 1024

export function createEgress(options: EgressOptions): Egress {
  const { allow, routes } = options
  let agent: Promise<Agent> | null = null

  /** One hop. */
  async function send(url: URL, request: EgressRequest, { signal, begun }: Sending): Promise<EgressAnswer> {
    begun.answer = null
    agent ??= openAgent(options)
    const opened = await agent
    const led = routeOf(url.host, routes)
    const answer = await opened.request({
      origin: led ?? url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: led === undefined ? headersOf(request) : { ...headersOf(request), host: url.host },
      body: request.body ?? null,
      signal,
    })
    // Nobody listens to the body any more once the deadline has passed.
    answer.body.on('error', () => undefined)
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : `${value}`,
      ]),
    )
    if (request.excerpt === undefined && announcesMore(answer.statusCode, headers, request)) {
      answer.body.destroy()
      throw oversized()
    }
    const { statusCode: status } = answer
    if (request.excerpt !== undefined) {
      const { soFar, done } = readStart(answer.body, request.excerpt)
      const answered = () => ({ status, headers, bytes: soFar() })
      begun.answer = answered
      await done
      begun.answer = null
      return answered()
    }
    const bytes = await readBytes(answer.body, headers['content-encoding'], {
      maxBytes: request.maxBytes ?? maxBodyBytes,
      announcedBytes: Number(headers['content-length']),
      onLarge: request.onLarge,
      watch: () => request.watch?.(status),
    })
    return { status, headers, bytes }
  }

  async function follow(first: EgressRequest, sending: Sending): Promise<EgressAnswer> {
    let request = first
    for (let left = first.followRedirects ?? 0; ; left--) {
      const url = destination(request.url, allow)
      if (!url) throw unreachable()
      const answer = await send(url, request, sending)
      const next = first.followRedirects ? nextHop(url, request, answer) : null
      if (!next) return answer
      if (left <= 0) throw redirectedTooOften()
      request = next
    }
  }

  return {
    async fetch(request) {
      const deadline = startDeadline(Math.min(request.timeoutMs ?? 30_000, maxTimeoutMs))
      const begun: Begun = { answer: null }
      try {
        return await Promise.race([follow(request, { signal: deadline.signal, begun }), deadline.passed])
      } catch (error) {
        // The other side has answered, and what is missing is not what was wanted of it.
        if (begun.answer) return begun.answer()
        throw faultOf(error)
      } finally {
        deadline.clear()
      }
    },
    async close() {
      await (await agent)?.destroy()
    },
  }
}

/** The answer of the last hop, as far as it has come, where no more than its beginning is wanted. */
interface Begun {
  answer: (() => EgressAnswer) | null
}

interface Sending {
  signal: AbortSignal
  begun: Begun
}

/** What says itself that it is more than we take is not read. The answers to HEAD, and that nothing has changed, only speak of a body. */
const announcesMore = (
  status: number,
  headers: EgressAnswer['headers'],
  { method, maxBytes = maxBodyBytes }: EgressRequest,
): boolean => method !== 'HEAD' && status !== 304 && Number(headers['content-length'] ?? 0) > maxBytes

/** Loaded when it is first needed: it takes 30 MB and more than 100 ms, which a process that never calls out should not pay. */
async function openAgent(options: EgressOptions): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  const connect = guardedConnect({
    // Only what was led there gets there: an address that leads to the same place is refused before it comes to this.
    allow: [...options.allow, ...[...(options.routes?.values() ?? [])].map((origin) => new URL(origin).host)],
    log: options.log,
    lookup: options.lookup ?? createResolver(),
    lookupAllowed: options.lookup ?? lookUpLocally,
    dial: options.dial ?? dialPinned,
    connectMs: options.connectMs ?? 5_000,
    // Used for TLS only, on a socket that is already there: it checks the certificate against the name.
    secure: buildConnector({ timeout: 0, allowH2: false }),
  })
  return new Agent({
    connect,
    connections: 64,
    maxHeaderSize: 16 * 1024,
    // Whatever a server promises: a connection that the network has lost meanwhile costs whoever takes it a whole deadline.
    keepAliveMaxTimeout: 10_000,
    // One deadline covers both, to the millisecond.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** The signal alone would not do: it is not listened to before there is a connection. */
function startDeadline(timeoutMs: number) {
  const controller = new AbortController()
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const fault = timedOut('the answer')
    reject(fault)
    controller.abort(fault)
  }, timeoutMs)
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) }
}

/** These say where a message begins, ends and belongs, which is for us to say. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function headersOf({ headers: given = {}, excerpt }: EgressRequest): Record<string, string> {
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    'user-agent': 'Entrepot',
    ...Object.fromEntries(headers.filter(([name]) => !ownHeaders.has(name))),
    // The beginning of something packed cannot be read.
    'accept-encoding': excerpt === undefined ? acceptedEncodings : 'identity',
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  const isOurs = error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG'
  return isOurs ? unsendable(error) : away(error)
}
