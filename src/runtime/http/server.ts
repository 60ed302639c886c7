import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Fault, invalid, malformed, tooLarge } from '../../lib/fault.ts'
import { validate } from '../../lib/validate.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { badBody, parseForm, parseJson, readBody } from './body.ts'
import {
  type Answer,
  type Endpoint,
  type ErasedInput,
  fullPath,
  type Page,
  statusKey,
  type Upload,
} from './endpoint.ts'
import { pageEnvelope } from './envelope.ts'
import { answerFault, type FaultAnswer, serverError } from './faults.ts'
import { type GuardedCaller, type GuardOptions, type GuardResult, guard } from './guard.ts'
import { everyAnswer, overTls, preflight } from './headers.ts'
import { type ListQuery, parseListQuery, type RawQuery } from './list-query.ts'
import { routeTable, unknownRoute, wrongMethod } from './route-table.ts'
import { readUpload } from './upload.ts'

/** The one file that knows Fastify: it turns endpoints into routes. */

export interface ServerOptions {
  endpoints: readonly Endpoint[]
  /** What handlers get as `context`. */
  context: unknown
  guard: GuardOptions
  publicUrl: string
  tls: { cert: Buffer; key: Buffer } | null
  trustProxy: readonly string[]
  log: Log
  metrics: Metrics
  /** Tells that the database is away: the answer is 503 then, not 500. */
  isUnavailable: (error: unknown) => boolean
  /** Pages and probes beside the API. */
  pages: readonly PageRoute[]
}

export interface PageRoute {
  path: string
  headers?: Readonly<Record<string, string>>
  handle: (request: PageRequest) => Promise<Answer>
}

export interface PageRequest {
  header(name: string): string | undefined
  /** The other end of the socket, whatever a proxy claims. */
  peer: string
  params: Record<string, string>
}

export interface HttpServer {
  listen(host: string, port: number): Promise<number>
  inject: FastifyInstance['inject']
  /** Stops taking connections, lets running requests finish, then resolves. */
  close(): Promise<void>
  ready(): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: GuardedCaller | null
    raw_body: Buffer | null
    upload: Upload | null
  }
}

const noBytes = Buffer.alloc(0)

export function createServer(options: ServerOptions): HttpServer {
  const { log, metrics } = options
  const server = fastify({
    ...(options.tls ? { http2: true as const, https: { ...options.tls, allowHTTP1: true } } : {}),
    loggerInstance: undefined,
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 5_000,
    http: { headersTimeout: 10_000, insecureHTTPParser: false, maxHeaderSize: 16_384 },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error: unknown, _request: unknown, reply: FastifyReply) => {
      send(reply, answerFault(malformed('Bad request.')), log, error)
    },
    clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
      const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
      const body = '{"message":"Bad request."}'
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  } as object) as unknown as FastifyInstance

  server.server.maxConnections = 10_000
  server.decorateRequest('caller', null)
  server.decorateRequest('raw_body', null)
  server.decorateRequest('upload', null)
  addBodyParsers(server)

  const headers = options.tls ? { ...everyAnswer, ...overTls } : everyAnswer
  const table = routeTable(options.endpoints)

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    if (request.method === 'OPTIONS') {
      if (request.headers['access-control-request-method']) {
        reply.code(204).headers(preflight).send()
        return
      }
      const allowed = table.methodsOf(pathOf(request.url))
      if (allowed.length > 0) {
        reply.code(200).header('allow', allowed.join(',')).send('')
        return
      }
    }
    // PostgreSQL cannot store NUL, and nothing of ours is named with it.
    if (request.url.includes('%00')) return done(malformed('Bad request.'))
    done()
  })

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.requests.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
    logRequest(log, request, reply, route)
    done()
  })

  server.setErrorHandler((error, _request, reply) => {
    send(reply, toAnswer(error, options.isUnavailable), log, error)
  })

  server.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const allowed = table.methodsOf(path)
    if (allowed.length === 0) return reply.code(404).send({ message: unknownRoute(path) })
    return reply
      .code(405)
      .header('allow', allowed.join(', '))
      .send({ message: wrongMethod(request.method, path, allowed) })
  })

  for (const endpoint of options.endpoints) addRoute(server, endpoint, options)
  for (const page of options.pages) addPage(server, page)

  return {
    async listen(host, port) {
      await server.listen({ host, port })
      const address = server.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    inject: server.inject.bind(server) as FastifyInstance['inject'],
    close: () => server.close().then(() => undefined),
    ready: async () => {
      await server.ready()
    },
  }
}

function addBodyParsers(server: FastifyInstance) {
  server.removeAllContentTypeParsers()
  const parser = (parse: (request: FastifyRequest, bytes: Buffer) => unknown) => ({
    options: { parseAs: 'buffer' as const },
    run: (request: FastifyRequest, bytes: string | Buffer, done: (error: Error | null, body?: unknown) => void) => {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      request.raw_body = buffer
      done(null, parse(request, buffer))
    },
  })
  const json = parser((_request, bytes) => parseJson(bytes))
  const form = parser((request, bytes) =>
    endpointOf(request)?.bodyType === 'form-or-json' ? parseForm(bytes) : undefined,
  )
  // A body of a type that the route does not take is read and ignored: what it should have held is then missing.
  const other = parser(() => undefined)
  server.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i, json.options, json.run)
  server.addContentTypeParser('application/x-www-form-urlencoded', form.options, form.run)
  server.addContentTypeParser('*', other.options, other.run)
}

const endpointOf = (request: FastifyRequest) =>
  (request.routeOptions.config as { endpoint?: Endpoint } | undefined)?.endpoint

function addRoute(server: FastifyInstance, endpoint: Endpoint, options: ServerOptions) {
  const base = options.publicUrl
  const groupHeaders = endpoint.group.headers
  server.route({
    method: endpoint.method,
    url: fullPath(endpoint).replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: endpoint.bodyLimit,
    config: { endpoint },
    onRequest: (request, reply, done) => {
      if (groupHeaders) reply.headers(groupHeaders)
      const finish = (result: GuardResult) => {
        const { window } = result
        if (window) {
          reply.header('x-ratelimit-limit', window.limit)
          reply.header('x-ratelimit-remaining', window.remaining)
          reply.header('x-ratelimit-reset', window.resetsAt)
        }
        request.caller = result.caller
        if (result.fault) done(result.fault)
        else done()
      }
      try {
        const result = guard(endpoint, options.guard, {
          authorization: request.headers.authorization,
          address: request.ip,
        })
        if (result instanceof Promise) result.then(finish, done)
        else finish(result)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
    handler: async (request, reply) => {
      const input = inputOf(request, options.context)
      if (endpoint.group.admit) input.admitted = await endpoint.group.admit(input)
      if (endpoint.find) input.found = await endpoint.find(input)
      input.query = readQuery(endpoint, request.query as RawQuery)
      if (endpoint.bodyType === 'upload') request.upload = readUpload(request.headers['content-type'], request.raw_body)
      if (endpoint.body) input.body = readValidBody(endpoint, request.body)
      const result = await endpoint.handle(input)
      return sendResult(reply, endpoint, result, input.query, request, base)
    },
  })
}

function inputOf(request: FastifyRequest, context: unknown): ErasedInput {
  return {
    context,
    caller: request.caller,
    params: request.params as Record<string, string>,
    query: undefined,
    body: undefined,
    found: undefined,
    admitted: undefined,
    request: {
      header: (name) => {
        const value = request.headers[name]
        return Array.isArray(value) ? value[0] : value
      },
      get address() {
        return request.ip
      },
      requestId: request.id,
      method: request.method,
      url: request.url,
      get raw() {
        return request.raw_body ?? noBytes
      },
      get upload() {
        return request.upload
      },
      get queryString() {
        return flatQuery(request.query as RawQuery)
      },
    },
  }
}

function readQuery(endpoint: Endpoint, raw: RawQuery): unknown {
  const { query } = endpoint
  if (!query) return undefined
  if ('list' in query) return parseListQuery(query as Parameters<typeof parseListQuery>[0], raw)
  const checked = validate(query, flatQuery(raw))
  if (!checked.ok) throw invalid(checked.errors)
  return checked.value
}

function flatQuery(raw: RawQuery): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [key, value] of Object.entries(raw)) {
    const text = Array.isArray(value) ? value.at(-1) : value
    if (text !== undefined) flat[key] = text
  }
  return flat
}

function readValidBody(endpoint: Endpoint, body: unknown): unknown {
  if (!endpoint.body) return undefined
  if (body === badBody && endpoint.malformedBody) throw endpoint.malformedBody()
  const checked = validate(endpoint.body, readBody(body))
  if (!checked.ok) throw invalid(checked.errors)
  return checked.value
}

const jsonType = 'application/json; charset=utf-8'

function sendResult(
  reply: FastifyReply,
  endpoint: Endpoint,
  result: unknown,
  query: unknown,
  request: FastifyRequest,
  base: string,
) {
  const { returns } = endpoint
  if (returns.kind === 'nothing') return reply.code(204).send()
  if (returns.kind === 'answer') return sendAnswer(reply, result as Answer)
  const chosen = typeof result === 'object' && result !== null && statusKey in result ? result : null
  const status = chosen ? (chosen as { [statusKey]: number })[statusKey] : endpoint.status
  const value = chosen ? (chosen as unknown as { value: unknown }).value : result
  // JSON.stringify is faster than a compiled serialiser on pages of text (bench/README.md).
  reply.code(status).header('content-type', jsonType)
  switch (returns.kind) {
    case 'page': {
      const mark = request.url.indexOf('?')
      const path = mark < 0 ? request.url : request.url.slice(0, mark)
      const search = mark < 0 ? '' : request.url.slice(mark + 1)
      return reply.send(
        JSON.stringify(pageEnvelope(value as Page<unknown>, query as ListQuery, { base: base + path, search })),
      )
    }
    case 'raw':
      return reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send(JSON.stringify(value))
    default:
      return reply.send(JSON.stringify({ data: value }))
  }
}

function sendAnswer(reply: FastifyReply, answer: Answer) {
  reply.code(answer.status).headers(answer.headers ?? {})
  if (answer.body === undefined) return reply.send()
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) return reply.send(answer.body)
  return reply.header('content-type', jsonType).send(JSON.stringify(answer.body))
}

function addPage(server: FastifyInstance, page: PageRoute) {
  server.get(page.path.replace(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
    const result = await page.handle({
      header: (name) => {
        const value = request.headers[name]
        return Array.isArray(value) ? value[0] : value
      },
      peer: request.socket.remoteAddress ?? '',
      params: request.params as Record<string, string>,
    })
    if (page.headers) reply.headers(page.headers)
    return sendAnswer(reply, result)
  })
}

const pathOf = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

function toAnswer(error: unknown, isUnavailable: (error: unknown) => boolean): FaultAnswer {
  if (error instanceof Fault) return answerFault(error)
  if (isUnavailable(error))
    return answerFault(new Fault('unavailable', 'Service Unavailable', { retryAfterSeconds: 1 }))
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return answerFault(tooLarge())
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return answerFault(malformed('Bad request.'))
  return serverError
}

function send(reply: FastifyReply, answer: FaultAnswer, log: Log, error: unknown) {
  if (answer.status === 500) log.error({ err: error, requestId: reply.request.id }, 'request failed')
  reply.code(answer.status).headers(answer.headers).header('content-type', jsonType).send(JSON.stringify(answer.body))
}

/** Changes and refusals are worth a line; reads that went well only when somebody is looking for something. */
function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply, route: string) {
  const status = reply.statusCode
  const level = status >= 500 ? 'error' : status >= 400 || request.method !== 'GET' ? 'info' : 'debug'
  if (!log.isLevelEnabled(level)) return
  log[level](
    {
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      actor: request.caller?.subject ?? null,
      address: request.ip,
    },
    'request',
  )
}
