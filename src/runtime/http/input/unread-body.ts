import type { FastifyReply, FastifyRequest } from 'fastify'

/** The length that a body is announced with; what announces none may be as long as its route takes. */
export function announcedBytes(request: FastifyRequest): number {
  const { method, headers, raw } = request
  if (method === 'GET' || method === 'HEAD') return 0
  const length = headers['content-length']
  if (length !== undefined) return Number(length) || 0
  const isOpen = headers['transfer-encoding'] !== undefined || (raw.httpVersionMajor > 1 && !raw.complete)
  return isOpen ? (request.routeOptions.bodyLimit ?? defaultLimit) : 0
}

const defaultLimit = 1024 * 1024

/** Small ones have come with their headers, or nearly so. */
const soonHereBytes = 64 * 1024

/** An answer before the body has come: where much of it is on its way, the connection ends, since nobody will read it. */
export function endUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.httpVersionMajor === 1 && !raw.complete && announcedBytes(request) > soonHereBytes)
    reply.header('connection', 'close')
}
