import { Webhook } from 'standardwebhooks'
import { listenHttp } from '../../support/loopback.ts'

/** An endpoint for webhooks that counts, and behaves as it is told. */
export interface HookEndpoint {
  url: string
  /** By id: how often it was taken, and how long after the event the first time. */
  taken: ReadonlyMap<string, { times: number; lagMs: number }>
  /** Attempts in all, whatever was answered. */
  attempts(): number
  /** Messages that did not verify with this secret. */
  unverified(): number
  verifyWith(secret: string): void
  behave(how: Behaviour): void
  close(): Promise<void>
}

/** A status to answer with; null: it takes the message and never answers. */
export type Behaviour = () => number | null

export async function openHookEndpoint(): Promise<HookEndpoint> {
  const taken = new Map<string, { times: number; lagMs: number }>()
  let attempts = 0
  let unverified = 0
  let webhook: Webhook | null = null
  let behaviour: Behaviour = () => 200
  const server = await listenHttp(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    attempts++
    const status = behaviour()
    if (status === null) return
    const body = Buffer.concat(chunks).toString()
    const id = String(request.headers['webhook-id'])
    if (webhook && !isGenuine(webhook, body, request.headers)) unverified++
    if (status < 300) {
      const known = taken.get(id)
      const lagMs = known?.lagMs ?? Date.now() - Date.parse(JSON.parse(body).timestamp)
      taken.set(id, { times: (known?.times ?? 0) + 1, lagMs })
    }
    response.writeHead(status).end()
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    taken,
    attempts: () => attempts,
    unverified: () => unverified,
    verifyWith(secret) {
      webhook = new Webhook(secret)
    },
    behave(how) {
      behaviour = how
    },
    close: server.close,
  }
}

export function isGenuine(webhook: Webhook, body: string, headers: Readonly<Record<string, unknown>>): boolean {
  const named = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  try {
    webhook.verify(body, Object.fromEntries(named.map((name) => [name, String(headers[name])])))
    return true
  } catch {
    return false
  }
}
