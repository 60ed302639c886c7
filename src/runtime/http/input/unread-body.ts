import type { Socket } from 'node:net'
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

/** How long somebody who is still sending may take to notice the answer. */
const lingerMs = 2_000

/** An answer before the body has come: where much of it is on its way, the connection ends, since nobody will read it. */
export function endUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.httpVersionMajor !== 1 || raw.complete || announcedBytes(request) <= soonHereBytes) return
  reply.header('connection', 'close')
  linger(raw.socket)
}

/**
 * A connection that is closed while bytes arrive is reset, and whoever sends them fails before the answer is read. So only our side is
 * ended, and what still comes is thrown away until the other side ends too or has had its time.
 */
function linger(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}
