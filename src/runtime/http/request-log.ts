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
