import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** Somebody who takes messages and keeps them. */
export async function openReceiver(status = 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
