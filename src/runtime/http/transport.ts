import type { Server, ServerResponse } from 'node:http'
import type { Http2Session, ServerHttp2Stream } from 'node:http2'
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
  /** For what is still being answered when the server closes. */
  closeMs: number
}

export const defaultTimeouts: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  checkEveryMs: 2_000,
  // Of the 40 s that a process has for all that it ends.
  closeMs: 15_000,
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
  // HTTP/2 knows none of these: a request that never ended would be waited for for ever, at a shutdown too.
  server.on('stream', (stream: ServerHttp2Stream) => {
    if (stream.endAfterHeaders) return
    const timer = setTimeout(() => refuseUnended(stream), timeouts.requestMs).unref()
    stream.once('close', () => clearTimeout(timer))
  })
}

/** What is being answered already is left alone: nobody has waited for the rest. */
function refuseUnended(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.headersSent || stream.state.remoteClose === 1) return
  stream.respond({ ':status': 408, ...briefly })
  stream.end(badRequest, () => stream.close())
}

/**
 * Closing a server waits for its connections; those of HTTP/2 stay open until they are asked to finish, and those of whoever does not
 * read what we answer until they are cut off.
 */
export function trackConnections(server: Server): { close(): void; cutOff(): void } {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
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
    cutOff() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * Answers that were given, and that the other end has yet to read. A server that closes takes their connections for idle, and would cut
 * them off in the middle.
 */
export function trackAnswers() {
  const open = new Set<ServerResponse>()
  return {
    add(answer: ServerResponse) {
      open.add(answer)
      const end = () => open.delete(answer)
      answer.once('finish', end).once('close', end)
    },
    /** Resolves when those that there are now have been read, or their readers are gone. */
    async read(): Promise<void> {
      const given = [...open].filter(({ writableEnded }) => writableEnded)
      await Promise.all(
        given.map((answer) => new Promise((resolve) => answer.once('finish', resolve).once('close', resolve))),
      )
    },
  }
}

const badRequest = '{"message":"Bad request."}'
const briefly = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': `${badRequest.length}`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** What is not HTTP, or comes too slowly, gets one short answer and an end: nothing that follows on it can be trusted. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  const headers = Object.entries({ ...briefly, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status}`, ...headers, '', badRequest].join('\r\n'))
}
