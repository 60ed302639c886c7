import type { FastifyInstance } from 'fastify'
import type { Answer } from './endpoint.ts'
import { headerOf } from './input/request-input.ts'
import { sendAnswer } from './send.ts'

/** Pages and probes beside the API: plain GETs that need no token. */
export interface PageRoute {
  path: string
  headers?: Readonly<Record<string, string>>
  handle: (request: PageRequest) => Promise<Answer>
}

export interface PageRequest {
  header(name: string): string | undefined
  /** The other end of the socket, whatever a proxy claims. */
  peer: string
  params: Record<string, string>
}

export function addPage(server: FastifyInstance, page: PageRoute) {
  server.get(page.path.replace(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
    const result = await page.handle({
      header: (name) => headerOf(request, name),
      peer: request.socket.remoteAddress ?? '',
      params: request.params as Record<string, string>,
    })
    if (page.headers) reply.headers(page.headers)
    return sendAnswer(reply, result)
  })
}
