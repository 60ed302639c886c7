import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../lib/fault.ts'
import { asPiece } from '../../lib/turns/piece-of-work.ts'
import type { CommitStep } from '../db/commit/with-first-commit.ts'
import type { OnAnswer } from './answered.ts'
import type { Auditing, Note } from './auditing.ts'
import { type Endpoint, fullPath } from './endpoint.ts'
import { type GuardedCaller, type GuardOptions, type GuardResult, guard } from './guard.ts'
import { type Doing, type Idempotency, idempotencyHeader, takesKey } from './idempotency.ts'
import type { RawQuery } from './input/list-query.ts'
import { headerOf, inputOf, readQuery, readValidBody } from './input/request-input.ts'
import { announcedBytes } from './input/unread-body.ts'
import { readUpload } from './input/upload.ts'
import type { BytesInFlight } from './limits/bytes-in-flight.ts'
import { orTooMany, type Refusals } from './limits/refusals.ts'
import { readyAnswer, sendReady } from './send.ts'
import { authorizationOf } from './session-cookie.ts'
import { spareBytes, sparesBytes } from './spare-bytes.ts'

export interface RouteOptions {
  /** What handlers get as `context`. */
  context: unknown
  /** The same, whose first transaction also takes these steps. */
  contextWith?: (steps: readonly CommitStep[], say?: Note['say']) => unknown
  /** Which calls are in the audit trail, and how they get there. */
  auditing?: Auditing
  guard: GuardOptions
  publicUrl: string
  /** Called for every request that was let in; counts who still calls what, and notes who was here. */
  onCall?: (endpoint: Endpoint, caller: GuardedCaller, from: { address: string; agent: string | null }) => void
  /** Told of every call that has been answered. */
  onAnswer?: OnAnswer | undefined
  /** For endpoints that take a key; without it the header is not looked at. */
  idempotency?: Idempotency
  /** For endpoints that count them. */
  refusals?: Refusals | undefined
}

/** What the server adds for all routes. */
export interface RouteParts extends RouteOptions {
  bytes: BytesInFlight
}

/**
 * An endpoint as a route: the guard before the body is read, everything else in the order that `endpoint.ts` names. Where
 * no token is asked for, what the path names has to be there before a body is read: that is all a stranger can show.
 */
export function addRoute(server: FastifyInstance, endpoint: Endpoint, options: RouteParts) {
  const { publicUrl, onCall, idempotency } = options
  const isKeyed = takesKey(endpoint)
  const newNote = options.auditing?.(endpoint) ?? null
  const groupHeaders = endpoint.group.headers
  const spares = sparesBytes(endpoint)
  const refusals = endpoint.countsRefusals ? options.refusals : undefined
  const { find } = endpoint
  const findsFirst =
    endpoint.group.caller === null && find
      ? async (request: FastifyRequest) => {
          request.found = await find(inputOf(request, options.context, refusals))
        }
      : null
  const holderOf = ({ caller, ip }: FastifyRequest) =>
    caller ? { caller: caller.subject } : { address: ip, isSuspect: refusals?.isOver(ip) ?? false }
  /** Whose body is not taken keeps it. */
  const takeBody = (request: FastifyRequest, reply: FastifyReply) => {
    const bytes = announcedBytes(request)
    if (bytes === 0 || bytes > endpoint.bodyLimit) return null
    const taken = options.bytes.take(holderOf(request), bytes)
    if (taken instanceof Fault) return taken
    reply.raw.once('close', taken).once('finish', taken)
    return null
  }
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
        request.endpoint = endpoint
        request.window = window
        if (result.fault) return done(result.fault)
        if (result.caller) {
          onCall?.(endpoint, result.caller, { address: request.ip, agent: request.headers['user-agent'] ?? null })
        }
        if (!findsFirst) return done(takeBody(request, reply) ?? undefined)
        findsFirst(request).then(
          () => done(takeBody(request, reply) ?? undefined),
          (error: unknown) => done(asError(refusals ? orTooMany(refusals, request.ip, error) : error)),
        )
      }
      try {
        const result = guard(endpoint, options.guard, {
          authorization: authorizationOf(request.headers),
          address: request.ip,
        })
        if (result instanceof Promise) result.then(finish, done)
        else finish(result)
      } catch (error) {
        done(asError(error))
      }
    },
    handler: async (request, reply) => {
      const work = ({ began, steps }: Doing) =>
        asPiece(async () => {
          const note = newNote?.() ?? null
          const inFirst = note ? [...steps, note.step] : steps
          const isPlain = inFirst.length === 0 || !options.contextWith
          const context = isPlain ? options.context : options.contextWith?.(inFirst, note?.say)
          const input = inputOf(request, context, refusals)
          if (options.onAnswer) request.work = { input, result: undefined }
          if (endpoint.group.admit) input.admitted = await endpoint.group.admit(input)
          if (findsFirst) input.found = request.found
          else if (find) input.found = await find(input)
          input.query = readQuery(endpoint, request.query as RawQuery)
          if (endpoint.bodyType === 'upload') request.upload = await uploadOf(request)
          if (endpoint.body) input.body = readValidBody(endpoint, request.body)
          began()
          const result = await (note ? note.around(input, () => endpoint.handle(input)) : endpoint.handle(input))
          if (request.work) request.work.result = result
          return await readyAnswer(request.url, { endpoint, result, query: input.query, publicUrl })
        }, request.caller?.sharesWith ?? request.caller?.subject)
      const key = isKeyed && !endpoint.onlyReads?.(request.body) ? headerOf(request, idempotencyHeader) : undefined
      if (key === undefined || !idempotency || !request.caller) {
        try {
          const answer = await work(unnamed)
          return sendReady(reply, spares ? await spareBytes(answer, request.headers) : answer)
        } catch (error) {
          throw refusals ? orTooMany(refusals, request.ip, error) : error
        }
      }
      const { method, url, raw_body: body, caller } = request
      const upload = endpoint.bodyType === 'upload' ? await uploadIfAny(request) : null
      const resumes = endpoint.resumes?.(request.body) ?? false
      const owner = caller.keysOf ?? caller.subject
      const answer = await idempotency.once({ key, caller: owner, method, url, body, upload, resumes }, work)
      return sendReady(reply, answer)
    },
  })
}

/** Work that the caller has no name for. */
const unnamed: Doing = { began: () => undefined, steps: [] }
const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
const uploadOf = (request: FastifyRequest) => readUpload(request.headers['content-type'], request.raw_body)

/** What is wrong with a body is said later, in its turn. */
async function uploadIfAny(request: FastifyRequest) {
  try {
    return await uploadOf(request)
  } catch {
    return null
  }
}
