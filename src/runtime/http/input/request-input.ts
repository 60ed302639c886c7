import type { FastifyRequest } from 'fastify'
import { invalid } from '../../../lib/fault.ts'
import { validate } from '../../../lib/validation/validate.ts'
import type { Endpoint, ErasedInput } from '../endpoint.ts'
import type { Refusals } from '../limits/refusals.ts'
import { badBody, readBody } from './body.ts'
import { parseListQuery, type RawQuery } from './list-query.ts'

/** What of a request reaches an endpoint, and in which state. */

const noBytes = Buffer.alloc(0)

export function inputOf(request: FastifyRequest, context: unknown, refusals?: Refusals): ErasedInput {
  return {
    context,
    caller: request.caller,
    params: request.params as Record<string, string>,
    query: undefined,
    body: undefined,
    found: undefined,
    admitted: undefined,
    request: {
      header: (name) => headerOf(request, name),
      headers: () => allHeaders(request),
      get address() {
        return request.ip
      },
      isSuspect: () => refusals?.isOver(request.ip) ?? false,
      countRefusal: () => void refusals?.count(request.ip),
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
      get rawQuery() {
        return request.query as RawQuery
      },
    },
  }
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function allHeaders(request: FastifyRequest): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name of Object.keys(request.headers)) all[name] = headerOf(request, name) ?? ''
  return all
}

export function readQuery(endpoint: Endpoint, raw: RawQuery): unknown {
  const { query } = endpoint
  if (!query) return undefined
  if ('list' in query) return parseListQuery(query as Parameters<typeof parseListQuery>[0], raw)
  const checked = validate(query, flatQuery(raw))
  if (!checked.ok) throw invalid(checked.wordings)
  return checked.value
}

/** Of a parameter that was sent several times the last one counts. */
function flatQuery(raw: RawQuery): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [key, value] of Object.entries(raw)) {
    const text = Array.isArray(value) ? value.at(-1) : value
    if (text !== undefined) flat[key] = text
  }
  return flat
}

export function readValidBody(endpoint: Endpoint, body: unknown): unknown {
  if (!endpoint.body) return undefined
  if (body === badBody && endpoint.malformedBody) throw endpoint.malformedBody()
  const checked = validate(endpoint.body, readBody(body))
  if (!checked.ok) throw endpoint.malformedBody?.() ?? invalid(checked.wordings)
  return checked.value
}
