import type { Server } from 'node:http'
import type { Http2Session } from 'node:http2'
import type { Socket } from 'node:net'

/** How long the other end of a connection may take. Settable, so that tests need not wait. */
export interface Timeouts {
  /** For the request line and all headers. */
  headersMs: number
  /** For the whole request with its body. */
  requestMs: number
  /** Between two requests of a connection. */
  keepAliveMs: number
  /** How often the first two are looked at. */
  checkEveryMs: number
}

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  checkEveryMs: 2_000,
}

/**
 * The timeouts are set on the server itself: as options they would reach plain HTTP/1.1 only, not the one that is
 * spoken over TLS by clients without HTTP/2.
 */
export function limitTimes(server: Server, timeouts: Timeouts) {
  Object.assign(server, {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
  })
}

/** Closing a server waits for its connections; those of HTTP/2 stay open until they are asked to finish. */
export function trackSessions(server: Server): { close(): void } {
  const sessions = new Set<Http2Session>()
  let closing = false
  server.on('session', (session: Http2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    // Its handshake was under way when we began to close.
    if (closing) session.close()
  })
  return {
    close() {
      closing = true
      for (const session of sessions) session.close()
    },
  }
}

/** What is not HTTP, or comes too slowly, gets one short answer and an end: nothing that follows on it can be trusted. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  const body = '{"message":"Bad request."}'
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
