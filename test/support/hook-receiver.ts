import type { IncomingHttpHeaders } from 'node:http'
import { listenHttp } from './loopback.ts'

export interface ReceivedHook {
  path: string
  id: string
  headers: IncomingHttpHeaders
  body: string
  event: { type: string; timestamp: string; data: Record<string, unknown> }
}

export interface HookAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface HookReceiver {
  url: string
  received: ReceivedHook[]
  /** What it answers from now on; null: it takes the message and says nothing. */
  answer(with_: (hook: ReceivedHook) => HookAnswer | null): void
  connections(): number
  close(): Promise<void>
}

/** An endpoint for webhooks, which keeps what it gets. */
export async function openHookReceiver(): Promise<HookReceiver> {
  const received: ReceivedHook[] = []
  let answering: (hook: ReceivedHook) => HookAnswer | null = () => ({ status: 200 })
  const server = await listenHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const hook = {
      path: request.url ?? '',
      id: String(request.headers['webhook-id'] ?? ''),
      headers: request.headers,
      body,
      event: body.startsWith('{') ? JSON.parse(body) : {},
    }
    received.push(hook)
    const answer = answering(hook)
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    answer(with_) {
      answering = with_
    },
    connections: server.connections,
    close: server.close,
  }
}
