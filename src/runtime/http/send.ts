import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { stringifyHeavy } from '../../lib/turns/stringify-in-turns.ts'
import type { Log } from '../log.ts'
import { type Answer, type Changes, type Endpoint, type Page, statusKey } from './endpoint.ts'
import { changesEnvelope, pageEnvelope } from './envelope.ts'
import type { FaultAnswer } from './faults.ts'
import type { ListQuery } from './input/list-query.ts'
import { splitUrl } from './input/request-url.ts'
import { writtenPage } from './written/written.ts'

/** From what a handler gave, or what went wrong, to the bytes of an answer. */

export const jsonType = 'application/json; charset=utf-8'

export interface Outcome {
  endpoint: Endpoint
  result: unknown
  query: unknown
  /** Where the outside world reaches us: links are built from it. */
  publicUrl: string
}

/** An answer as it goes out, but for what every answer carries. */
export interface ReadyAnswer {
  status: number
  headers: Record<string, string>
  body: string | Buffer | Readable | undefined
  /** Of the body, where it is known. */
  tag?: string
}

/** Where a shop has sent much, what is made of it is written in turns with others. */
export async function readyAnswer(url: string, outcome: Outcome): Promise<ReadyAnswer> {
  const { value, body, ...rest } = answerOf(url, outcome)
  if (value === undefined) return { ...rest, body }
  // JSON.stringify is faster than a compiled serialiser on pages of text (bench/README.md).
  return { ...rest, body: await stringifyHeavy(value) }
}

/** `value` is still to be written; else `body` is ready. */
type Unwritten = ReadyAnswer & { value?: unknown }

function answerOf(url: string, { endpoint, result, query, publicUrl }: Outcome): Unwritten {
  const { returns } = endpoint
  if (returns.kind === 'nothing') return { status: 204, headers: {}, body: undefined }
  if (returns.kind === 'answer') return unwrittenOf(result as Answer)
  const chosen = typeof result === 'object' && result !== null && statusKey in result ? result : null
  const status = chosen ? (chosen as { [statusKey]: number })[statusKey] : endpoint.status
  const value = chosen ? (chosen as unknown as { value: unknown }).value : result
  const written = { status, headers: { 'content-type': jsonType }, body: undefined }
  switch (returns.kind) {
    case 'page': {
      const { path, search } = splitUrl(url)
      const envelope = pageOrChanges(value as AnyPage, query as ListQuery, { base: publicUrl + path, search })
      const page = writtenPage(envelope)
      return page ? { ...written, body: page.bytes, tag: page.tag } : { ...written, value: envelope }
    }
    case 'raw':
      return { ...written, headers: neverKept, value }
    default:
      return { ...written, value: { data: value } }
  }
}

const neverKept = { 'content-type': jsonType, 'cache-control': 'no-store', pragma: 'no-cache' }

type AnyPage = Page<unknown> | Changes<unknown>

const pageOrChanges = (rows: AnyPage, query: ListQuery, address: { base: string; search: string }) =>
  'cursor' in rows ? changesEnvelope(rows, query, address) : pageEnvelope(rows, query, address)

function unwrittenOf({ status, headers = {}, body }: Answer): Unwritten {
  const isReady = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable
  if (isReady) return { status, headers, body }
  return { status, headers: { ...headers, 'content-type': jsonType }, body: undefined, value: body }
}

function readyOf(answer: Answer): ReadyAnswer {
  const { value, ...ready } = unwrittenOf(answer)
  return value === undefined ? ready : { ...ready, body: JSON.stringify(value) }
}

export const sendReady = (reply: FastifyReply, { status, headers, body }: ReadyAnswer) => {
  // Who may frame a page is said by its policy; the older header knows nobody at all.
  if (/frame-ancestors (?!'none')/.test(headers['content-security-policy'] ?? '')) reply.removeHeader('x-frame-options')
  return reply.code(status).headers(headers).send(body)
}

export const sendAnswer = (reply: FastifyReply, answer: Answer) => sendReady(reply, readyOf(answer))

export function sendFault(reply: FastifyReply, answer: FaultAnswer, log: Log, error: unknown) {
  if (answer.status === 500) log.error({ err: error, requestId: reply.request.id }, 'request failed')
  reply.code(answer.status).headers(answer.headers).header('content-type', jsonType).send(JSON.stringify(answer.body))
}
