import { Agent } from 'undici'

export interface Reply {
  status: number
  /** The parsed body; an empty object where there is none. */
  json: Record<string, unknown>
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  token?: string
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface HttpClient {
  call(url: string, call?: Call): Promise<Reply>
  close(): Promise<void>
}

/** Keeps at most so many connections open to each server, and sends one request at a time on each. */
export function httpClient(connections: number): HttpClient {
  const agent = new Agent({ connections, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })
  return {
    async call(url, { method = 'GET', token, body, headers = {} } = {}) {
      const { origin, pathname, search } = new URL(url)
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      return { status: answer.statusCode, json: text.startsWith('{') ? JSON.parse(text) : {} }
    },
    close: () => agent.destroy(),
  }
}
