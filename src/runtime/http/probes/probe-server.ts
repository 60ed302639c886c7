import type { ListenOptions, Socket } from 'node:net'

// Imported, this module would show all that it has, a browser's WebSocket among it, and load another HTTP client for that: 60 ms in each thread.
const { createServer } = process.getBuiltinModule('node:http')

/** A question to the probes, as it can be handed to another thread. */
export interface ProbeQuestion {
  path: string
  headers: Readonly<Record<string, string>>
  peer: string
}

export interface ProbeAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

export interface ProbeServer {
  listen(where: ListenOptions): Promise<number>
  close(): Promise<void>
}

/** So many ask at once at most. */
export const maxAsking = 64
/** Who takes longer to ask is not waited for, nor is who takes longer to answer. */
export const patienceMs = 3_000

export const probeAnswer = (status: number, body: Record<string, string | number>): ProbeAnswer => ({
  status,
  headers: {},
  text: JSON.stringify(body),
})

/** Plain GETs without a body. Who comes too often pushes out who came first, so that there is always room for one more question. */
export function createProbeServer(answer: (question: ProbeQuestion) => Promise<ProbeAnswer | null>): ProbeServer {
  const open = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? (value[0] ?? '') : value]),
    ) as Record<string, string>
    const path = request.url?.split('?')[0] ?? ''
    const peer = request.socket.remoteAddress ?? ''
    try {
      const given = request.method === 'GET' ? await answer({ path, headers, peer }) : null
      if (!given) return void response.writeHead(404).end()
      const usual = { 'content-type': 'application/json', 'cache-control': 'no-store' }
      response.writeHead(given.status, { ...usual, ...given.headers }).end(given.text)
    } catch {
      response.writeHead(500).end()
    }
  })
  Object.assign(server, { headersTimeout: patienceMs, requestTimeout: patienceMs, keepAliveTimeout: patienceMs })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const [first] = open
    if (open.size > maxAsking) first?.destroy()
  })
  return {
    listen: (where) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(where, () => {
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : Number(where.port))
        })
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
