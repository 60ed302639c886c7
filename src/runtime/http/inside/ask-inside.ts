import { randomBytes } from 'node:crypto'
import type { HttpServer } from '../server.ts'

/** A question of our own to one of our endpoints. */
export interface InsideRequest {
  method: 'GET' | 'POST' | 'PUT'
  /** Path and query. */
  url: string
  body?: unknown
  idempotencyKey?: string
  /** Of whoever made us ask; limits and the audit trail see it. */
  address: string
  requestId: string
}

export interface InsideAnswer {
  status: number
  headers: Readonly<Record<string, unknown>>
  /** Undefined where the answer is no JSON. */
  body: unknown
}

export type AskInside<Caller> = (caller: Caller, request: InsideRequest) => Promise<InsideAnswer>

/**
 * Asks our own endpoints as a caller that is known already, by the way that every request takes: guard, limits, rights,
 * checks, audit trail and idempotency keys are the same. What proves the caller is a ticket that is drawn for one question,
 * never leaves the process, and is void when the answer is there.
 */
export function createInside<Caller extends object>() {
  const tickets = new Map<string, { caller: Caller; requestId: string }>()
  let inject: HttpServer['inject'] | null = null

  const ask: AskInside<Caller> = async (caller, { method, url, body, idempotencyKey, address, requestId }) => {
    if (!inject) throw new Error('The server is not there yet.')
    const ticket = prefix + randomBytes(32).toString('base64url')
    tickets.set(ticket, { caller, requestId })
    try {
      const answer = await inject({
        method,
        url,
        remoteAddress: address,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${ticket}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
      const parsed: unknown = isJson && answer.body !== '' ? JSON.parse(answer.body) : undefined
      return { status: answer.statusCode, headers: answer.headers, body: parsed }
    } finally {
      tickets.delete(ticket)
    }
  }

  return {
    ask,
    /** The caller of a ticket; undefined for whatever else is shown. */
    callerOf: (token: string): Caller | undefined =>
      token.startsWith(prefix) ? tickets.get(token)?.caller : undefined,
    /** Both are one request to whoever looks for it. */
    requestIdOf: (authorization: string | undefined): string | undefined =>
      authorization?.startsWith(bearer)
        ? tickets.get(authorization.slice(bearer.length - prefix.length))?.requestId
        : undefined,
    serveBy(server: Pick<HttpServer, 'inject'>) {
      inject = server.inject
    },
  }
}

const prefix = 'inside.'
const bearer = `Bearer ${prefix}`
