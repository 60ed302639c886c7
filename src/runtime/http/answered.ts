import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../lib/fault.ts'
import type { Endpoint, ErasedInput } from './endpoint.ts'
import type { GuardedCaller } from './guard.ts'
import { idempotencyHeader } from './idempotency.ts'
import { headerOf } from './input/request-input.ts'
import { splitUrl } from './input/request-url.ts'
import type { RateWindow } from './limits/rate-limit.ts'

/**
 * A call that has been answered, for whoever keeps them. Everything is read when it is asked for: most calls are only counted, and
 * the other end has its answer by then.
 */
export class Answered {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly endpoint: Endpoint
  readonly status: number

  constructor(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
    this.endpoint = endpoint
    this.status = reply.statusCode
    this.#request = request
    this.#reply = reply
  }

  get caller(): GuardedCaller | null {
    return this.#request.caller
  }
  /** What reached the handler; null if the call did not get so far. */
  get input(): ErasedInput | null {
    return this.#request.work?.input ?? null
  }
  /** What the handler gave, before it was turned into bytes. */
  get result(): unknown {
    return this.#request.work?.result
  }
  get fault(): Fault | null {
    return this.#request.fault
  }
  get requestId(): string {
    return this.#request.id
  }
  get ms(): number {
    return Math.round(this.#reply.elapsedTime * 10) / 10
  }
  get address(): string {
    return this.#request.ip
  }
  get params(): Readonly<Record<string, string>> {
    return this.#request.params as Record<string, string>
  }
  get path(): string {
    return splitUrl(this.#request.url).path
  }
  get rawQuery(): Readonly<Record<string, unknown>> {
    return this.#request.query as Record<string, unknown>
  }
  /** As it was sent, before it was checked. */
  get body(): unknown {
    return this.#request.body
  }
  get agent(): string | null {
    return headerOf(this.#request, 'user-agent') ?? null
  }
  get contentType(): string | null {
    return headerOf(this.#request, 'content-type') ?? null
  }
  get hasIdempotencyKey(): boolean {
    return headerOf(this.#request, idempotencyHeader) !== undefined
  }
  get requestBytes(): number {
    return this.#request.raw_body?.length ?? 0
  }
  get responseBytes(): number {
    return Number(this.#reply.getHeader('content-length') ?? 0) || 0
  }
  /** Null where the caller has no limit. */
  get window(): RateWindow | null {
    return this.#request.window
  }
}

export type OnAnswer = (answered: Answered) => void
