import type { FastifyInstance } from 'fastify'
import { tooMany } from '../../lib/fault.ts'
import type { Answer } from './endpoint.ts'
import { headerOf } from './input/request-input.ts'
import type { Refusals } from './limits/refusals.ts'
import { sendAnswer } from './send.ts'

/** Pages and probes beside the API: plain GETs that need no token. */
export interface PageRoute {
  path: string
  headers?: Readonly<Record<string, string>>
  /** How many requests it counts for, by address; probes count for none. One where nothing is said. */
  weight?: number
  handle: (request: PageRequest) => Promise<Answer>
}

export interface PageRequest {
  header(name: string): string | undefined
  /** The other end of the socket, whatever a proxy claims. */
  peer: string
  params: Record<string, string>
}

/** `pages` counts who asks for them, by address: nobody brings a token here. */
export function addPage(server: FastifyInstance, page: PageRoute, pages?: Refusals) {
  server.get(page.path.replace(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
    const seconds = pages?.count(request.ip, page.weight ?? 1) ?? null
    if (seconds !== null) throw tooMany(seconds)
    const result = await page.handle({
      header: (name) => headerOf(request, name),
      peer: request.socket.remoteAddress ?? '',
      params: request.params as Record<string, string>,
    })
    if (page.headers) reply.headers(page.headers)
    return sendAnswer(reply, result)
  })
}
