import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'

export interface Loopback {
  port: number
  /** How many connections were made to it. */
  connections(): number
  close(): Promise<void>
}

/** Something that listens on this machine and counts who comes by. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<Loopback> {
  const open = new Set<Socket>()
  let count = 0
  server.on('connection', (socket) => {
    count++
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('not listening')
  return {
    port: address.port,
    connections: () => count,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The same address, reached through a port of this machine. */
export function through(url: string, port: number): string {
  const here = new URL(url)
  here.hostname = '127.0.0.1'
  here.port = String(port)
  return here.href
}

export const listenHttp = (handle: RequestListener) => listen(createHttpServer(handle))
export const listenTcp = (handle: (socket: Socket) => void, host?: string, port?: number) =>
  listen(createTcpServer(handle), host, port)
