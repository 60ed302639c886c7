import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Fault, malformed, tooLarge, unavailable } from '../../lib/fault.ts'
import { type Log, withoutCensor } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Answered } from './answered.ts'
import type { Endpoint, ErasedInput, Upload } from './endpoint.ts'
import { answerFault, serverError } from './faults.ts'
import type { GuardedCaller } from './guard.ts'
import { everyAnswer, overTls } from './headers.ts'
import { addBodyParsers, tolerateContentType } from './input/body-parsers.ts'
import { endUnread } from './input/unread-body.ts'
import { createLeaving } from './leave.ts'
import { type ByteLimits, createBytesInFlight } from './limits/bytes-in-flight.ts'
import { type ConnectionLimits, defaultConnections, limitConnections } from './limits/connections.ts'
import type { RateWindow } from './limits/rate-limit.ts'
import { createRefusals } from './limits/refusals.ts'
import { addPage, type PageRoute } from './page.ts'
import { awayWarner, logRequest } from './request-log.ts'
import { addRoute, type RouteOptions } from './route.ts'
import { routeTable } from './route-table.ts'
import { sendFault } from './send.ts'
import {
  defaultTimeouts,
  limitTimes,
  refuseConnection,
  type Timeouts,
  trackAnswers,
  trackConnections,
} from './transport.ts'
import { answerOptions, answerUnrouted } from './unrouted.ts'

/** The one file that runs Fastify: it turns endpoints and pages into a server. */

export type { PageRoute } from './page.ts'

export interface ServerOptions extends RouteOptions {
  endpoints: readonly Endpoint[]
  tls: { cert: Buffer; key: Buffer } | null
  trustProxy: readonly string[]
  log: Log
  metrics: Metrics
  /** Whether the database is away: the answer is 503 then, not 500. */
  isUnavailable: (error: unknown) => boolean
  pages: readonly PageRoute[]
  timeouts?: Partial<Timeouts>
  connections?: Partial<ConnectionLimits>
  bytesInFlight?: ByteLimits
  /** The id of the request that made us ask ourselves; where there is none, a new one is drawn. */
  requestIdOf?: (authorization: string | undefined) => string | undefined
}

export interface HttpServer {
  listen(host: string, port: number): Promise<number>
  inject: FastifyInstance['inject']
  /** Keeps answering until nobody asks any more, for some seconds at most; connections end with their next answer. */
  leave(): Promise<void>
  /** Stops taking connections, lets running requests finish for some seconds, then resolves. */
  close(): Promise<void>
  ready(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: GuardedCaller | null
    raw_body: Buffer | null
    upload: Upload | null
    /** What the path names, where it was looked for before the body. */
    found: unknown
    /** What a handler was given and what it gave, for whoever is told of answers. */
    work: { input: ErasedInput; result: unknown } | null
    /** What was answered in its place. */
    fault: Fault | null
    /** What the caller asked for, and what is left of the limit; both are known once the caller is. */
    endpoint: Endpoint | null
    window: RateWindow | null
  }
}

const schemaLess = () => () => {
  throw new Error('Endpoints say by themselves what they take and give.')
}
/** What Fastify would load for schemas takes a twentieth of the time of a start. */
const noSchemas = { compilersFactory: { buildValidator: schemaLess, buildSerializer: schemaLess } }

export function createServer(options: ServerOptions): HttpServer {
  const { log, metrics } = options
  const requests = withoutCensor(log)
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const headers = options.publicUrl.startsWith('https:') || options.tls ? { ...everyAnswer, ...overTls } : everyAnswer
  const introduce = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headers).header('x-request-id', request.id)

  const server = fastify({
    ...(options.tls ? { http2: true as const, https: { ...options.tls, allowHTTP1: true } } : {}),
    genReqId: ({ headers }: { headers: IncomingHttpHeaders }) =>
      options.requestIdOf?.(headers.authorization) ?? randomUUID(),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    // As long as a request line can be: what a path may name is for the endpoint to say.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: { insecureHTTPParser: false, maxHeaderSize },
    return503OnClosing: false,
    schemaController: noSchemas,
    forceCloseConnections: 'idle',
    // An address that cannot be decoded: no route, so no hooks have run.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      sendFault(introduce(request, reply), answerFault(malformed('Bad request.'), request), log, error)
    },
    clientErrorHandler: refuseConnection,
  } as object) as unknown as FastifyInstance

  limitTimes(server.server, timeouts)
  limitConnections(server.server, { ...defaultConnections, ...options.connections }, options)
  const connections = trackConnections(server.server)
  const answers = trackAnswers()
  const leaving = createLeaving(server.server)
  server.decorateRequest('caller', null)
  server.decorateRequest('raw_body', null)
  server.decorateRequest('upload', null)
  server.decorateRequest('found', null)
  server.decorateRequest('work', null)
  server.decorateRequest('fault', null)
  server.decorateRequest('endpoint', null)
  server.decorateRequest('window', null)
  addBodyParsers(server)

  const warnAway = awayWarner(log)
  const table = routeTable(options.endpoints, options.pages)
  server.addHook('onRequest', (request, reply, done) => {
    introduce(request, reply)
    answers.add(reply.raw)
    leaving.see(request, reply)
    if (request.method === 'OPTIONS' && answerOptions(table, request, reply)) return
    // PostgreSQL cannot store NUL, and nothing of ours is named with it.
    if (request.url.includes('%00')) return done(malformed('Bad request.'))
    // Before the body is read: a body that is too large must not hide that there is nobody to take it.
    if (request.is404) {
      endUnread(request, reply)
      return void answerUnrouted(table, request, reply)
    }
    tolerateContentType(request)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    // A stream takes as long as somebody listens, which says nothing of how fast we answer.
    if (!isStream(reply)) metrics.requests.observe(labels, reply.elapsedTime / 1000)
    logRequest(requests, request, reply, route)
    const { endpoint } = request
    if (endpoint) options.onAnswer?.(new Answered(endpoint, request, reply))
    done()
  })
  server.addHook('preClose', (done) => {
    connections.close()
    done()
  })
  server.setErrorHandler((error, request, reply) => {
    const fault = toFault(error, options.isUnavailable)
    request.fault = fault
    if (fault && fault !== error && fault.kind === 'unavailable') warnAway(error, request.id)
    // Set by Fastify when it has not read a body to its end; HTTP/2 has no such header.
    if (request.raw.httpVersionMajor > 1) reply.removeHeader('connection')
    else endUnread(request, reply)
    const { url, headers } = request
    const answer = fault ? answerFault(fault, { url, authorization: headers.authorization }) : serverError
    sendFault(reply, answer, log, error)
  })
  server.setNotFoundHandler((request, reply) => answerUnrouted(table, request, reply))

  const { refused, page: pagesAllowed } = options.guard.limits
  const pageCounts = pagesAllowed === undefined ? undefined : createRefusals(pagesAllowed)
  const bytes = createBytesInFlight(options.bytesInFlight)
  metrics.gauge('entrepot_http_body_bytes', 'Bodies that are being read or worked on', bytes.total)
  const routes = { ...options, bytes, refusals: refused === undefined ? undefined : createRefusals(refused) }
  for (const endpoint of options.endpoints) addRoute(server, endpoint, routes)
  for (const page of options.pages) addPage(server, page, pageCounts)

  return {
    async listen(host, port) {
      await server.listen({ host, port, backlog })
      const address = server.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    inject: server.inject.bind(server) as FastifyInstance['inject'],
    leave: () => leaving.leave(),
    async close() {
      const timer = setTimeout(() => connections.cutOff(), timeouts.closeMs)
      await answers.read()
      await server.close().finally(() => clearTimeout(timer))
    },
    ready: async () => {
      await server.ready()
    },
  }
}

const isStream = (reply: FastifyReply): boolean => reply.getHeader('content-type') === 'text/event-stream'

const maxHeaderSize = 16_384

/** Who knocks while a storm of others is being turned away waits in line, which the system may hold shorter. */
const backlog = 4096

/** Anything that is not on purpose is a mistake of ours (null), unless Fastify has found fault with the request. */
function toFault(error: unknown, isUnavailable: (error: unknown) => boolean): Fault | null {
  if (error instanceof Fault) return error
  if (isUnavailable(error)) return unavailable()
  const { code, statusCode } = error instanceof Error ? (error as Error & { code?: unknown; statusCode?: unknown }) : {}
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge()
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? malformed('Bad request.') : null
}
