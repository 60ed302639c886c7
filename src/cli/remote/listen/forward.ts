import { payloadOf } from '../../../domain/webhooks/delivery.ts'
import { signedHeaders, signingKey } from '../../../domain/webhooks/sender/sign-delivery.ts'
import { failure } from '../failure.ts'
import { clock, duration, look, plain } from '../look.ts'
import { send } from '../send.ts'

/** As the feed has it. */
export interface ForwardedEvent {
  id: string
  type: string
  timestamp: string
  data: unknown
}

/** What came of one message at the local address. */
export interface Forwarded {
  id: string
  type: string
  at: string
  ok: boolean
  /** Null where no answer came. */
  status: number | null
  ms: number
  /** The beginning of what it answered, or why there was no answer. */
  answer: string
}

export interface Target {
  url: string
  secret: string
}

const timeoutMs = 15_000
const shownBytes = 200

export function forwardingUrl(text: string): string {
  const url = /^\d+$/.test(text) ? `http://localhost:${text}` : /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url))
    throw failure('invalid', `"${text}" is no address to post to. Such as http://localhost:8080/hooks`)
  return url
}

/** Posted as the service would: the same id, bytes and form of signature, with the time of this attempt. */
export async function forward(event: ForwardedEvent, { url, secret }: Target): Promise<Forwarded> {
  const payload = payloadOf({ type: event.type, created_at: event.timestamp, data: JSON.stringify(event.data) })
  const at = new Date()
  const timestamp = Math.floor(at.getTime() / 1000)
  const headers = signedHeaders([signingKey(secret)], { id: event.id, timestamp, payload })
  const begun = performance.now()
  const about = { id: event.id, type: event.type, at: at.toISOString() }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await send(url, { method: 'POST', headers, body: payload, redirect: 'manual', signal })
    const answer = (await response.text()).slice(0, shownBytes)
    return { ...about, ok: response.ok, status: response.status, ms: Math.round(performance.now() - begun), answer }
  } catch (error) {
    return {
      ...about,
      ok: false,
      status: null,
      ms: Math.round(performance.now() - begun),
      answer: reasonOf(error, url),
    }
  }
}

function reasonOf(error: unknown, url: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer within 15 seconds'
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  if (cause?.code === 'ECONNREFUSED') return `nothing listens at ${url}: is your receiver running?`
  return cause?.message || cause?.code || (error instanceof Error ? error.message : String(error))
}

export function inWords({ at, type, id, ok, status, ms, answer }: Forwarded): string {
  const outcome = status === null ? answer : `${status} after ${duration(ms)}`
  const said = ok || status === null || answer === '' ? '' : `  ${plain(answer).split('\n')[0]}`
  return `${clock(at)}  ${look('cyan', type.padEnd(24))} ${id}  ${look(ok ? 'green' : 'red', outcome)}${said}`
}
