import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { type Answer, type Endpoint, type Page, statusKey } from './endpoint.ts'
import { pageEnvelope } from './envelope.ts'
import type { FaultAnswer } from './faults.ts'
import type { ListQuery } from './list-query.ts'
import { splitUrl } from './request-url.ts'

/** From what a handler gave, or what went wrong, to the bytes of an answer. */

const jsonType = 'application/json; charset=utf-8'

export interface Outcome {
  endpoint: Endpoint
  result: unknown
  query: unknown
  /** Where the outside world reaches us: links are built from it. */
  publicUrl: string
}

export function sendResult(request: FastifyRequest, reply: FastifyReply, outcome: Outcome) {
  const { endpoint, result } = outcome
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
      const { path, search } = splitUrl(request.url)
      const address = { base: outcome.publicUrl + path, search }
      return reply.send(JSON.stringify(pageEnvelope(value as Page<unknown>, outcome.query as ListQuery, address)))
    }
    case 'raw':
      return reply.header('cache-control', 'no-store').header('pragma', 'no-cache').send(JSON.stringify(value))
    default:
      return reply.send(JSON.stringify({ data: value }))
  }
}

export function sendAnswer(reply: FastifyReply, answer: Answer) {
  reply.code(answer.status).headers(answer.headers ?? {})
  if (answer.body === undefined) return reply.send()
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) return reply.send(answer.body)
  return reply.header('content-type', jsonType).send(JSON.stringify(answer.body))
}

export function sendFault(reply: FastifyReply, answer: FaultAnswer, log: Log, error: unknown) {
  if (answer.status === 500) log.error({ err: error, requestId: reply.request.id }, 'request failed')
  reply.code(answer.status).headers(answer.headers).header('content-type', jsonType).send(JSON.stringify(answer.body))
}
