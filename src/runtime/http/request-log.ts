import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'

/** Changes and refusals are worth a line; reads that went well only when somebody is looking for something. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply, route: string) {
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

const warnEveryMs = 1000

/** Why callers are told to come again. While the database is away all of them are: one line a second says enough. */
export function awayWarner(log: Log): (error: unknown, requestId: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  let unsaid = 0
  return (error, requestId) => {
    if (performance.now() - saidAt < warnEveryMs) {
      unsaid++
      return
    }
    saidAt = performance.now()
    log.warn({ err: error, requestId, others: unsaid }, 'request answered with 503: the database could not do it now')
    unsaid = 0
  }
}
