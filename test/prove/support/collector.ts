import { once } from 'node:events'
import { createServer } from 'node:http'

/** A message as it left the shop. */
export interface Collected {
  /** Path and query. */
  path: string
  headers: Record<string, string>
  body: Buffer
}

export interface Collector {
  url: string
  messages: Collected[]
  close(): Promise<void>
}

/** Stands where the shops believe us to be, keeps what they send, and passes nothing on by itself. */
export async function openCollector(): Promise<Collector> {
  const messages: Collected[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    messages.push({ path: request.url ?? '', headers: texts, body: Buffer.concat(chunks) })
    response.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    messages,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends each of them, so many at a time; the statuses that came back, and how often. */
export async function passOn(
  origin: string,
  messages: readonly Collected[],
  atOnce: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const queue = messages.values()
  const work = async () => {
    for (const { path, headers, body } of queue) {
      const { status } = await fetch(origin + path, { method: 'POST', headers, body })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return statuses
}
