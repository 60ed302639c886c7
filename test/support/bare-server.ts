import { connect, type Socket } from 'node:net'
import { Type } from 'typebox'
import { endpointsFor, type Group, raw } from '../../src/runtime/http/endpoint.ts'
import { createServer, type HttpServer, type ServerOptions } from '../../src/runtime/http/server.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'

/** The HTTP core without a database: one open endpoint that answers with what it was sent. */
const group = { name: 'open', description: 'Open', prefix: '', caller: null, rate: null } as const satisfies Group
const endpoint = endpointsFor<null, Record<string, never>, { scope: string; permission: string; right: string }>()
const any = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

const echo = (method: 'GET' | 'POST') =>
  endpoint({
    group,
    method,
    path: '/echo',
    summary: 'Answer what was sent',
    openBecause: 'For tests.',
    body: any,
    status: 200,
    returns: raw(any),
    handle: async ({ body, request }) => ({ method, url: request.url, address: request.address, body }),
  })

export const createBareServer = ({
  pagesAllowed,
  ...options
}: Partial<ServerOptions> & { pagesAllowed?: number } = {}): HttpServer =>
  createServer({
    endpoints: [echo('GET'), echo('POST')],
    context: null,
    guard: {
      identify: () => null,
      limiter: {
        hit: () => ({ allowed: true, limit: 1, remaining: 1, resetsAt: 1 }),
        share: async () => undefined,
        stopSharing: () => undefined,
        close: () => undefined,
      },
      limits: {
        ...{ user: 1, client: 1, account: 1, token: 1 },
        ...(pagesAllowed === undefined ? {} : { page: pagesAllowed }),
      },
    },
    publicUrl: 'https://entrepot.test',
    tls: null,
    trustProxy: [],
    log: createLog('silent'),
    metrics: createMetrics(),
    isUnavailable: () => false,
    pages: [],
    ...options,
  })

/** Sends bytes as they are and gives back all that came until the server has closed. */
export function talk(port: number, bytes: string | Buffer, onConnect?: (socket: Socket) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
      onConnect?.(socket)
    })
    let received = ''
    socket.on('data', (data) => {
      received += data.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)))
    socket.on('close', () => resolve(received))
  })
}
