import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { PageRoute } from './page.ts'

/**
 * The probes on an address of their own, for whoever watches over the process: floods at the other one do not reach it.
 * Who comes too often here pushes out who came first, so that there is always room for one more question.
 */
export interface ProbeListener {
  listen(host: string, port: number): Promise<number>
  close(): Promise<void>
}

const maxOpen = 64
const patienceMs = 3_000

export function createProbeListener(pages: readonly PageRoute[]): ProbeListener {
  const open = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const page = pages.find(({ path }) => path === request.url?.split('?')[0])
    if (!page || request.method !== 'GET') return void response.writeHead(404).end()
    const header = (name: string) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value[0] : value
    }
    try {
      const { status, headers, body } = await page.handle({
        header,
        peer: request.socket.remoteAddress ?? '',
        params: {},
      })
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
      response.end(text)
    } catch {
      response.writeHead(500).end()
    }
  })
  Object.assign(server, { headersTimeout: patienceMs, requestTimeout: patienceMs, keepAliveTimeout: patienceMs })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [first] = open
    if (open.size > maxOpen) first?.destroy()
  })
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
